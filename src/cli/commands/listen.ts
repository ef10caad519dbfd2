import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deliveryJson, deliveryLine, eventOf, laidOut, strayJson, strayLine } from '../delivery.ts';
import type { ListenFlags } from '../options.ts';
import { Output } from '../output.ts';
import { Registration } from '../registration.ts';
import { Remote } from '../remote.ts';
import { keyOfEmulator, keyOfFile, signatureOf, type Verify } from '../signature.ts';
import { type Colours, colours, hasColours, jsonText, printable } from '../text.ts';

/** The most bytes of a body that is accepted. */
const LARGEST = 1024 * 1024;
/** The number of events that are kept in order to recognize repetitions. */
const REMEMBERED = 10_000;
/** Milliseconds within which the target of a forwarded delivery has to reply. */
const FORWARD_MS = 30_000;

/** Receives webhooks until a signal: verifies each, replies, and prints a line. */
export async function listen(flags: ListenFlags): Promise<void> {
  const emulator = flags.emulator ?? flags.url;
  const output = new Output();
  // The endpoint gets its TEST at once, perhaps before the emulator has answered that it is registered.
  output.hold();
  const c = colours(hasColours(process.stdout.isTTY === true));
  const remote = new Remote({ ...flags, url: emulator });
  const verify = flags.key ? await keyOfFile(flags.key) : keyOfEmulator(remote);
  const receiver = new Receiver(flags, verify, output, c);
  const server = createServer((request, response) => {
    receiver.receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(flags.port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${flags.path ?? '/hooks'}`;
  const registration = flags.register ? new Registration(remote, url) : undefined;
  await registration?.register().catch((error) => {
    server.close();
    throw error;
  });
  const ready = { event: 'ready', url, registered: flags.register === true, pid: process.pid };
  output.begin(flags.json ? [jsonText(ready)] : greeting(url, emulator, flags));
  registration?.keep((event) => {
    if (flags.json) output.line(jsonText({ event, emulator, url }));
    else output.line(CHANGED[event](printable(emulator)));
  });
  // Output is flushed before the end, unless nobody reads it.
  const stop = () => {
    output.flush();
    process.stdout.write('', () => process.exit(0));
    setTimeout(() => process.exit(0), 500);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  if (flags.parentWatch) process.stdin.on('end', stop).on('error', stop).resume();
}

const CHANGED = {
  ended: (emulator: string) => `the emulator at ${emulator} does not answer; when it does again, this registers again`,
  registered: (emulator: string) => `registered again as the webhook endpoint of the emulator at ${emulator}`,
};

const greeting = (url: string, emulator: string, flags: ListenFlags): string[] => [
  `listening for webhooks on ${url}`,
  flags.register
    ? `registered as the webhook endpoint of the emulator at ${printable(emulator)}`
    : `start the emulator with --webhook-url ${url}, or this with --register`,
];

/** Replies to requests and prints what arrived. */
class Receiver {
  readonly #flags: ListenFlags;
  readonly #verify: Verify;
  readonly #output: Output;
  readonly #c: Colours;
  /** The number of events of each type. */
  readonly #seen = new Map<string, number>();
  #came = 0;

  constructor(flags: ListenFlags, verify: Verify, output: Output, c: Colours) {
    this.#flags = flags;
    this.#verify = verify;
    this.#output = output;
    this.#c = c;
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] as string;
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return this.#refuse(request, response, 405, 'webhooks are sent with POST');
    }
    if (this.#flags.path !== undefined && path !== this.#flags.path)
      return this.#refuse(request, response, 404, `webhooks are taken at ${this.#flags.path}`);
    const body = await bodyOf(request);
    if (!body) return this.#refuse(request, response, 413, `more than ${LARGEST} bytes`);
    const event = eventOf(body.toString('utf8'));
    if (typeof event === 'string') return this.#refuse(request, response, 400, event);
    const attempt = this.#count(event.id);
    const at = now();
    const verified = await this.#verify(body, signatureOf(request.headers));
    const { status, note, forwarded = false, ...answer } = await this.#answer(request, body, verified);
    response.writeHead(status, answer.type ? { 'content-type': answer.type } : {}).end(answer.body);
    const delivery = { at, ...event, verified, attempt, status, forwarded, note };
    this.#output.line(this.#flags.json ? deliveryJson(delivery) : deliveryLine(delivery, this.#c));
    if (this.#flags.verbose && !this.#flags.json) this.#output.line(laidOut(event.payload, this.#c));
  }

  /** Returns how often this event has arrived so far. */
  #count(id: string): number {
    const attempt = (this.#seen.get(id) ?? 0) + 1;
    this.#seen.delete(id);
    this.#seen.set(id, attempt);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return attempt;
  }

  async #answer(request: IncomingMessage, body: Buffer, verified: boolean | undefined): Promise<Answer> {
    this.#came += 1;
    const fails = this.#came <= this.#flags.failFirst;
    if (this.#flags.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.#flags.delay));
    if (fails) return { status: 503, note: `one of the first ${this.#flags.failFirst}` };
    if (this.#flags.forward) return forward(this.#flags.forward, request, body);
    // As a receiver should: an invalid signature is refused.
    return verified === false ? { status: 401 } : { status: this.#flags.answer };
  }

  #refuse(request: IncomingMessage, response: ServerResponse, status: number, reason: string): void {
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${reason}\n`);
    request.resume();
    const stray = { at: now(), method: request.method ?? '', path: request.url ?? '', status, reason };
    this.#output.line(this.#flags.json ? strayJson(stray) : strayLine(stray, this.#c));
  }
}

const now = (): string => new Date().toISOString();

/** Returns a whole body, or undefined if it is too large; the rest of a large one is discarded. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += (part as Buffer).length;
    if (size > LARGEST) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

interface Answer {
  status: number;
  note?: string;
  forwarded?: boolean;
  type?: string;
  body?: string;
}

/** Headers of one connection, which are not passed on to the next. */
const HOP = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
]);

/** Forwards a delivery as it arrived; returns the reply, or 502 if there is none. */
async function forward(url: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const headers = Object.entries(request.headers)
    .filter(([name]) => !HOP.has(name))
    .map(([name, value]): [string, string] => [name, String(value)]);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS),
    });
    const text = (await answer.text()).slice(0, LARGEST);
    const type = answer.headers.get('content-type');
    const bare = answer.status === 204 || answer.status === 304;
    return { status: answer.status, forwarded: true, ...(type ? { type } : {}), ...(bare ? {} : { body: text }) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return { status: 502, forwarded: false, note: `${url} did not answer: ${cause?.code ?? message}` };
  }
}
