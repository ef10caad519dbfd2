import { stopwatch } from '../engine/clock.ts';
import { printable } from './text.ts';

/** The characters of the bar. */
const WIDTH = 24;
/** Real milliseconds between two lines, without a terminal for a bar. */
const LINE_MS = 1000;
/** The share that has to be done before the remaining time is worth printing. */
const ENOUGH = 0.02;

/** The sequence that clears the line with the cursor. */
const CLEAR = '\r\u001b[2K';

interface Rows {
  readonly sandbox: string;
  readonly done: number;
  readonly total: number;
}

/**
 * Returns a bar with the percentage and, once it is known, the remaining time. `ms` are real milliseconds since the
 * beginning.
 */
export function bar({ sandbox, done, total }: Rows, ms: number): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1);
  const full = Math.round(share * WIDTH);
  const left = share < ENOUGH ? '' : `, ${Math.ceil((ms / share - ms) / 1000)} s left`;
  const drawn = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
  return `filling ${printable(sandbox)} ${drawn} ${Math.floor(share * 100)} %${left}`;
}

/** Shows the progress of sandboxes that are being filled: a bar in a terminal, otherwise a line per second. */
export class Progress {
  readonly #draw: ((text: string) => void) | undefined;
  readonly #line: (rows: Rows) => void;
  readonly #now: () => number;
  readonly #began = new Map<string, number>();
  #last = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  /** `draw` writes to a terminal, if there is one; `line` prints a line. */
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

  /** Removes the bar, because something else is printed now. */
  clear(): void {
    if (this.#isDrawn) this.#draw?.(CLEAR);
    this.#isDrawn = false;
  }
}
