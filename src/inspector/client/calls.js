// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
/**
 * The members of a control API reply that a page reads.
 * @typedef {{ at: string, does: string, about?: string }} Ran
 * @typedef {{ field: string, message: string }} Wrong
 * @typedef {{ state: string, attempts: { status?: number, error?: string }[] }} Delivered
 * @typedef {Record<string, unknown> & Partial<Delivered> & { code?: string, message?: string, now?: string, ran?: Ran[],
 *   details?: { errors?: Wrong[] }, sent?: Delivered | null }} Answer
 */

/**
 * Returns the values of a form as the body of a call: `a.b` is a member of a member, empty fields are left out.
 * @param {HTMLFormElement} form
 */
function bodyOf(form) {
  /** @type {Record<string, unknown>} */
  const made = JSON.parse(form.dataset.body ?? '{}');
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    if (!field.name || field.disabled || field.closest('[hidden]')) continue;
    const value = valueIn(field);
    if (value === undefined) continue;
    const steps = field.name.split('.');
    const name = steps.pop() ?? '';
    let at = made;
    for (const step of steps)
      at = /** @type {Record<string, unknown>} */ (Object.hasOwn(at, step) ? at[step] : (at[step] = {}));
    at[name] = value;
  }
  return made;
}

/**
 * Returns the value of a field; undefined if it is empty.
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @returns {unknown}
 */
function valueIn(field) {
  if (field instanceof HTMLInputElement && field.type === 'checkbox') return field.checked || undefined;
  const text = field.value.trim();
  if (text === '') return field.dataset.empty === undefined ? undefined : JSON.parse(field.dataset.empty);
  return field.dataset.as === 'number' ? Number(text) : text;
}

/**
 * Makes a call of the control API and shows its outcome; returns undefined if it failed.
 * @param {HTMLElement} button
 * @param {string} method
 * @param {string} url
 * @param {string} sent
 * @returns {Promise<Answer | undefined>}
 */
async function call(button, method, url, sent) {
  const line = `${method} ${url}${sent && sent.length < 400 ? ` ${sent}` : ''}`;
  button.setAttribute('aria-busy', 'true');
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, sent ? { method, body: sent, headers } : { method });
    const answer = answerOf(await response.text());
    if (!response.ok) {
      const errors = button.closest('form') ? wrong(button.closest('form'), answer.details?.errors) : [];
      const all = [answer.message ?? '', ...errors.map(({ field, message }) => `${field}: ${message}`), line];
      toast(`${response.status} ${answer.code ?? ''}`, all.join('\n'), true);
      return undefined;
    }
    const said = outcome(answer);
    toast(said.title, `${said.detail ?? ''}\n${line}`.trim(), said.bad);
    if (answer.ran) ran(answer.ran);
    return answer;
  } catch (error) {
    toast('The emulator did not answer', `${saying(error)}\n${line}`, true);
    return undefined;
  } finally {
    button.removeAttribute('aria-busy');
  }
}

/**
 * Returns the reply as an object; an empty or non-JSON body gives an empty one, because its status says all.
 * @param {string} text
 * @returns {Answer}
 */
function answerOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * Returns the outcome of a call in a few words; for a delivery, its receiver's response decides.
 * @param {Answer} answer
 * @returns {{ title: string, detail?: string, bad?: boolean }}
 */
function outcome({ ran, now, state, attempts, sent }) {
  if (ran) return { title: `${shortly(now ?? '')} · ${ran.length} ${ran.length === 1 ? 'job' : 'jobs'} ran` };
  if (sent === null) return { title: 'Nothing was held' };
  if (sent) return received(sent);
  return attempts && state ? received({ state, attempts }) : { title: 'Done' };
}

/**
 * Returns the latest response of a webhook's receiver.
 * @param {Delivered} delivery
 */
function received({ attempts }) {
  const last = attempts.at(-1);
  if (!last) return { title: 'It waits for its turn' };
  const { status, error } = last;
  if (status === undefined) return { title: 'The receiver did not answer', detail: error ?? '', bad: true };
  const taken = (status >= 200 && status < 300) || status === 409;
  return { title: `The receiver answered ${status}${taken ? '' : ': not delivered'}`, bad: !taken };
}

/** @param {string} iso */
const shortly = (iso) => iso.slice(0, 19).replace('T', ' ');

/**
 * Lists the jobs that an advance ran, if the page has room for them.
 * @param {Ran[]} jobs
 */
function ran(jobs) {
  const [box, count] = [$('#ran'), $('#ran-count')];
  if (!box || !count) return;
  box.closest('[hidden]')?.removeAttribute('hidden');
  box.replaceChildren(...jobs.slice(0, 500).map(lineOf));
  const cut = jobs.length > 500 ? '; the first 500' : '';
  count.textContent = jobs.length === 0 ? 'Nothing was due.' : `${jobs.length} ran, in this order${cut}.`;
}

/** @param {Ran} job */
function lineOf({ at, does, about }) {
  const row = document.createElement('tr');
  for (const part of [shortly(at), about ? linkTo(about, does) : does]) {
    const cell = document.createElement('td');
    cell.append(part);
    row.append(cell);
  }
  return row;
}

/**
 * Returns a link to the subject of a job, by its id: the server knows its page.
 * @type {(id: string, text: string) => HTMLAnchorElement}
 */
function linkTo(id, text) {
  const link = document.createElement('a');
  const { pathname, search } = new URL(body.dataset.events ?? '', location.href);
  link.href = `${pathname.replace(/\/_emulator\/events$/, '')}/inspector/id/${encodeURIComponent(id)}${search}`;
  link.textContent = text;
  return link;
}

/**
 * After an act: opens the page that the element names, or refreshes the present one.
 * @param {HTMLElement} element
 * @param {Answer | undefined} answer
 */
async function after(element, answer) {
  // A refusal means that the page was out of date; the values in a form are kept.
  if (answer === undefined && element instanceof HTMLFormElement) return;
  const then = answer === undefined ? undefined : element.dataset.then;
  if (then === 'reload') location.reload();
  else if (then) location.href = then.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(answer?.[name])));
  else await take(location.href, () => true).catch(() => {});
}

/**
 * Returns whether to go ahead: a dangerous button needs a second press.
 * @param {HTMLElement} button
 */
function sure(button) {
  if (!button.dataset.sure || button.classList.contains('sure')) return true;
  const label = button.textContent;
  button.classList.add('sure');
  button.textContent = button.dataset.sure;
  setTimeout(() => {
    button.classList.remove('sure');
    button.textContent = label;
  }, 4000);
  return false;
}

document.addEventListener('click', async (event) => {
  const button = around(event, 'button');
  if (!(button instanceof HTMLButtonElement)) return;
  const { method, url, body: sent, copy: text } = button.dataset;
  if (button.type === 'submit' && button.dataset.sure) {
    if (!sure(button)) event.preventDefault();
  } else if (button.dataset.preset) fill(button, JSON.parse(button.dataset.preset));
  else if (text !== undefined) await copy(button, text);
  else if (button.id === 'show-keys') showKeys();
  else if (method && url && sure(button) && !button.getAttribute('aria-busy'))
    await after(button, await call(button, method, url, sent ?? ''));
});

document.addEventListener('submit', async (event) => {
  const form = formAround(event, 'form[data-url]');
  const { method, url } = form?.dataset ?? {};
  if (!form || !method || !url) return;
  event.preventDefault();
  const button = event.submitter ?? $('button', form);
  if (!(button instanceof HTMLElement) || button.getAttribute('aria-busy')) return;
  if (!complete(form)) return;
  const picker = $('input[type=file]', form);
  const file = picker instanceof HTMLInputElement ? picker.files?.[0] : undefined;
  try {
    const sent = file ? await file.text() : JSON.stringify(bodyOf(form));
    await after(form, await call(button, method, url, sent));
  } catch (error) {
    toast('That cannot be sent', saying(error), true);
  }
});
