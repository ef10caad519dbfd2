import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { getQueryParams } from 'hono/utils/url';
import type { Answers } from './answers.ts';

/** What the steps of a call read of a request. Hono's context is one; so is a request as Node parsed it. */
export interface Asked {
  readonly req: {
    readonly method: string;
    /** The whole URL. */
    readonly url: string;
    /** A header, its name in lower case; one that came more than once is joined. */
    header(name: string): string | undefined;
    queries(): Record<string, string[]>;
    arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
    readonly raw: { readonly headers: Iterable<[string, string]>; readonly body: ReadableStream<Uint8Array> | null };
  };
  readonly env: unknown;
}

/** Stands for an answer that has been given to Node already. */
export const WRITTEN = Symbol('written');
/** What a call ends with. */
export type Answer = Response | typeof WRITTEN;

/** Hosts and targets that mean what is written in them: nothing to decode, to resolve or to refuse. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;
const PLAIN_TARGET = /^\/[!$&-;=@-[\]_a-z~]*(?:\?[!$&(-;=@-[\]_a-z~]*)?$/;
const DOTS = /\/\.\.?(?:[/?]|$)/;
const NOTHING = new Uint8Array();
const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Whether a request is so plain that what Node parsed says all: most are. The others go through Hono's adapter. */
export function isPlain({ method, url = '', headers }: IncomingMessage, longest: number): boolean {
  if (!METHODS.has(method) || !PLAIN_TARGET.test(url) || DOTS.test(url) || !PLAIN_HOST.test(headers.host ?? ''))
    return false;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  return length === undefined || (method !== 'GET' && Number(length) <= longest);
}

/**
 * A request of the API as Node parsed it, answered through Node's own response: it costs no `Request`, no `Response` and no
 * context. Only for what `isPlain` lets through.
 */
export class Direct implements Asked {
  readonly env: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };
  /** Answers are handed back instead of being written: something is to be done to them first. */
  held = false;
  readonly #answers: Answers;
  #stream: ReadableStream<Uint8Array> | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, answers: Answers) {
    this.env = { incoming, outgoing };
    this.#answers = answers;
  }

  get req(): this {
    return this;
  }

  get raw(): this {
    return this;
  }

  get method(): string {
    return this.env.incoming.method as string;
  }

  /** Path and query, as they were sent. */
  get target(): string {
    return this.env.incoming.url as string;
  }

  get url(): string {
    const { headers, url } = this.env.incoming;
    return `http://${headers.host}${url}`;
  }

  get headers(): Iterable<[string, string]> {
    const { rawHeaders } = this.env.incoming;
    return Array.from(
      { length: rawHeaders.length / 2 },
      (_, i) => rawHeaders.slice(2 * i, 2 * i + 2) as [string, string],
    );
  }

  header(name: string): string | undefined {
    const { rawHeaders } = this.env.incoming;
    let value: string | undefined;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const key = rawHeaders[i] as string;
      if (key.length !== name.length || (key !== name && key.toLowerCase() !== name)) continue;
      const one = rawHeaders[i + 1] as string;
      value = value === undefined ? one : `${value}, ${one}`;
    }
    return value;
  }

  queries(): Record<string, string[]> {
    return getQueryParams(this.env.incoming.url as string) as Record<string, string[]>;
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (this.env.incoming.headers['content-length'] === undefined) return null;
    this.#stream ??= Readable.toWeb(this.env.incoming) as ReadableStream<Uint8Array>;
    return this.#stream;
  }

  /** The body, where all of it has come and nobody has left. */
  whole(): Uint8Array | undefined {
    const { incoming } = this.env;
    return incoming.complete && !incoming.destroyed ? (incoming.read() ?? NOTHING) : undefined;
  }

  /** Every byte of the body; rejects when the connection ends before. */
  arrayBuffer(): Promise<Uint8Array> {
    const { incoming } = this.env;
    return new Promise((resolve, reject) => {
      const parts: Uint8Array[] = [];
      let isOver = false;
      const end = () => {
        isOver = true;
        resolve(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts));
      };
      // A client that has left may have sent everything before: then it has called, and Node still holds what nobody took.
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

  /** Answer with a whole text, at the end of this turn of the event loop. */
  send(status: number, text: string, headers: Record<string, string>): Answer {
    if (this.held) return new Response(status === 204 ? null : text, { status, headers });
    this.#answers.add(this.env.outgoing, status, text, headers);
    return WRITTEN;
  }

  /** Write the answers that wait: the connection is about to be closed, and some may be for this client. */
  writeOthers(): void {
    this.#answers.write();
  }

  /** Write an answer that was held. */
  async sendHeld(response: Answer): Promise<void> {
    if (response === WRITTEN) return;
    this.held = false;
    this.send(response.status, await response.text(), Object.fromEntries(response.headers));
  }
}
