import { isAscii } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';

/** The bytes from which on a file is read line by line: as one text, all of it would be in memory beside its rows. */
export const LONG = 8 * 1024 ** 2;
/** The bytes that are read at once, and whose rows are parsed together. */
const PART = 96 * 1024;

const [NEWLINE, RETURN, COMMA, OPEN, CLOSE] = [10, 13, 44, 91, 93];
/** The characters that may follow a row. */
const BETWEEN: ReadonlySet<number> = new Set([NEWLINE, RETURN, COMMA]);
/** The line that ends the rows. */
const LAST = '\n]';

interface Reading {
  tables: { rows: unknown[] }[];
  sandboxes?: { state: Reading }[];
}

/** Reads a state in the layout in which states are written, part by part. Throws as `JSON.parse` does. */
export async function readByLine(path: string): Promise<unknown> {
  const lines = new Lines();
  const file = await open(path);
  try {
    for await (const part of partsOf(file)) lines.read(part);
  } finally {
    await file.close();
  }
  return lines.end();
}

/**
 * Returns whole lines of a file, many at once, after one spare byte. One buffer serves for all: a new one each time
 * would make the garbage collector scan all rows.
 */
async function* partsOf(file: FileHandle): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(1 + 2 * PART);
  let held = 1;
  for (;;) {
    if (bytes.length - held < PART) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
    const { bytesRead } = await file.read(bytes, held, PART);
    const length = held + bytesRead;
    const end = bytesRead === 0 ? length : bytes.subarray(0, length).lastIndexOf(NEWLINE) + 1;
    if (end > 1) yield bytes.subarray(0, end);
    if (bytesRead === 0) return;
    bytes.copyWithin(1, Math.max(1, end), length);
    held = length - Math.max(1, end) + 1;
  }
}

/** Returns bytes as text. ASCII takes one byte per character, and is parsed twice as fast. */
const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');

/** Returns the object that a line begins if it ends with the start of a list, which is still empty. */
function opened(line: string, list: string, rest: string): unknown {
  if (!line.endsWith(`"${list}":[`)) throw new SyntaxError(`a line that begins no list of ${list}`);
  return JSON.parse(line + rest);
}

/** A state that is built from its lines: a table is a line, then a line for each row, then its end. */
class Lines {
  #state: Reading | undefined;
  /** The state whose tables are being read, and the rows of its present table. */
  #current: Reading | undefined;
  #rows: unknown[] | undefined;
  #ended = false;
  /** True if a comma follows the last element of a list, false if none does; undefined at its start. */
  #comma: boolean | undefined;

  read(bytes: Buffer): void {
    for (let at = 1; at < bytes.length; ) {
      if (this.#rows && bytes[at] !== CLOSE) {
        const end = bytes.indexOf(LAST, at);
        const next = end < 0 ? bytes.length : end + 1;
        this.#rowsOf(bytes, at, next);
        at = next;
        continue;
      }
      const end = bytes.indexOf(NEWLINE, at);
      const next = end < 0 ? bytes.length : end + 1;
      this.#line(bytes.toString('utf8', at, next).trimEnd());
      at = next;
    }
  }

  #rowsOf(bytes: Buffer, from: number, to: number): void {
    const { rows, commas } = rowsIn(bytes, from, to);
    if (rows.length === 0 && commas === 0) return;
    this.#begins();
    if (rows.length === 0 || commas > 1) throw new SyntaxError('a comma with nothing before it');
    for (const row of rows) this.#rows?.push(row);
    this.#comma = commas > 0;
  }

  /** Begins another element of a list: a comma must precede it, except for the first. */
  #begins(): void {
    if (this.#comma === false) throw new SyntaxError('no comma where one belongs');
    this.#comma = undefined;
  }

  /** Ends a list: no comma may precede the end. */
  #ends(isFollowed: boolean | undefined): void {
    if (this.#comma === true) throw new SyntaxError('a comma with nothing behind it');
    this.#comma = isFollowed;
  }

  #line(line: string): void {
    const isFollowed = line.endsWith(',');
    const text = isFollowed ? line.slice(0, -1) : line;
    if (this.#ended) {
      if (line !== '') throw new SyntaxError('it goes on behind its end');
    } else if (!this.#state) this.#current = this.#state = opened(line, 'tables', ']}') as Reading;
    else if (text === ']}' && this.#rows) {
      this.#ends(isFollowed);
      this.#rows = undefined;
    } else if (text === ']}}' && this.#current) {
      this.#ends(isFollowed);
      this.#current = undefined;
    } else if (line === ']}') {
      if (this.#current && this.#state.sandboxes) throw new SyntaxError('a sandbox ends before its end');
      this.#ends(undefined);
      this.#ended = true;
    } else if (line === '],"sandboxes":[' && !this.#state.sandboxes) {
      this.#ends(undefined);
      [this.#state.sandboxes, this.#current] = [[], undefined];
    } else if (this.#current) {
      this.#begins();
      const table = opened(line, 'rows', ']}') as { rows: unknown[] };
      this.#current.tables.push(table);
      this.#rows = table.rows;
    } else {
      this.#begins();
      const sandbox = opened(line, 'tables', ']}}') as { state: Reading };
      this.#state.sandboxes?.push(sandbox);
      this.#current = sandbox.state;
    }
  }

  /** Returns the whole state. */
  end(): unknown {
    if (!this.#ended) throw new SyntaxError('it ends before its end');
    return this.#state;
  }
}

/**
 * Returns the rows of some whole lines, and the number of commas after the last. It writes brackets around them in
 * place, over a comma and a line end.
 */
function rowsIn(bytes: Buffer, from: number, to: number): { rows: unknown[]; commas: number } {
  let end = to;
  let commas = 0;
  for (; end > from && BETWEEN.has(bytes[end - 1] as number); end -= 1) if (bytes[end - 1] === COMMA) commas += 1;
  if (end === to) return { rows: JSON.parse(`[${textOf(bytes.subarray(from, to))}]`) as unknown[], commas };
  bytes[from - 1] = OPEN;
  bytes[end] = CLOSE;
  return { rows: JSON.parse(textOf(bytes.subarray(from - 1, end + 1))) as unknown[], commas };
}
