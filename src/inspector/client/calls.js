// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share what they declare
/**
 * What the control API answered, as far as a page looks into it.
 * @typedef {{ kind: string, at: string, payload: Record<string, unknown> }} Ran
 * @typedef {Record<string, unknown> & { code?: string, message?: string, now?: string, state?: unknown, ran?: Ran[] }} Answer
 */

/**
 * What a form says, as the body of a call: `a.b` is a member of a member, empty fields are left out.
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
 * What a field says; nothing where it is left empty.
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
 * One call of the control API, with a word about how it went; undefined where it went wrong.
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
      toast(`${response.status} ${answer.code ?? ''}`, `${answer.message ?? ''}\n${line}`, true);
      return undefined;
    }
    toast(outcome(answer), line);
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
 * An answer without a body has nothing in it, and neither has one that is no JSON: its status says all.
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

/** @param {Answer} answer */
function outcome({ ran, now, state }) {
  if (ran) return `${shortly(now ?? '')} · ${ran.length} ${ran.length === 1 ? 'job' : 'jobs'} ran`;
  return typeof state === 'string' ? `Done: ${state.toLowerCase()}` : 'Done';
}

/** @param {string} iso */
const shortly = (iso) => iso.slice(0, 19).replace('T', ' ');

/**
 * The jobs that an advance ran, listed where the page has room for them.
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
function lineOf({ kind, at, payload }) {
  const row = document.createElement('tr');
  for (const part of [shortly(at), kind, about(payload)]) {
    const cell = document.createElement('td');
    cell.append(part);
    row.append(cell);
  }
  return row;
}

/**
 * What a job is about; a webhook is a link.
 * @param {Record<string, unknown>} payload
 */
function about(payload) {
  const code = document.createElement('code');
  for (const [name, value] of Object.entries(payload)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    code.append(
      code.childNodes.length > 0 ? ' · ' : '',
      `${name} `,
      /^Webhook:[0-9a-f-]+$/.test(text) ? hookLink(text) : text,
    );
  }
  return code;
}

/** @param {string} id */
function hookLink(id) {
  const link = document.createElement('a');
  link.href = `/inspector/webhooks/${encodeURIComponent(id)}${new URL(body.dataset.events ?? '', location.href).search}`;
  link.textContent = id;
  return link;
}

/**
 * After something was done: go where the page says, or look at what it shows now.
 * @param {HTMLElement} element
 * @param {Answer | undefined} answer
 */
async function after(element, answer) {
  if (answer === undefined) return;
  const { then } = element.dataset;
  if (then === 'reload') location.reload();
  else if (then) location.href = then.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(answer[name])));
  else await take(location.href, () => true).catch(() => {});
}

/**
 * A dangerous button asks for a second press.
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
  if (text !== undefined) await copy(button, text);
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
  const picker = $('input[type=file]', form);
  const file = picker instanceof HTMLInputElement ? picker.files?.[0] : undefined;
  try {
    const sent = file ? await file.text() : JSON.stringify(bodyOf(form));
    await after(form, await call(button, method, url, sent));
  } catch (error) {
    toast('That cannot be sent', saying(error), true);
  }
});
