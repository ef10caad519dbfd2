/** The bytes that the request logs of one process may take, all sandboxes together. */
export const LOG_BYTES = 64 * 1024 * 1024;

/** The texts of an entry, which are most of its size. */
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
  /** Removes it from its log, where it is the oldest. */
  readonly drop: () => void;
  older: Kept | undefined;
  newer: Kept | undefined;
}

/** The bytes of an entry beside its texts: objects, lists and numbers. */
const FRAME = 600;

/** Returns the approximate bytes of an entry, at two per character, which is the most. */
function bytesOf({ path, query, headers, body, reply }: Texts): number {
  let characters = path.length + query.length + body.length + reply.length;
  for (const text of headers) characters += text.length;
  return FRAME + 2 * characters;
}

/** One budget for the logs of all sandboxes of a process: beyond it the oldest entries go, whatever their sandbox. */
export class LogBudget {
  readonly #most: number;
  #bytes = 0;
  #oldest: Kept | undefined;
  #newest: Kept | undefined;

  constructor(most = LOG_BYTES) {
    this.#most = most;
  }

  /** The bytes in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an entry; older ones, its own log's among them, make room. The entry itself stays, however large. */
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

  /** Stops counting an entry. */
  remove(kept: Kept): void {
    if (kept.older) kept.older.newer = kept.newer;
    else this.#oldest = kept.newer;
    if (kept.newer) kept.newer.older = kept.older;
    else this.#newest = kept.older;
    this.#bytes -= kept.bytes;
  }
}
