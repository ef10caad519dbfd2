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

interface Reading {
  tables: { rows: unknown[] }[];
  sandboxes?: { state: Reading }[];
}

/** Read a state of this layout line by line: for files that are longer than a text can be. Throws what `JSON.parse` does. */
export async function readByLine(path: string): Promise<unknown> {
  const [{ createReadStream }, { createInterface }] = await Promise.all([import('node:fs'), import('node:readline')]);
  let state: Reading | undefined;
  /** The state whose tables are read, and the rows of the table that is. */
  let current: Reading | undefined;
  let rows: unknown[] | undefined;
  let ended = false;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const text = line.endsWith(',') ? line.slice(0, -1) : line;
    if (!state) current = state = JSON.parse(`${text}]}`) as Reading;
    else if (text === ']}' && rows) rows = undefined;
    else if (text === ']}') ended = true;
    else if (rows) rows.push(JSON.parse(text));
    else if (text === '],"sandboxes":[') [state.sandboxes, current] = [[], undefined];
    else if (text === ']}}') current = undefined;
    else if (current) {
      const table = JSON.parse(`${text}]}`) as { rows: unknown[] };
      current.tables.push(table);
      rows = table.rows;
    } else {
      const sandbox = JSON.parse(`${text}]}}`) as { state: Reading };
      state.sandboxes?.push(sandbox);
      current = sandbox.state;
    }
  }
  if (!ended) throw new SyntaxError('it ends before its end');
  return state;
}
