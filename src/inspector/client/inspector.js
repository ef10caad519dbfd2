// What the inspector's pages do by themselves: stay live, answer to keys, copy, and call the control API.
// A page is readable without any of it. Nothing here builds HTML from data: parts of a page are fetched as the server
// renders them, and what an answer says is set as text.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Real milliseconds between two looks at the page, however much happens meanwhile. */
const PAUSE = 450;
const body = document.body;

// ---- Live ----

const due = new Set();
let waiting;
let looking = false;
let last = 0;

const regions = () => $$('[data-live]').filter((region) => region.dataset.live !== '');
const wants = (region, news) => region.dataset.live.split(' ').includes(news);

function happened(news) {
  if (!regions().some((region) => wants(region, news))) return;
  due.add(news);
  schedule();
}

function schedule() {
  if (waiting || looking || document.hidden) return;
  waiting = setTimeout(look, Math.max(0, last + PAUSE - performance.now()));
}

/** Fetch the page again and take over the parts that some news is about. */
async function look() {
  waiting = undefined;
  if (busyReading()) {
    waiting = setTimeout(look, PAUSE);
    return;
  }
  const news = [...due];
  due.clear();
  looking = true;
  try {
    await take(location.href, (region) => news.some((one) => wants(region, one)));
  } catch {
    // The stream says when the emulator is back, and everything is looked at again then.
  } finally {
    looking = false;
    last = performance.now();
    if (due.size > 0) schedule();
  }
}

/** Text that somebody is marking, or a field in use inside a live part, must not be taken away. */
function busyReading() {
  const selection = getSelection();
  const inside = (node) => node && (node.nodeType === 1 ? node : node.parentElement)?.closest('[data-live]');
  if (selection && !selection.isCollapsed && inside(selection.anchorNode)) return true;
  const { activeElement } = document;
  return Boolean(activeElement?.matches('input, select, textarea') && inside(activeElement));
}

async function take(url, chosen) {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const region of $$('[data-live]')) {
    const now = region.id && fresh.getElementById(region.id);
    if (now && chosen(region)) swap(region, now);
  }
}

function swap(region, now) {
  if (region.innerHTML === now.innerHTML) return;
  const held = region.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
  const open = new Set($$('details[open][id]', region).map((details) => details.id));
  const known = new Set($$('[data-row]', region).map((row) => row.dataset.row));
  region.replaceChildren(...[...now.childNodes].map((node) => document.importNode(node, true)));
  region.dataset.live = now.dataset.live;
  for (const details of $$('details[id]', region)) details.open ||= open.has(details.id);
  if (known.size > 0)
    for (const row of $$('[data-row]', region)) if (!known.has(row.dataset.row)) row.classList.add('fresh');
  mark();
  if (held)
    $$('a, button', region)
      .find((element) => keyOf(element) === held)
      ?.focus({ preventScroll: true });
  tick();
}

const keyOf = (element) =>
  element.dataset?.key ?? element.dataset?.body ?? element.getAttribute?.('href') ?? element.textContent;

const NEWS = ['request', 'fact', 'delivery', 'clock', 'reset', 'faults'];
let stream;

function connect() {
  if (stream || document.hidden) return;
  stream = new EventSource(body.dataset.events);
  let lost = false;
  stream.onopen = () => {
    say('on', 'Live');
    if (lost) for (const one of NEWS) happened(one);
    lost = false;
  };
  stream.onerror = () => {
    lost = true;
    say('lost', 'Reconnecting');
    if (stream?.readyState === EventSource.CLOSED) {
      stream = undefined;
      setTimeout(connect, 3000);
    }
  };
  for (const one of NEWS) stream.addEventListener(one, () => happened(one));
  // A reader that was too slow is told that it missed some: then everything may have changed.
  stream.addEventListener('missed', () => NEWS.forEach(happened));
}

function say(state, text) {
  const live = $('#live');
  if (!live) return;
  live.dataset.state = state;
  $('#live-text').textContent = text;
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    stream?.close();
    stream = undefined;
    say('off', 'Paused');
    return;
  }
  connect();
  for (const one of NEWS) happened(one);
});
addEventListener('pagehide', () => {
  stream?.close();
  stream = undefined;
});
addEventListener('pageshow', connect);

// ---- The clock in the corner ----

let shownAt = performance.now();
let shownNow;
function tick() {
  const time = $('#now time');
  if (!time) return;
  if (time.dataset.now !== shownNow) [shownNow, shownAt] = [time.dataset.now, performance.now()];
  const speed = Number(time.dataset.speed);
  if (!speed) return;
  const now = new Date(Date.parse(shownNow) + (performance.now() - shownAt) * speed);
  if (Number.isNaN(now.getTime())) return;
  const iso = now.toISOString();
  time.firstChild.textContent = `${iso.slice(0, 10)} `;
  $('b', time).textContent = iso.slice(11, 19);
  const big = $('.big-time time');
  if (big) {
    big.firstChild.textContent = `${iso.slice(0, 10)} `;
    $('b', big).textContent = iso.slice(11, 19);
  }
}
setInterval(tick, 1000);

// ---- Saying what was done ----

function toast(title, detail, bad = false) {
  const made = document.createElement('div');
  made.className = bad ? 'toast bad' : 'toast';
  const strong = document.createElement('b');
  strong.textContent = title;
  made.append(strong);
  if (detail) {
    const code = document.createElement('code');
    code.textContent = detail;
    made.append(code);
  }
  const box = $('#toast');
  while (box.children.length > 2) box.firstChild.remove();
  box.append(made);
  setTimeout(() => made.remove(), bad ? 12000 : 5000);
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    // No permission, or not a secure context: the old way.
    const area = document.createElement('textarea');
    area.value = button.dataset.copy;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  button.classList.add('done');
  setTimeout(() => button.classList.remove('done'), 1200);
  toast('Copied', button.dataset.copy.length > 160 ? `${button.dataset.copy.slice(0, 160)}…` : button.dataset.copy);
}

// ---- Calls of the control API ----

/** What a form says, as the body of a call: `a.b` is a member of a member, empty fields are left out. */
function bodyOf(form) {
  const made = JSON.parse(form.dataset.body ?? '{}');
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.closest('[hidden]')) continue;
    const kind = field.dataset.as ?? field.type;
    let value = field.value.trim();
    if (kind === 'checkbox') {
      if (!field.checked) continue;
      value = true;
    } else if (kind === 'radio') {
      if (!field.checked) continue;
    } else if (value === '') {
      if (field.dataset.empty === undefined) continue;
      value = JSON.parse(field.dataset.empty);
    } else if (kind === 'number') value = Number(value);
    else if (kind === 'json') value = JSON.parse(value);
    const steps = field.name.split('.');
    let at = made;
    for (const step of steps.slice(0, -1)) at = Object.hasOwn(at, step) ? at[step] : (at[step] = {});
    at[steps.at(-1)] = value;
  }
  return made;
}

async function call(button, method, url, sent) {
  const text = sent === undefined ? '' : typeof sent === 'string' ? sent : JSON.stringify(sent);
  const line = `${method} ${url}${text && text.length < 400 ? ` ${text}` : ''}`;
  button.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(url, {
      method,
      ...(text ? { body: text, headers: { 'content-type': 'application/json' } } : {}),
    });
    const answer = response.status === 204 ? {} : await response.json();
    if (!response.ok) {
      toast(`${response.status} ${answer.code ?? ''}`, `${answer.message ?? ''}\n${line}`, true);
      return undefined;
    }
    toast(outcome(answer), line);
    if (Array.isArray(answer.ran)) ran(answer.ran);
    return answer;
  } catch (error) {
    toast('The emulator did not answer', `${error.message}\n${line}`, true);
    return undefined;
  } finally {
    button.removeAttribute('aria-busy');
  }
}

function outcome(answer) {
  if (Array.isArray(answer.ran)) {
    const jobs = answer.ran.length;
    return `${answer.now.slice(0, 19).replace('T', ' ')} · ${jobs} ${jobs === 1 ? 'job' : 'jobs'} ran`;
  }
  if (typeof answer.state === 'string') return `Done: ${answer.state.toLowerCase()}`;
  return 'Done';
}

/** The jobs that an advance ran, listed where the page has room for them. */
function ran(jobs) {
  const box = $('#ran');
  if (!box) return;
  box.closest('[hidden]')?.removeAttribute('hidden');
  box.replaceChildren(
    ...jobs.slice(0, 500).map(({ kind, at, payload }) => {
      const row = document.createElement('tr');
      for (const part of [at.slice(0, 19).replace('T', ' '), kind, about(payload)]) {
        const cell = document.createElement('td');
        cell.append(part);
        row.append(cell);
      }
      return row;
    }),
  );
  $('#ran-count').textContent =
    jobs.length === 0
      ? 'Nothing was due.'
      : `${jobs.length} ran, in this order${jobs.length > 500 ? '; the first 500' : ''}.`;
}

/** What a job is about; a webhook is a link. */
function about(payload) {
  const code = document.createElement('code');
  for (const [name, value] of Object.entries(payload)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    let said = text;
    if (/^Webhook:[0-9a-f-]+$/.test(text)) {
      said = document.createElement('a');
      said.href = `/inspector/webhooks/${encodeURIComponent(text)}${new URL(body.dataset.events, location).search}`;
      said.textContent = text;
    }
    code.append(code.childNodes.length > 0 ? ' · ' : '', `${name} `, said);
  }
  return code;
}

/** After something was done: go where the page says, or look at what it shows now. */
async function after(element, answer) {
  if (answer === undefined) return;
  const { then } = element.dataset;
  if (then === 'reload') {
    location.reload();
  } else if (then) {
    location.href = then.replace(/%7B(\w+)%7D|\{(\w+)\}/g, (_, a, b) => encodeURIComponent(answer[a ?? b]));
  } else await take(location.href, () => true).catch(() => {});
}

/** A dangerous button asks for a second press. */
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
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.copy !== undefined) copy(button);
  else if (button.id === 'show-keys') $('#keys').showModal();
  else if (button.dataset.url && button.type === 'button') {
    if (!sure(button) || button.getAttribute('aria-busy')) return;
    const { method, url } = button.dataset;
    let sent = button.dataset.body;
    if (button.dataset.from) sent = await (await fetch(button.dataset.from)).text();
    after(button, await call(button, method, url, sent));
  }
});

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.dataset.url) return;
  event.preventDefault();
  const button = event.submitter ?? $('button', form);
  let sent;
  try {
    const [file] = form.querySelector('input[type=file]')?.files ?? [];
    sent = file ? await file.text() : bodyOf(form);
  } catch (error) {
    toast('That is not JSON', error.message, true);
    return;
  }
  const url = form.dataset.url.replace(/\{(\w+)\}|%7B(\w+)%7D/g, (_, a, b) => {
    const value = sent[a ?? b];
    delete sent[a ?? b];
    return encodeURIComponent(value);
  });
  after(form, await call(button, form.dataset.method, url, sent));
});

/** The line under some buttons or a form says which call they would make. */
function hint(element) {
  const scope = element.closest('form[data-url]') ?? element;
  const { method, url } = scope.dataset;
  if (!url) return;
  const line = scope.matches('form') ? $('.hint', scope) : nearestHint(element);
  if (!line) return;
  let sent = scope.dataset.body;
  if (scope.matches('form')) {
    try {
      sent = JSON.stringify(bodyOf(scope));
    } catch {
      return;
    }
  }
  $('code', line).textContent = `${method} ${url}${sent ? ` ${sent}` : ''}`;
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const verb = method === 'POST' && sent ? '' : `-X ${method} `;
  $('.copy', line).dataset.copy = `curl -s ${verb}${quote(location.origin + url)}${sent ? ` -d ${quote(sent)}` : ''}`;
}

function nearestHint(element) {
  for (let at = element.parentElement; at && at !== body; at = at.parentElement) {
    const line = [...at.children].find((child) => child.classList.contains('hint'));
    if (line) return line;
  }
  return undefined;
}

for (const event of ['pointerover', 'focusin', 'input', 'change'])
  document.addEventListener(event, ({ target }) => {
    const element = target.closest?.('button[data-url], form[data-url]');
    if (element) hint(element);
  });

// ---- Filter ----

let typing;
function filter(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== '') query.set(name, value);
  const text = query.toString();
  const url = `${form.getAttribute('action')}${text ? `?${text}` : ''}`;
  history.replaceState(null, '', url);
  take(url, (region) => region.id === form.dataset.filter).catch(() => {});
}
document.addEventListener('input', ({ target }) => {
  const form = target.closest?.('form[data-filter]');
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => filter(form), target.type === 'search' ? 160 : 0);
});
// The cross in the field, and Escape in some browsers, empty it without a word of input.
document.addEventListener('search', ({ target }) => {
  const form = target.closest?.('form[data-filter]');
  if (form) filter(form);
});
document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[data-filter]');
  if (!form) return;
  event.preventDefault();
  filter(form);
});
document.addEventListener('change', ({ target }) => {
  if (target.matches?.('[data-submit]')) target.form.submit();
  const shows = target.dataset?.shows;
  if (shows !== undefined)
    for (const part of $$('[data-when]', target.form)) part.hidden = part.dataset.when !== target.value;
});

// ---- Keys ----

let picked;
const rows = () => $$('[data-rows] [data-row]');

function mark() {
  for (const row of rows()) row.classList.toggle('picked', row.dataset.row === picked);
}

function move(step) {
  const all = rows();
  if (all.length === 0) return;
  const at = all.findIndex((row) => row.dataset.row === picked);
  const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)];
  picked = next.dataset.row;
  mark();
  $('.row-link', next)?.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

let going = Number.NEGATIVE_INFINITY;
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target.matches('input, textarea, select')) {
    if (key === 'Escape') target.blur();
    return;
  }
  if ($('dialog[open]')) return;
  const went = performance.now() - going < 1200;
  going = Number.NEGATIVE_INFINITY;
  if (went) {
    const link = $(`[data-go="${CSS.escape(key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
    return;
  }
  const done = () => event.preventDefault();
  if (key === '/') {
    const field = $('[data-slash]');
    if (field) {
      done();
      field.focus();
      field.select();
    }
  } else if (key === 'j' || key === 'k') {
    done();
    move(key === 'j' ? 1 : -1);
  } else if (key === 'Enter' && picked && target === body) {
    rows()
      .find((row) => row.dataset.row === picked)
      ?.querySelector('.row-link')
      ?.click();
  } else if (key === 'g') going = performance.now();
  else if (key === 'u') $('.up')?.click();
  else if (key === 'c') $('[data-key="curl"]')?.click();
  else if (key === '?') {
    done();
    $('#keys').showModal();
  }
});

for (const form of $$('form[data-url]')) hint(form);
// Scrolled by hand: scrollIntoView would also move the place that the first Tab starts from.
const here = $('.menu a[aria-current]');
if (here) here.closest('.menu').scrollLeft = here.offsetLeft - innerWidth / 3;
connect();
tick();
