import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type PlainAnswer, plainAnswer } from './plain-answer.ts';

/** Where a receiver listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** How a request ended: with a plain answer; with an error; or with an answer that is for Node to read, from its first byte on. */
export type Ending = { readonly answer: PlainAnswer } | { readonly error: unknown } | { readonly stream: Duplex };

/** Connections to one address that are kept while nothing is under way on them: as many as two sandboxes have under way at most. */
const MOST_FREE = 64;
/** By address; the one that was used last is taken first, so that those beyond the need grow old. */
const free = new Map<string, Connection[]>();

/** A kept connection to a receiver, one request at a time. */
export class Connection {
  readonly #key: string;
  readonly #socket: Socket;
  readonly #keptBytes: number;
  #keptMs = 0;
  #seen: Buffer | undefined;
  #over: ((ending: Ending) => void) | undefined;
  /** What Node reads the rest of an answer from. */
  #rest: Duplex | undefined;
  #ended = false;
  /** Whether an earlier request was answered on it. */
  reused = false;

  private constructor(key: string, { host, port }: Address, keptBytes: number) {
    this.#key = key;
    this.#keptBytes = keptBytes;
    this.#socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 1000 });
    // A receiver that hangs must not keep a program alive that has closed its emulator.
    this.#socket.unref();
    this.#socket.on('data', (bytes) => this.#take(bytes));
    this.#socket.on('end', () => this.#end());
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#end());
    this.#socket.on('timeout', () => {
      if (!this.#over && !this.#rest) this.close();
    });
  }

  /** One that is kept, or a new one; of the answers on it so many bytes of the body are kept. */
  static to(address: Address, keptBytes: number, fresh = false): Connection {
    const key = `${address.host} ${address.port}`;
    const kept = fresh ? undefined : free.get(key);
    const connection = kept?.pop();
    if (kept?.length === 0) free.delete(key);
    return connection ?? new Connection(key, address, keptBytes);
  }

  /** Sends a whole request. `over` is called once, in a later turn; not if it is closed before. */
  send(request: string, over: (ending: Ending) => void): void {
    this.#over = over;
    this.#socket.write(request);
  }

  /** Closes it, whatever is under way. */
  close(): void {
    this.#over = undefined;
    this.#forget();
    this.#socket.destroy();
    this.#rest?.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#rest) this.#rest.push(bytes);
    // Nobody asked: whatever it says, the next answer could not be told from it.
    else if (!this.#over) this.close();
    else this.#read(this.#seen ? Buffer.concat([this.#seen, bytes]) : bytes);
  }

  #read(seen: Buffer): void {
    const answer = plainAnswer(seen, this.#keptBytes);
    this.#seen = seen;
    if (answer === 'other') this.#leaveToNode();
    else if (answer !== 'more') {
      this.#finish({ answer });
      if (answer.keepMs > 0) this.#keep(answer.keepMs);
      else this.close();
    }
  }

  #finish(ending: Ending): void {
    const over = this.#over;
    this.#over = undefined;
    this.#seen = undefined;
    over?.(ending);
  }

  #keep(ms: number): void {
    const kept = free.get(this.#key);
    // What was answered before it was sent whole is still being sent.
    const busy = this.#socket.writableLength > 0;
    if (busy || this.#socket.destroyed || (kept?.length ?? 0) >= MOST_FREE) {
      this.close();
      return;
    }
    if (this.#keptMs !== ms) {
      this.#keptMs = ms;
      this.#socket.setTimeout(ms);
    }
    this.reused = true;
    if (kept) kept.push(this);
    else free.set(this.#key, [this]);
  }

  #forget(): void {
    const kept = free.get(this.#key);
    const at = kept?.indexOf(this) ?? -1;
    if (at < 0) return;
    kept?.splice(at, 1);
    if (kept?.length === 0) free.delete(this.#key);
  }

  #end(): void {
    if (this.#over) this.#leaveToNode();
    this.#forget();
    // An end and a close both say so.
    if (this.#rest && !this.#ended) this.#rest.push(null);
    this.#ended = true;
  }

  #fail(error: unknown): void {
    this.#forget();
    if (this.#rest) this.#rest.destroy(error as Error);
    else this.#finish({ error });
  }

  #leaveToNode(): void {
    const rest = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(), autoDestroy: true });
    if (this.#seen) rest.push(this.#seen);
    this.#rest = rest;
    rest.once('close', () => this.close());
    this.#finish({ stream: rest });
  }
}
