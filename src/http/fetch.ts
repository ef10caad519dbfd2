import type { IncomingMessage } from 'node:http';
import type { Answer } from '../contract/answer.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { halfOf } from './node.ts';
import { type HttpRequest, onClose } from './request.ts';

// A request as a `Request`: one of `emulator.fetch`, or one that Hono's adapter made of a message.

/** The sandboxes for which this process calls itself. */
const callers = new WeakMap<Request, Sandbox>();

/** Marks a request as one that this process makes for a sandbox, if it does. */
export function madeFor(request: Request, sandbox: Sandbox | undefined): Request {
  if (sandbox) callers.set(request, sandbox);
  return request;
}

/** A `Request`, with Node's message if it arrived over a socket. */
export class FetchRequest implements HttpRequest {
  readonly raw: Request;
  readonly incoming: IncomingMessage | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(raw: Request, incoming?: IncomingMessage) {
    this.raw = raw;
    this.incoming = incoming;
  }

  get sandbox(): Sandbox | undefined {
    return callers.get(this.raw);
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

/**
 * The error of a connection that a fault closed, for a call without a socket: a fetch over a socket rejects in the same
 * way.
 */
export class Dropped extends TypeError {
  constructor() {
    super('fetch failed: a fault closed the connection');
  }
}

/**
 * Returns an answer as a `Response`. HEAD gets the reply of GET without a body (RFC 9110, 9.3.2). Throws `Dropped` if a
 * fault prevents any reply.
 */
export function toResponse({ status, headers, body, breaks }: Answer, method: string): Response {
  const isText = typeof body === 'string';
  // An empty body has no half: over a socket, too, such a reply breaks before its first byte.
  if (breaks === 'before' || (breaks && !body)) throw new Dropped();
  const length = isText && { 'content-length': String(Buffer.byteLength(body)) };
  if (breaks && isText) return new Response(brokenOff(halfOf(body)), { status, headers: { ...headers, ...length } });
  if (method !== 'HEAD') return new Response(body, { status, headers });
  // A stream without a reader would never end.
  if (body && !isText) void body.cancel();
  return new Response(null, { status, headers: { ...headers, ...length } });
}

/** Returns a stream that breaks off after some bytes. */
const brokenOff = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    pull: (controller) => controller.error(new TypeError('terminated: a fault cut the answer short')),
  });
