import type { ServerResponse } from 'node:http';
import { TURNS } from '../engine/turns.ts';

interface Ready {
  readonly outgoing: ServerResponse;
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string>;
}

/** Answers that wait for one another at most, however many more requests came in the same turn. */
const MOST = 32;

/**
 * Answers of one turn of the event loop, written one after the other at its end. Each write wakes a client that sleeps, which
 * costs more than a whole read does; a client that is awake already costs nothing.
 */
export class Answers {
  /** As long as the most that ever waited; a list made anew each turn would cost every answer one. */
  readonly #ready: (Ready | undefined)[] = [];
  #count = 0;
  #isDue = false;
  readonly #due = (): void => {
    this.#isDue = false;
    this.write();
  };
  readonly #broken: (error: unknown) => void;
  readonly #most: number;

  /** `broken` is told what an answer could not be written for; with 1 for `most` none waits for another. */
  constructor(broken: (error: unknown) => void, most = MOST) {
    this.#broken = broken;
    this.#most = most;
  }

  /** A request has come: what answers it in this turn is written before the work that its answer leads to begins. */
  expect(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // Others' work may be due in this turn already: what this answer leads to joins it.
    TURNS.before(this.#due);
  }

  /** Write an answer with its whole text before this turn ends. */
  add(outgoing: ServerResponse, status: number, text: string, headers: Record<string, string>): void {
    this.#ready[this.#count] = { outgoing, status, text, headers };
    this.#count += 1;
    if (this.#count >= this.#most) this.write();
    else this.expect();
  }

  /** Write what is ready now: something that may take long comes next. Nothing is written where nobody is left to read it. */
  write(): void {
    for (let i = 0; i < this.#count; i += 1) {
      const ready = this.#ready[i];
      this.#ready[i] = undefined;
      if (!ready || ready.outgoing.destroyed) continue;
      const { outgoing, status, text, headers } = ready;
      try {
        if (status === 204) outgoing.writeHead(status, headers).end();
        else {
          headers['content-length'] = String(Buffer.byteLength(text));
          outgoing.writeHead(status, headers).end(text);
        }
      } catch (error) {
        this.#broken(error);
        outgoing.destroy();
      }
    }
    this.#count = 0;
  }
}
