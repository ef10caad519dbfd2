// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share what they declare
// What the inspector's pages do by themselves: stay live, answer to keys, copy, and call the control API. These files are
// served as one script, in the order in which `assets.ts` names them. A page is readable without any of it. Nothing here
// builds HTML from data: parts of a page are fetched as the server renders them, and what an answer says is set as text.

const body = document.body;

/** @type {(selector: string, root?: ParentNode) => HTMLElement | null} */
const $ = (selector, root = document) => root.querySelector(selector);

/** @type {(selector: string, root?: ParentNode) => HTMLElement[]} */
const $$ = (selector, root = document) =>
  [...root.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement);

/**
 * What an event happened in.
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
