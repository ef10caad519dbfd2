import { tick } from '../engine/signal.ts';
import type { Snapshot } from '../engine/world.ts';
import type { SavedSandbox } from './saved.ts';

/** The most bytes of one text; Node's limit is 2^29. */
export const LONGEST_TEXT = 500 * 1024 ** 2;
/** The approximate number of characters in a piece. */
const PIECE = 256 * 1024;

/** The text between two rows. */
export const BETWEEN = ',\n';

/**
 * Texts that follow each other, and their number of characters: writing them one by one costs less than joining them.
 */
export interface Piece {
  readonly texts: readonly string[];
  readonly length: number;
}

/**
 * Returns a state as JSON, one row per line: two states can be compared line by line, and one may be longer than a text
 * can be. It comes in pieces; the order never changes. The other sandboxes of a state file follow the tables.
 */
export function* piecesOf(snapshot: Snapshot, others: Iterable<SavedSandbox> = []): Generator<Piece> {
  yield* stateOf(snapshot, '');
  let any = false;
  for (const { state, ...head } of others) {
    yield alone(any ? '},\n' : ',"sandboxes":[\n');
    any = true;
    yield* stateOf(state, `${JSON.stringify(head).slice(0, -1)},"state":`);
    yield alone('}');
  }
  yield alone(any ? '}\n]}\n' : '}\n');
}

const alone = (text: string): Piece => ({ texts: [text], length: text.length });

/** Returns a state without its last bracket, after the text that precedes it on its first line. */
function* stateOf({ tables, ...head }: Snapshot, before: string): Generator<Piece> {
  let texts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    texts.push(text);
    length += text.length;
  };
  add(`${before}${JSON.stringify(head).slice(0, -1)},"tables":[\n`);
  for (const [i, { rows, ...table }] of tables.entries()) {
    add(`${JSON.stringify(table).slice(0, -1)},"rows":[\n`);
    for (let j = 0; j < rows.length; j += 1) {
      add(JSON.stringify(rows[j]));
      add(j + 1 < rows.length ? BETWEEN : '\n');
      if (length < PIECE) continue;
      yield { texts, length };
      texts = [];
      length = 0;
    }
    add(`]}${i + 1 < tables.length ? BETWEEN : '\n'}`);
  }
  add(']');
  yield { texts, length };
}

/** Returns a state as a body that is made while it is read. */
export function streamOf(snapshot: Snapshot): ReadableStream<Uint8Array> {
  const pieces = piecesOf(snapshot);
  const encoder = new TextEncoder();
  return new ReadableStream({
    // A turn of the event loop for each: a reader within the process, or a fast one, would take all of them in one.
    async pull(controller) {
      await tick();
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.texts.join('')));
    },
  });
}
