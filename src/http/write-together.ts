import type { ServerResponse } from 'node:http';
import type { Answer } from '../contract/answer.ts';
import { takes } from '../contract/shortcut.ts';
import { TURNS } from '../engine/turns.ts';
import { writeAnswer } from './node.ts';

/** The most answers that are written together, however many requests arrive in one turn. */
const MOST = 32;

/**
 * Writes the answers of one turn of the event loop one after another, at its end. Each write wakes a sleeping client,
 * which costs more than a read; a client that is awake costs nothing.
 */
export class AnswerWriter {
  /**
   * The waiting answers, with their responses in a second list. The lists are reused, because new ones each turn would
   * slow every answer down.
   */
  readonly #answers: Answer[] = [];
  readonly #responses: ServerResponse[] = [];
  readonly #most = takes('together') ? MOST : 1;
  readonly #broken: (error: unknown, outgoing: ServerResponse) => void;

  /** `broken` receives the error of an answer that could not be written. */
  constructor(broken: (error: unknown, outgoing: ServerResponse) => void) {
    this.#broken = broken;
  }

  /** Writes an answer before the next turn does any other work. */
  add(answer: Answer, outgoing: ServerResponse): void {
    this.#answers.push(answer);
    const count = this.#responses.push(outgoing);
    if (count >= this.#most) this.flush();
    else if (count === 1) TURNS.first(this.flush);
  }

  /** Writes the waiting answers in the order of their arrival. */
  readonly flush = (): void => {
    for (let i = 0; i < this.#answers.length; i += 1) {
      const outgoing = this.#responses[i] as ServerResponse;
      try {
        writeAnswer(this.#answers[i] as Answer, outgoing);
      } catch (error) {
        this.#broken(error, outgoing);
      }
    }
    this.#answers.length = 0;
    this.#responses.length = 0;
  };
}
