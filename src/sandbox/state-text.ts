import { tick } from '../engine/signal.ts';
import type { Snapshot } from '../engine/world.ts';
import type { SavedSandbox } from './saved.ts';

/** The most bytes that can be one text; Node ends at 2^29. */
export const LONGEST_TEXT = 500 * 1024 ** 2;
/** Characters of a piece, about. */
const PIECE = 256 * 1024;

/** The text between two rows. */
export const BETWEEN = ',\n';

/** Texts that follow each other, and how many characters they have: to write them one by one costs less than to make them one. */
export interface Piece {
  readonly texts: readonly string[];
  readonly length: number;
}

/**
 * A state as JSON, a row a line: two of them can be compared line by line, and one may be longer than a text can be.
 * In pieces; the order never changes. The other sandboxes of a state file follow the tables.
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

/** A state but for its last bracket, behind what precedes it on its first line. */
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

/** A state as a body that is made while it is read. */
export function streamOf(snapshot: Snapshot): ReadableStream<Uint8Array> {
  const pieces = piecesOf(snapshot);
  const encoder = new TextEncoder();
  return new ReadableStream({
    // A turn for each: a reader within the process, or one that is fast, would have all of them in one.
    async pull(controller) {
      await tick();
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.texts.join('')));
    },
  });
}
