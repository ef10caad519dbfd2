// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
// The script of the inspector's pages, served as one file in the order of `assets.ts`: live updates, keys, copying, and
// calls of the control API. A page is readable without it. It builds no HTML from data: the server renders the parts of
// a page, and replies are set as text.
const body = document.body;

/** @type {(selector: string, root?: ParentNode) => HTMLElement | null} */
const $ = (selector, root = document) => root.querySelector(selector);

/** @type {(selector: string, root?: ParentNode) => HTMLElement[]} */
const $$ = (selector, root = document) =>
  [...root.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement);

/**
 * Returns the closest element around an event that matches a selector.
 * @type {(event: Event, selector: string) => HTMLElement | null}
 */
const around = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/** @type {(event: Event, selector: string) => HTMLFormElement | undefined} */
const formAround = (event, selector) => {
  const form = around(event, selector);
  return form instanceof HTMLFormElement ? form : undefined;
};

/** @type {(error: unknown) => string} */
const saying = (error) => (error instanceof Error ? error.message : String(error));

/** Opens the list of keys. */
const showKeys = () => {
  const keys = $('#keys');
  if (keys instanceof HTMLDialogElement) keys.showModal();
};
