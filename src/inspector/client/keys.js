// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
/** @type {string | undefined} */
let picked;
let going = Number.NEGATIVE_INFINITY;

const rows = () => $$('[data-rows] [data-row]');
const pickedRow = () => rows().find((row) => row.dataset.row === picked);

function mark() {
  for (const row of rows()) row.classList.toggle('picked', row.dataset.row === picked);
}

/** @param {1 | -1} step */
function move(step) {
  const all = rows();
  const at = all.findIndex((row) => row.dataset.row === picked);
  const next = all.at(at < 0 ? (step > 0 ? 0 : -1) : Math.min(Math.max(at + step, 0), all.length - 1));
  if (!next) return;
  picked = next.dataset.row;
  mark();
  $('.row-link', next)?.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

/** @param {string} selector */
function toField(selector) {
  const field = $(selector);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

/**
 * The action of each key.
 * @type {Record<string, (target: EventTarget | null) => void>}
 */
const KEYS = {
  '/': () => toField('[data-slash]'),
  f: () => toField('[data-narrow]'),
  j: () => move(1),
  k: () => move(-1),
  '?': showKeys,
  g: () => {
    going = performance.now();
  },
  u: () => $('.up')?.click(),
  c: () => $('[data-key="curl"]')?.click(),
  Enter: (target) => {
    const row = target === body ? pickedRow() : undefined;
    if (row) $('.row-link', row)?.click();
  },
};
/** Keys that the browser would also use: to type, or to begin a search. */
const OURS = ['/', 'f', 'j', 'k', '?'];

/**
 * Handles the second key after `g`.
 * @param {KeyboardEvent} event
 */
function goTo(event) {
  const link = $(`[data-go="${CSS.escape(event.key)}"]`);
  if (link) event.preventDefault();
  link?.click();
}

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target instanceof HTMLElement && target.matches('input, textarea, select')) {
    if (key === 'Escape') target.blur();
    return;
  }
  if ($('dialog[open]')) return;
  const went = performance.now() - going < 1200;
  going = Number.NEGATIVE_INFINITY;
  if (went) return goTo(event);
  if (Object.hasOwn(KEYS, key)) KEYS[key]?.(target);
  if (OURS.includes(key)) event.preventDefault();
});
