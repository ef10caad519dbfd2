import type { Snapshot } from '../engine/world.ts';
import type { SavedSandbox } from './saved.ts';

/** The most bytes that can be one text; Node ends at 2^29. */
export const LONGEST_TEXT = 500 * 1024 ** 2;
/** Characters of a piece, about. */
const PIECE = 256 * 1024;

/**
 * A state as JSON, a row a line, so that two of them can be compared line by line and one may be longer than a text can be.
 * In pieces; the order never changes. The other sandboxes of a state file follow the tables.
 */
export function* piecesOf(snapshot: Snapshot, others: Iterable<SavedSandbox> = []): Generator<string> {
  yield* stateOf(snapshot, '');
  let any = false;
  for (const { state, ...head } of others) {
    yield any ? '},\n' : ',"sandboxes":[\n';
    any = true;
    yield* stateOf(state, `${JSON.stringify(head).slice(0, -1)},"state":`);
    yield '}';
  }
  yield any ? '}\n]}\n' : '}\n';
}

/** A state but for its last bracket, behind what precedes it on its first line. */
function* stateOf({ tables, ...head }: Snapshot, before: string): Generator<string> {
  let piece = `${before}${JSON.stringify(head).slice(0, -1)},"tables":[\n`;
  for (const [i, { rows, ...table }] of tables.entries()) {
    piece += `${JSON.stringify(table).slice(0, -1)},"rows":[\n`;
    for (const [j, row] of rows.entries()) {
      piece += `${JSON.stringify(row)}${j + 1 < rows.length ? ',' : ''}\n`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    piece += `]}${i + 1 < tables.length ? ',' : ''}\n`;
  }
  yield `${piece}]`;
}

/** A state as a body that is made while it is read. */
export function streamOf(snapshot: Snapshot): ReadableStream<Uint8Array> {
  const pieces = piecesOf(snapshot);
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
