import type { ServerResponse } from 'node:http';
import type { Answer } from '../contract/answer.ts';
import { takes } from '../contract/shortcut.ts';
import { TURNS } from '../engine/turns.ts';
import { writeAnswer } from './node.ts';

/** The most answers that wait for one another, however many requests arrive in one turn. */
const MOST = 32;

interface Ready {
  readonly answer: Answer;
  readonly outgoing: ServerResponse;
}

/**
 * Writes the answers of one turn of the event loop one after another, at its end. Each write wakes a client that sleeps,
 * which costs more than a read does; a client that is awake costs nothing.
 */
export class AnswerWriter {
  #waiting: Ready[] = [];
  readonly #most = takes('together') ? MOST : 1;
  readonly #broken: (error: unknown, outgoing: ServerResponse) => void;

  /** `broken` receives the error of an answer that could not be written. */
  constructor(broken: (error: unknown, outgoing: ServerResponse) => void) {
    this.#broken = broken;
  }

  /** Writes an answer before the next turn does any other work. */
  add(answer: Answer, outgoing: ServerResponse): void {
    this.#waiting.push({ answer, outgoing });
    if (this.#waiting.length >= this.#most) this.flush();
    else if (this.#waiting.length === 1) TURNS.first(this.flush);
  }

  /** Writes what waits now, in the order in which it was added. */
  readonly flush = (): void => {
    const ready = this.#waiting;
    this.#waiting = [];
    for (const { answer, outgoing } of ready) {
      try {
        writeAnswer(answer, outgoing);
      } catch (error) {
        this.#broken(error, outgoing);
      }
    }
  };
}
