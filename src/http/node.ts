import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Answer } from '../contract/answer.ts';
import { type HttpRequest, onClose } from './request.ts';

// Node's side of a request: reading a plain one, and writing an answer.

/** Plain hosts and targets, without anything to decode, to resolve or to refuse. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;
const PLAIN_TARGET = /^\/[!$&-;=@-[\]_a-z~]*(?:\?[!$&(-;=@-[\]_a-z~]*)?$/;
const DOTS = /\/\.\.?(?:[/?]|$)/;
const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Returns whether a request is so plain that Node's parsing is enough, as for most. The others, uploads among them, go
 * through Hono's adapter.
 */
export function isPlain({ method, url = '', headers }: IncomingMessage, longest: number): boolean {
  if (!METHODS.has(method) || !PLAIN_TARGET.test(url) || DOTS.test(url) || !PLAIN_HOST.test(headers.host ?? ''))
    return false;
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  const length = headers['content-length'];
  if (length === undefined) return true;
  return method !== 'GET' && Number(length) <= longest && !headers['content-type']?.startsWith('multipart/');
}

const NOTHING = new Uint8Array();

/** A plain request as Node parsed it: it costs no `Request` and no context. */
export class NodeRequest implements HttpRequest {
  readonly incoming: IncomingMessage;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(incoming: IncomingMessage) {
    this.incoming = incoming;
  }

  get method(): string {
    return this.incoming.method as string;
  }

  get url(): string {
    const { headers, url, socket } = this.incoming;
    return `${(socket as { encrypted?: boolean } | undefined)?.encrypted ? 'https' : 'http'}://${headers.host}${url}`;
  }

  header(name: string): string | undefined {
    const { rawHeaders } = this.incoming;
    let value: string | undefined;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const key = rawHeaders[i] as string;
      if (key.length !== name.length || (key !== name && key.toLowerCase() !== name)) continue;
      const one = rawHeaders[i + 1] as string;
      value = value === undefined ? one : `${value}, ${one}`;
    }
    return value;
  }

  headers(): readonly string[] {
    return this.incoming.rawHeaders;
  }

  async bytes(): Promise<Uint8Array> {
    const { incoming } = this;
    // Once Node has parsed its present input, most bodies are whole, because they arrive in one piece with the head.
    await undefined;
    if (incoming.complete && !incoming.destroyed) return incoming.read() ?? NOTHING;
    return new Promise((resolve, reject) => {
      const parts: Uint8Array[] = [];
      let isOver = false;
      const end = () => {
        isOver = true;
        resolve(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts));
      };
      // A client that has left may have sent everything before: then its call counts, and Node still holds the unread
      // rest.
      const gone = () => {
        if (isOver) return;
        isOver = true;
        for (let part = incoming.read(); part !== null; part = incoming.read()) parts.push(part);
        const came = parts.reduce((sum, { length }) => sum + length, 0);
        if (incoming.complete && came === Number(incoming.headers['content-length'])) end();
        else reject(new Error('the body ended before it was complete'));
      };
      if (incoming.destroyed) {
        gone();
        return;
      }
      incoming.on('data', (part: Uint8Array) => isOver || parts.push(part));
      incoming.on('end', end);
      incoming.on('error', gone);
      incoming.on('close', gone);
    });
  }

  get reader(): ReadableStreamDefaultReader<Uint8Array> | undefined {
    if (this.incoming.headers['content-length'] === undefined) return undefined;
    this.#reader ??= (Readable.toWeb(this.incoming) as ReadableStream<Uint8Array>).getReader();
    return this.#reader;
  }

  onLeave(leave: () => void): () => void {
    return onClose(this.incoming.socket, leave);
  }
}

/** Writes an answer to Node's response; nothing if the client has left. Node sends no body for HEAD. */
export function writeAnswer({ status, headers, body, breaks }: Answer, outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  if (breaks === 'before') {
    // Replies to earlier requests on the same connection are written first.
    if (outgoing.socket) outgoing.socket.destroy();
    else outgoing.once('socket', (socket) => socket.destroy());
  } else if (typeof body === 'string') {
    outgoing.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
    if (breaks) outgoing.write(halfOf(body), () => outgoing.destroy());
    else outgoing.end(body);
  } else if (body === null) outgoing.writeHead(status, headers).end();
  else if (outgoing.req.method === 'HEAD') {
    // A stream without a reader would never end.
    void body.cancel();
    outgoing.writeHead(status, headers).end();
  } else {
    outgoing.writeHead(status, headers).flushHeaders();
    // Either side may end early: a client leaves, or a stream breaks. The other then ends with it, without an error.
    pipeline(Readable.fromWeb(body as NodeStream), outgoing, () => {});
  }
}

/** Returns the first half of a text, in bytes. */
export function halfOf(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}
