import type { IncomingMessage } from 'node:http';
import type { Answer } from '../contract/answer.ts';
import { halfOf } from './node.ts';
import { type HttpRequest, onClose } from './request.ts';

// The other side of a request, where it is a `Request`: one of `emulator.fetch`, or one that Hono's adapter made of a message.

/** A `Request`, and Node's message where it arrived over a socket. */
export class FetchRequest implements HttpRequest {
  readonly raw: Request;
  readonly incoming: IncomingMessage | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(raw: Request, incoming?: IncomingMessage) {
    this.raw = raw;
    this.incoming = incoming;
  }

  get method(): string {
    return this.raw.method;
  }

  get url(): string {
    return this.raw.url;
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined;
  }

  headers(): readonly string[] {
    return this.incoming?.rawHeaders ?? [...this.raw.headers].flat();
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.raw.arrayBuffer());
  }

  get reader(): ReadableStreamDefaultReader<Uint8Array> | undefined {
    this.#reader ??= this.raw.body?.getReader();
    return this.#reader;
  }

  onLeave(leave: () => void): () => void {
    if (this.incoming) return onClose(this.incoming.socket, leave);
    const { signal } = this.raw;
    signal.addEventListener('abort', leave);
    return () => signal.removeEventListener('abort', leave);
  }
}

/** A connection that a fault closed, where there is none to close: a fetch over a socket would reject so. */
export class Dropped extends TypeError {
  constructor() {
    super('fetch failed: a fault closed the connection');
  }
}

/**
 * Returns an answer as a `Response`. HEAD gets what GET would, without a body (RFC 9110, 9.3.2). Throws `Dropped` where a fault
 * lets nothing be sent.
 */
export function toResponse({ status, headers, body, breaks }: Answer, method: string): Response {
  const isText = typeof body === 'string';
  // There is no half of nothing: over a socket, too, a reply without a body breaks before it says anything.
  if (breaks === 'before' || (breaks && !body)) throw new Dropped();
  const length = isText && { 'content-length': String(Buffer.byteLength(body)) };
  if (breaks && isText) return new Response(brokenOff(halfOf(body)), { status, headers: { ...headers, ...length } });
  if (method !== 'HEAD') return new Response(body, { status, headers });
  // A stream that nobody reads would never end.
  if (body && !isText) void body.cancel();
  return new Response(null, { status, headers: { ...headers, ...length } });
}

/** Returns a stream that breaks off after some bytes. */
const brokenOff = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    pull: (controller) => controller.error(new TypeError('terminated: a fault cut the answer short')),
  });
