// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
/** Real milliseconds between two refreshes of the page, however much happens between them. */
const PAUSE = 450;
const NEWS = ['request', 'fact', 'delivery', 'clock', 'reset', 'faults'];

/** @type {Set<string>} */
const due = new Set();
/** @type {number | undefined} */
let waiting;
let looking = false;
let last = 0;

const regions = () => $$('[data-live]').filter((region) => region.dataset.live !== '');

/** @type {(region: HTMLElement, news: string) => boolean} */
const wants = (region, news) => region.dataset.live?.split(' ').includes(news) ?? false;

/** @param {string} news */
function happened(news) {
  if (!regions().some((region) => wants(region, news))) return;
  due.add(news);
  schedule();
}

function schedule() {
  if (waiting || looking || document.hidden) return;
  waiting = setTimeout(look, Math.max(0, last + PAUSE - performance.now()));
}

/** Fetches the page again and replaces the parts that some news is about. */
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
    // The stream reports when the emulator is back, and everything is refreshed then.
  } finally {
    looking = false;
    last = performance.now();
    if (due.size > 0) schedule();
  }
}

/** Returns whether a refresh would take away selected text, or a field in use inside a live part. */
function busyReading() {
  const selection = getSelection();
  /** @param {Node | null | undefined} node */
  const inside = (node) => (node instanceof Element ? node : node?.parentElement)?.closest('[data-live]');
  if (selection && !selection.isCollapsed && inside(selection.anchorNode)) return true;
  const { activeElement } = document;
  return Boolean(activeElement?.matches('input:not([type=checkbox]), select, textarea') && inside(activeElement));
}

/**
 * @param {string} url
 * @param {(region: HTMLElement) => boolean} chosen
 */
async function take(url, chosen) {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  // Signed out: the login page has no part of this one.
  if (response.status === 401) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  await released();
  for (const region of $$('[data-live]')) {
    const now = region.id && fresh.getElementById(region.id);
    if (now && chosen(region)) swap(region, now);
  }
}

/**
 * @param {HTMLElement} region
 * @param {HTMLElement} now
 */
function swap(region, now) {
  if (region.innerHTML === now.innerHTML) return;
  const { activeElement } = document;
  const held = activeElement && region.contains(activeElement) ? keyOf(activeElement) : undefined;
  const open = new Set($$('details[open][id]', region).map((details) => details.id));
  const chosen = new Set(boxes(region).flatMap((box) => (box.checked ? box.value : [])));
  const armed = new Set($$('button.sure', region).map(pressOf));
  const known = new Set($$('[data-row]', region).map((row) => row.dataset.row));
  region.replaceChildren(...[...now.childNodes].map((node) => document.importNode(node, true)));
  region.dataset.live = now.dataset.live ?? '';
  for (const details of $$('details[id]', region)) if (open.has(details.id)) details.setAttribute('open', '');
  for (const box of boxes(region)) if (chosen.has(box.value)) box.checked = true;
  // A refresh between two presses: the second one still counts.
  for (const button of $$('button[data-sure]', region)) if (armed.has(pressOf(button))) sure(button);
  if (known.size > 0)
    for (const row of $$('[data-row]', region)) if (!known.has(row.dataset.row)) row.classList.add('fresh');
  mark();
  for (const form of $$('form[data-url]', region)) hint(form);
  for (const button of $$('button[data-url]')) if (pressOf(button) === hinted) hint(button);
  if (held)
    $$('a, button, input', region)
      .find((element) => keyOf(element) === held)
      ?.focus({ preventScroll: true });
  tick();
}

/**
 * Returns the checkboxes of the lines.
 * @type {(region: ParentNode) => HTMLInputElement[]}
 */
const boxes = (region) =>
  /** @type {HTMLInputElement[]} */ ($$('.choose input', region).filter((box) => box instanceof HTMLInputElement));

/**
 * Returns the act of a button that needs a second press, whatever its present label.
 * @param {HTMLElement} button
 */
const pressOf = (button) =>
  [
    button.dataset.url,
    button.dataset.body,
    button.dataset.sure,
    button.closest('form')?.getAttribute('aria-label'),
  ].join(' ');

/** @param {Element} element */
const keyOf = (element) =>
  element.getAttribute('data-key') ??
  element.getAttribute('data-body') ??
  element.getAttribute('href') ??
  element.textContent;

/** @type {EventSource | undefined} */
let stream;

function connect() {
  if (stream || document.hidden) return;
  const opened = new EventSource(body.dataset.events ?? '');
  stream = opened;
  let lost = false;
  opened.onopen = () => {
    say('on', 'Live');
    back();
    if (lost) for (const one of NEWS) happened(one);
    lost = false;
  };
  opened.onerror = () => {
    lost = true;
    say('lost', 'Reconnecting');
    gone();
    if (stream?.readyState === EventSource.CLOSED) {
      stream = undefined;
      setTimeout(connect, 3000);
    }
  };
  for (const one of NEWS) opened.addEventListener(one, () => happened(one));
  // The stream reports to a reader that was too slow that it missed some: everything may have changed.
  opened.addEventListener('missed', () => NEWS.forEach(happened));
}

/** The real time at which the emulator stopped answering; empty while it answers. */
let goneAt = '';

/** Shows over the whole page that it is out of date, until the emulator is back. */
function gone() {
  const bar = $('#gone');
  if (!bar || goneAt) return;
  goneAt = new Date().toLocaleTimeString('en-GB');
  bar.textContent = `The emulator has stopped; what you see is as of ${goneAt}. This page goes on when it is back.`;
  bar.hidden = false;
}

function back() {
  const bar = $('#gone');
  goneAt = '';
  if (bar) bar.hidden = true;
}

function disconnect() {
  stream?.close();
  stream = undefined;
}

/** @type {(state: 'on' | 'off' | 'lost', text: string) => void} */
function say(state, text) {
  const [live, said] = [$('#live'), $('#live-text')];
  if (!live || !said) return;
  live.dataset.state = state;
  said.textContent = text;
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    disconnect();
    say('off', 'Paused');
    return;
  }
  connect();
  for (const one of NEWS) happened(one);
});
addEventListener('pagehide', disconnect);
addEventListener('pageshow', connect);
