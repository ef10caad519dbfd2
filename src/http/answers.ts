import type { ServerResponse } from 'node:http';
import { nextTurn } from '../engine/next-turn.ts';

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
  #ready: Ready[] = [];
  #isDue = false;
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
    nextTurn(() => {
      this.#isDue = false;
      this.write();
    });
  }

  /** Write an answer with its whole text before this turn ends. */
  add(outgoing: ServerResponse, status: number, text: string, headers: Record<string, string>): void {
    this.#ready.push({ outgoing, status, text, headers });
    if (this.#ready.length >= this.#most) this.write();
    else this.expect();
  }

  /** Write what is ready now: something that may take long comes next. Nothing is written where nobody is left to read it. */
  write(): void {
    if (this.#ready.length === 0) return;
    const ready = this.#ready;
    this.#ready = [];
    for (const { outgoing, status, text, headers } of ready) {
      if (outgoing.destroyed) continue;
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
  }
}
