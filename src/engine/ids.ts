import { type Cipher, createCipheriv, createHash } from 'node:crypto';
import { customRandom } from 'nanoid';

const POOL = 4096;
/** Characters of a UUID. */
const UUID = 36;
/** Bytes of the first chunk of a stream: most sandboxes of a test need no more. */
const FIRST = 512;
/** The number of first chunks to cache, by seed: a reset draws the same one again. */
const KEPT = 64;
const starts = new Map<string, Buffer>();
const HEX = Buffer.from('0123456789abcdef', 'latin1');
const ZEROS = Buffer.alloc(POOL);
/** Short texts are built in this buffer: one string per character would cost many times as much. */
const SCRATCH = Buffer.alloc(128);

export interface IdsState {
  seed: string;
  drawn: number;
  lastMs: number;
  tick: number;
}

/** A position in a stream to return to, including a pending switch to another stream. */
export interface IdsMark extends IdsState {
  next?: string | undefined;
}

/** The text of the last id of a type in this process; the next id overwrites it. */
interface Template {
  readonly text: Buffer;
  readonly start: number;
  /** The milliseconds that its text encodes. */
  ms: number;
}
const templates = new Map<string, Template>();

/**
 * Everything that looks random in a sandbox. The bytes are an AES-CTR key stream of the seed, so a seed and a position
 * determine the whole future. The same calls draw the same ids, and a refused call returns its bytes.
 */
export class Ids {
  #seed: string;
  /** The seed of the stream to which the next draw switches. */
  #next: string | undefined;
  #cipher: Cipher | undefined;
  #pool: Buffer = ZEROS;
  #poolAt = Number.NEGATIVE_INFINITY;
  #drawn = 0;
  #lastMs = 0;
  #tick = 0;
  /** Generators of text, by its length and alphabet. */
  #texts: Map<string, () => string> | undefined;

  constructor(seed: string) {
    this.#seed = seed;
  }

  get seed(): string {
    return this.#seed;
  }

  /** Switches to the stream of another seed with the next draw; until then nothing has changed. */
  turnTo(seed: string): void {
    this.#next = seed;
    this.#forgetPool();
  }

  #forgetPool(): void {
    this.#cipher = undefined;
    this.#poolAt = Number.NEGATIVE_INFINITY;
  }

  #seek(position: number): void {
    const piece = Math.floor(position / FIRST);
    this.#poolAt = piece * FIRST;
    const start = piece === 0 ? starts.get(this.#seed) : undefined;
    if (start) {
      this.#cipher = undefined;
      this.#pool = start;
      return;
    }
    // The key is text: validating a key of bytes takes three times as long.
    const key = createHash('sha256').update(`sandbox-emulator ids ${this.#seed}`).digest('binary').slice(0, 16);
    const iv = Buffer.alloc(16);
    iv.writeBigUInt64BE(BigInt(piece * (FIRST / 16)), 8);
    this.#cipher = createCipheriv('aes-128-ctr', key, iv, { encoding: 'binary' });
    this.#pool = this.#cipher.update(ZEROS.subarray(0, FIRST));
    if (piece > 0) return;
    if (starts.size >= KEPT) starts.clear();
    starts.set(this.#seed, this.#pool);
  }

  #byte(): number {
    let at = this.#drawn - this.#poolAt;
    if (at < 0 || at >= this.#pool.length) {
      this.#turn(at);
      at = this.#drawn - this.#poolAt;
    }
    this.#drawn += 1;
    return this.#pool[at] as number;
  }

  /** Loads the chunk of the stream at the current position into the pool. */
  #turn(at: number): void {
    if (this.#next !== undefined) [this.#seed, this.#drawn, this.#next] = [this.#next, 0, undefined];
    if (at !== this.#pool.length || this.#cipher === undefined) {
      this.#seek(this.#drawn);
      return;
    }
    this.#poolAt += this.#pool.length;
    this.#pool = this.#cipher.update(ZEROS);
  }

  bytes(count: number): Uint8Array {
    const out = new Uint8Array(count);
    for (let i = 0; i < count; i += 1) out[i] = this.#byte();
    return out;
  }

  /** Returns lower-case hexadecimal text of `count` bytes. */
  hex(count: number): string {
    if (count * 2 > SCRATCH.length) return Buffer.from(this.bytes(count)).toString('hex');
    for (let i = 0; i < count; i += 1) {
      const byte = this.#byte();
      SCRATCH[2 * i] = HEX[byte >> 4] as number;
      SCRATCH[2 * i + 1] = HEX[byte & 15] as number;
    }
    return SCRATCH.toString('latin1', 0, count * 2);
  }

  /** Returns a text of `length` characters from `alphabet`. */
  text(alphabet: string, length: number): string {
    const name = `${length} ${alphabet}`;
    let text = this.#texts?.get(name);
    if (!text) {
      text = customRandom(alphabet, length, (size) => this.bytes(size));
      (this.#texts ??= new Map()).set(name, text);
    }
    return text();
  }

  /** Returns a number from 0 up to but not including 1, with 32 random bits. */
  fraction(): number {
    const b = this.bytes(4);
    return new DataView(b.buffer).getUint32(0) / 2 ** 32;
  }

  /**
   * Returns a record id `<Type>:<uuid>` (spec 2). The UUID is version 7: ids of one type sort in the order in which
   * they were made, even within a millisecond.
   */
  next(type: string, nowMs: number): string {
    let template = templates.get(type);
    if (!template) {
      const text = Buffer.from(`${type}:00000000-0000-7000-8000-000000000000`, 'latin1');
      template = { text, start: type.length + 1, ms: 0 };
      templates.set(type, template);
    }
    if (nowMs > this.#lastMs) {
      this.#lastMs = nowMs;
      this.#tick = 0;
    } else {
      this.#tick += 1;
      if (this.#tick > 0xfff) {
        this.#lastMs += 1;
        this.#tick = 0;
      }
    }
    const { text, start } = template;
    if (template.ms !== this.#lastMs) {
      template.ms = this.#lastMs;
      let ms = this.#lastMs;
      for (let i = 12; i >= 0; i -= 1) {
        if (i === 8) continue;
        text[start + i] = HEX[ms % 16] as number;
        ms = Math.floor(ms / 16);
      }
    }
    text[start + 15] = HEX[this.#tick >> 8] as number;
    text[start + 16] = HEX[(this.#tick >> 4) & 15] as number;
    text[start + 17] = HEX[this.#tick & 15] as number;
    let byte = this.#byte();
    text[start + 19] = HEX[8 + (byte & 3)] as number;
    text[start + 20] = HEX[byte >> 4] as number;
    byte = this.#byte();
    text[start + 21] = HEX[byte >> 4] as number;
    text[start + 22] = HEX[byte & 15] as number;
    for (let i = 24; i < 36; i += 2) {
      byte = this.#byte();
      text[start + i] = HEX[byte >> 4] as number;
      text[start + i + 1] = HEX[byte & 15] as number;
    }
    return text.toString('latin1');
  }

  /** Returns a test for ids that may still be drawn: those of version 7 and of a later moment than the last one. */
  ahead(): (id: string) => boolean {
    const ms = this.#lastMs.toString(16).padStart(12, '0');
    const last = `${ms.slice(0, 8)}-${ms.slice(8)}-7${this.#tick.toString(16).padStart(3, '0')}`;
    return (id) => {
      const start = id.length - UUID;
      return id[start - 1] === ':' && id[start + 14] === '7' && id.slice(start, start + last.length) > last;
    };
  }

  state(): IdsState {
    return { seed: this.#seed, drawn: this.#drawn, lastMs: this.#lastMs, tick: this.#tick };
  }

  /** Returns the position of the stream, to return to. */
  mark(): IdsMark {
    return { seed: this.#seed, drawn: this.#drawn, lastMs: this.#lastMs, tick: this.#tick, next: this.#next };
  }

  /** Goes back (or forward) to a saved position. */
  restore(state: IdsMark): void {
    if (state.seed !== this.#seed || state.next !== this.#next) {
      this.#seed = state.seed;
      this.#next = state.next;
      this.#forgetPool();
    }
    this.#drawn = state.drawn;
    this.#lastMs = state.lastMs;
    this.#tick = state.tick;
  }
}
