import { connect } from 'node:net';
import { type Opened, openEmulator } from '../../src/emulator.ts';
import { wrongRefusal } from './checks.ts';
import type { Watch } from './host.ts';
import type { Random } from './random.ts';
import { rawRequest } from './raw-requests.ts';

/** Real milliseconds in which a connection has to be answered or closed, all slow parts included. */
const PATIENCE_MS = 8000;
/** Real milliseconds after the last byte that came, before the connection is closed from this side. */
const QUIET_MS = 60;

const MOST_AT_ONCE = 12;

/** What went over one connection, and as which input. */
interface Sent {
  readonly input: number;
  readonly parts: string;
}

/** A listening emulator, asked over sockets that no HTTP client would write to like that. */
export class RawEmulator {
  readonly #watch: Watch;
  #emulator: Opened | undefined;
  #asked = 0;
  /** Requests under way: several at once, for most of their time is waiting. */
  readonly #under = new Map<Promise<void>, Sent>();

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /** Ask; resolves before there is an answer, unless too many are awaited already. */
  async input(random: Random): Promise<void> {
    if (this.#under.size >= MOST_AT_ONCE) await Promise.race(this.#under.keys());
    const emulator = await this.#open();
    const { port, host } = new URL(emulator.url);
    const parts = rawRequest(random, host, new URL(emulator.baseUrl).pathname);
    const sent = {
      input: this.#watch.input,
      parts: JSON.stringify(parts.map((part) => part.toString('latin1'))).slice(0, 2000),
    };
    this.#watch.report.raw += 1;
    this.#asked += 1;
    const asked: Promise<void> = exchange(Number(port), parts).then((seen) => {
      if (seen === undefined) this.#find(sent, 'an answer or a closed connection', `neither within ${PATIENCE_MS} ms`);
      else for (const answer of answersIn(seen)) this.#look(sent, answer);
      this.#under.delete(asked);
    });
    this.#under.set(asked, sent);
    if (this.#asked % 10 === 0) await this.#stillAnswers(emulator, sent);
  }

  async close(): Promise<void> {
    await Promise.all(this.#under.keys());
    await this.#emulator?.close();
    this.#emulator = undefined;
  }

  async #open(): Promise<Opened> {
    if (this.#asked % 500 === 0) await this.close();
    this.#emulator ??= await openEmulator(
      {
        port: 0,
        seed: 1,
        holdClock: true,
        profile: this.#asked % 1000 < 500 ? 'spec' : 'grid',
        onBroken: (what, error) => this.#broken(what, error),
      },
      {},
    );
    return this.#emulator;
  }

  async #stillAnswers(emulator: Opened, sent: Sent): Promise<void> {
    const { status } = await fetch(`${emulator.url}/_emulator/health`);
    if (status !== 200) this.#find(sent, 'an emulator that still answers', `health is ${status}`);
  }

  #broken(what: string, error: unknown): void {
    const stack = error instanceof Error ? String(error.stack).split('\n').slice(0, 5).join('\n') : String(error);
    // Which of them it was is not known: those under way are named.
    const sent = { input: this.#watch.input, parts: [...this.#under.values()].map(({ parts }) => parts).join('\nor ') };
    this.#find(sent, 'nothing of the emulator breaks', `${what.replaceAll(/req_\d+/g, '')}: ${stack}`);
  }

  #find({ input, parts }: Sent, expected: string, seen: string): void {
    const { report, only } = this.#watch;
    if (only === undefined || only === input)
      report.add({ target: 'raw socket', expected, seen, request: `bytes sent, in parts: ${parts}`, input });
  }

  #look(sent: Sent, { status, head, body }: RawAnswer): void {
    this.#watch.report.note('raw socket', { status });
    if (status === 500) this.#find(sent, 'any status but 500', `${head}\n${body.slice(0, 300)}`);
    if (status < 400 || status === 500 || body === '' || /content-type: text\/html/i.test(head)) return;
    let json: unknown;
    try {
      json = JSON.parse(body);
    } catch {
      json = undefined;
    }
    const wrong = wrongRefusal({ status, json, text: body });
    if (wrong) this.#find(sent, wrong, `${head}\n${body.slice(0, 300)}`);
  }
}

/** Write the parts one after the other and read until it is quiet; `undefined` when nothing came of it in time. */
function exchange(port: number, parts: readonly Buffer[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const patience = setTimeout(() => done(false), PATIENCE_MS);
    const done = (closed: boolean) => {
      clearTimeout(patience);
      clearTimeout(quiet);
      socket.destroy();
      resolve(closed || chunks.length > 0 ? Buffer.concat(chunks).toString('latin1') : undefined);
    };
    // On a busy machine timers are due before the sockets are read: it is quiet when nothing is there to be read either.
    const ifQuiet = (seen: number) => setImmediate(() => setImmediate(() => chunks.length === seen && done(true)));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      quiet = setTimeout(() => ifQuiet(chunks.length), QUIET_MS);
    });
    socket.on('close', () => done(true));
    socket.on('error', () => done(true));
    socket.on('connect', async () => {
      for (const [i, part] of parts.entries()) {
        if (i > 0) await new Promise((next) => setTimeout(next, 2));
        if (!socket.writable) return;
        socket.write(part);
      }
      // What is not complete is given up by this side: the emulator then owes nothing.
      quiet ??= setTimeout(() => ifQuiet(0), QUIET_MS * 2);
    });
  });
}

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The answers in what came over a socket, as far as they say where they end. */
function* answersIn(text: string): Generator<RawAnswer> {
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(rest) ?? [];
    if (end < 0 || status === undefined) return;
    const head = rest.slice(0, end);
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
    rest = rest.slice(end + 4);
    // The answer to a HEAD says how long its body would be, and has none.
    const size = rest === '' || rest.startsWith('HTTP/1.') ? 0 : length === undefined ? rest.length : Number(length);
    const body = length === undefined ? '' : rest.slice(0, size);
    rest = rest.slice(size);
    yield { status: Number(status), head, body: body.length === size ? Buffer.from(body, 'latin1').toString() : '' };
  }
}
