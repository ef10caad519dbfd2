import { stopwatch } from '../engine/clock.ts';
import { printable } from './text.ts';

/** Signs of the bar. */
const WIDTH = 24;
/** Real milliseconds between two lines, where there is no terminal to draw a bar in. */
const LINE_MS = 1000;
/** The share that has to be done before the time left is worth saying. */
const ENOUGH = 0.02;

/** Clears the line in which the cursor is. */
const CLEAR = '\r\u001b[2K';

interface Rows {
  readonly sandbox: string;
  readonly done: number;
  readonly total: number;
}

/** Returns a bar with the percentage and, once it is known, the time left. `ms` are real milliseconds since the beginning. */
export function bar({ sandbox, done, total }: Rows, ms: number): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1);
  const full = Math.round(share * WIDTH);
  const left = share < ENOUGH ? '' : `, ${Math.ceil((ms / share - ms) / 1000)} s left`;
  const drawn = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
  return `filling ${printable(sandbox)} ${drawn} ${Math.floor(share * 100)} %${left}`;
}

/** The progress of sandboxes that are being filled: a bar in a terminal, else a line a second. */
export class Progress {
  readonly #draw: ((text: string) => void) | undefined;
  readonly #line: (rows: Rows) => void;
  readonly #now: () => number;
  readonly #began = new Map<string, number>();
  #last = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  /** `draw` writes to a terminal, where there is one; `line` prints a line. */
  constructor(draw: ((text: string) => void) | undefined, line: (rows: Rows) => void, now = stopwatch) {
    this.#draw = draw;
    this.#line = line;
    this.#now = now;
  }

  show(rows: Rows): void {
    const now = this.#now();
    if (!this.#draw) {
      if (now - this.#last < LINE_MS) return;
      this.#last = now;
      this.#line(rows);
      return;
    }
    const began = this.#began.get(rows.sandbox) ?? now;
    this.#began.set(rows.sandbox, began);
    if (rows.done >= rows.total) this.#began.delete(rows.sandbox);
    this.#draw(`${CLEAR}${bar(rows, now - began)}`);
    this.#isDrawn = true;
  }

  /** Take the bar away: something else is printed now. */
  clear(): void {
    if (this.#isDrawn) this.#draw?.(CLEAR);
    this.#isDrawn = false;
  }
}
