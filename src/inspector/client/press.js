// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
// A part of a page that is replaced, or moves, under a pressed button gets no click. So a refresh waits for the click.

/** The longest time between the end of a press and its click, in real milliseconds: touch screens send it late. */
const CLICK = 100;
const PRESSED = 'button, a, summary, .check, .choose';

let pressed = false;
/** @type {number | undefined} */
let ending;
/** @type {(() => void)[]} */
const refreshes = [];

function pressBegins() {
  clearTimeout(ending);
  pressed = true;
}

function pressEnds() {
  clearTimeout(ending);
  ending = setTimeout(() => {
    pressed = false;
    for (const goOn of refreshes.splice(0)) goOn();
  }, CLICK);
}

/**
 * Resolves when no mouse button, finger or space bar is down on something that takes presses.
 * @type {() => Promise<void>}
 */
const released = () => (pressed ? new Promise((resolve) => refreshes.push(resolve)) : Promise.resolve());

// Not fields: the list of a select, and a scroll bar, take the end of the press for themselves.
addEventListener('pointerdown', (event) => around(event, PRESSED) && pressBegins(), true);
for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'dragend']) addEventListener(end, pressEnds, true);
addEventListener('keydown', (event) => event.key === ' ' && around(event, PRESSED) && pressBegins(), true);
addEventListener('keyup', ({ key }) => key === ' ' && pressEnds(), true);
addEventListener('blur', pressEnds);
