/** Bytes that the request logs of one process may take, all sandboxes together. */
export const LOG_BYTES = 64 * 1024 * 1024;

/** The texts of an entry, which are most of what it takes. */
interface Texts {
  readonly path: string;
  readonly query: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly reply: string;
}

/** An entry in its place among all entries of the process. */
export interface Kept<E extends Texts = Texts> {
  readonly entry: E;
  readonly bytes: number;
  /** Takes it out of the log that it is in, which holds it as its oldest. */
  readonly drop: () => void;
  older: Kept | undefined;
  newer: Kept | undefined;
}

/** The size of an entry beside its texts: objects, lists and numbers. */
const FRAME = 600;

/** About what an entry takes, in bytes: two a character, which is the most. */
function bytesOf({ path, query, headers, body, reply }: Texts): number {
  let characters = path.length + query.length + body.length + reply.length;
  for (const text of headers) characters += text.length;
  return FRAME + 2 * characters;
}

/** One budget for the logs of all sandboxes of a process: beyond it the oldest entries go, whosever they are. */
export class LogBudget {
  readonly #most: number;
  #bytes = 0;
  #oldest: Kept | undefined;
  #newest: Kept | undefined;

  constructor(most = LOG_BYTES) {
    this.#most = most;
  }

  /** Bytes that are taken. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Count an entry; older ones, its own log's among them, make room. The entry itself stays, however large. */
  add<E extends Texts>(entry: E, drop: () => void): Kept<E> {
    const kept: Kept<E> = { entry, bytes: bytesOf(entry), drop, older: this.#newest, newer: undefined };
    if (this.#newest) this.#newest.newer = kept;
    else this.#oldest = kept;
    this.#newest = kept;
    this.#bytes += kept.bytes;
    while (this.#bytes > this.#most && this.#oldest && this.#oldest !== kept) {
      const { drop: dropOldest } = this.#oldest;
      this.remove(this.#oldest);
      dropOldest();
    }
    return kept;
  }

  /** Count an entry no more. */
  remove(kept: Kept): void {
    if (kept.older) kept.older.newer = kept.newer;
    else this.#oldest = kept.newer;
    if (kept.newer) kept.newer.older = kept.older;
    else this.#newest = kept.older;
    this.#bytes -= kept.bytes;
  }
}
