import { isUtf8 } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Problem } from './row.ts';

/**
 * A file that waits to be imported: its header row, and chunks of whole rows, packed as text so that a saved state can
 * hold them.
 */
export interface Packed {
  header: string;
  pieces: string[];
  /** The number of rows, without the header. */
  rows: number;
  problem?: Problem | undefined;
}

/** The most bytes and rows per chunk. One chunk is one turn of work, some milliseconds. */
const PIECE = 32 * 1024;
const MOST_ROWS = 500;
/** The longest row, in bytes. A longer one means a quotation mark without its end. */
const LONGEST_ROW = 256 * 1024;
const [NEWLINE, RETURN, QUOTE, COMMA] = [10, 13, 34, 44];

export const unpack = (piece: string): string => inflateRawSync(Buffer.from(piece, 'base64')).toString('utf8');

/** Returns whole rows packed as a chunk. */
export const packedText = (rows: string | Uint8Array): string => deflateRawSync(rows, { level: 1 }).toString('base64');

/** Returns the rows of a text without quotes; undefined if there are quotes, which need a parser. */
export function unquotedRows(text: string): string[][] | undefined {
  if (text.includes('"')) return undefined;
  const rows: string[][] = [];
  const lines = text.split('\n');
  // A carriage return at the very end does not end a row: it belongs to the last one.
  const last = lines.pop();
  for (const line of lines) {
    const row = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (row !== '') rows.push(row.split(','));
  }
  if (last) rows.push(last.split(','));
  return rows;
}

/** The state of the scan: at the start of a field, inside one, inside quotes, or right after a quote there. */
type Place = 'start' | 'field' | 'quoted' | 'closing';

/**
 * Splits a file at row ends while it arrives, holding one chunk at a time (RFC 4180: a line break in quotes ends no
 * row).
 */
export async function pack(incoming: AsyncIterable<Uint8Array>): Promise<Packed> {
  const cutter = new Cutter();
  for await (const bytes of incoming) cutter.add(bytes);
  return cutter.end();
}

/** The end of a line: an offset in `held`. A blank line counts towards a chunk's bytes but not its rows. */
interface End {
  readonly at: number;
  readonly isBlank: boolean;
}

class Cutter {
  readonly #out: Packed = { header: '', pieces: [], rows: 0 };
  #held: Buffer = Buffer.alloc(0);
  /** Offsets in `held`: how far it was read, and the end of the last whole row. */
  #seen = 0;
  #whole = 0;
  /** The ends of lines that have not been split off yet. */
  #ends: End[] = [];
  #place: Place = 'start';
  #begun = false;
  /** The byte that ends a row, once the first end was seen: old Macintosh files use a carriage return alone. */
  #ending: number | undefined;

  add(bytes: Uint8Array): void {
    if (this.#out.problem) return;
    this.#held = this.#held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes]);
    if (!this.#begun && this.#held.length < 3) return;
    this.#begin();
    this.#ending ??= this.#endingOf();
    if (this.#ending !== undefined) this.#scan(this.#ending);
    if (this.#whole >= PIECE) this.#cut({ isLast: false });
    if (this.#held.length - this.#whole > LONGEST_ROW) this.#giveTooLong();
  }

  end(): Packed {
    this.#begin();
    this.#scan(this.#ending ?? (this.#held.includes(NEWLINE) ? NEWLINE : RETURN));
    if (this.#held.length > this.#whole) this.#row(this.#whole, this.#held.length);
    if (!this.#out.problem && this.#place === 'quoted') this.#give('unclosed_quote', 'a quoted field never ends');
    this.#whole = this.#held.length;
    if (!this.#out.problem) this.#cut({ isLast: true });
    if (!this.#out.problem && this.#out.header === '') this.#give('empty_file', 'the file has no header row');
    return this.#out;
  }

  #give(reason: string, message: string): void {
    this.#out.problem = { reason, message };
    // What was read so far may be what cannot be read.
    this.#out.header = '';
    this.#out.pieces = [];
    this.#held = Buffer.alloc(0);
    this.#seen = this.#whole = 0;
    this.#ends = [];
  }

  #giveTooLong(): void {
    this.#give('record_too_long', `a row is longer than ${LONGEST_ROW} bytes; a quote may be missing`);
  }

  /** Drops a byte order mark: it is not part of the first column's name. */
  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    if (this.#held[0] === 0xef && this.#held[1] === 0xbb && this.#held[2] === 0xbf) this.#held = this.#held.subarray(3);
  }

  /** Returns the byte that ends rows, from the first end outside quotes; undefined until that end was seen whole. */
  #endingOf(): number | undefined {
    let quoted = false;
    for (let at = 0; at < this.#held.length; at += 1) {
      const byte = this.#held[at];
      if (byte === QUOTE) quoted = !quoted;
      else if (quoted) continue;
      else if (byte === NEWLINE) return NEWLINE;
      else if (byte === RETURN && at + 1 < this.#held.length) return this.#held[at + 1] === NEWLINE ? NEWLINE : RETURN;
    }
    return undefined;
  }

  #scan(ending: number): void {
    const bytes = this.#held;
    if (this.#place !== 'quoted' && this.#place !== 'closing' && bytes.indexOf(QUOTE, this.#seen) < 0) {
      for (let at = bytes.indexOf(ending, this.#seen); at >= 0; at = bytes.indexOf(ending, at + 1)) this.#endRow(at);
      const last = bytes[bytes.length - 1];
      if (bytes.length > this.#seen) this.#place = last === NEWLINE || last === COMMA ? 'start' : 'field';
    } else this.#scanQuotes(bytes, ending);
    this.#seen = bytes.length;
  }

  #scanQuotes(bytes: Buffer, ending: number): void {
    let place = this.#place;
    for (let at = this.#seen; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (place === 'quoted') {
        if (byte === QUOTE) place = 'closing';
      } else if (byte === QUOTE && place !== 'field') place = 'quoted';
      else if (byte === COMMA) place = 'start';
      else if (byte === ending) {
        place = 'start';
        this.#endRow(at);
      } else place = 'field';
    }
    this.#place = place;
  }

  /** Ends a row here; whatever ended it, it is packed with a newline. */
  #endRow(at: number): void {
    if (this.#out.problem) return;
    if (at - this.#whole > LONGEST_ROW) {
      this.#giveTooLong();
      return;
    }
    this.#row(this.#whole, at);
    this.#held[at] = NEWLINE;
    this.#whole = at + 1;
  }

  /** Counts one whole row. Blank lines do not count, and the first row is the header. */
  #row(from: number, to: number): void {
    const isBlank = to === from || (to === from + 1 && (this.#held[from] === RETURN || this.#held[from] === NEWLINE));
    if (this.#out.header !== '' && !isBlank) this.#out.rows += 1;
    if (this.#out.header === '' && !isBlank)
      this.#out.header = this.#held.toString('utf8', from, to).replace(/\r$/, '');
    if (this.#out.header !== '') this.#ends.push({ at: to + 1, isBlank });
  }

  /**
   * Packs whole chunks, and at the end the rest. Chunks do not depend on how the bytes arrived, because each is a job
   * with an id. The header row is at the head of the first chunk, and skipped there.
   */
  #cut({ isLast }: { isLast: boolean }): void {
    if (!isUtf8(this.#held.subarray(0, this.#whole))) {
      this.#give('not_utf8', 'the file is not UTF-8');
      return;
    }
    let [from, rows] = [0, 0];
    let left: End[] = [];
    for (const end of this.#ends) {
      if (!end.isBlank) rows += 1;
      left.push(end);
      if (rows < MOST_ROWS && end.at - from < PIECE) continue;
      this.#pack(from, end.at);
      [from, rows, left] = [end.at, 0, []];
    }
    if (isLast) {
      // Blank lines before the header make no chunk: the first chunk begins with the header.
      if (this.#out.header !== '') this.#pack(from, this.#whole);
      left = [];
    }
    if (left.length === 0) from = this.#whole;
    this.#ends = left.map(({ at, isBlank }) => ({ at: at - from, isBlank }));
    this.#held = Buffer.from(this.#held.subarray(from));
    this.#seen -= from;
    this.#whole -= from;
  }

  #pack(from: number, to: number): void {
    const bytes = this.#held.subarray(from, to);
    if (bytes.length > 0) this.#out.pieces.push(packedText(bytes));
  }
}
