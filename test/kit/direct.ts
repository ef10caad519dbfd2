import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Served } from '../../src/http/app.ts';

/** A reply as it was written. */
interface Written {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const PRINTABLE = /^[\t\x20-\x7e]*$/;

/**
 * A call as a server over a socket would hand it on, without the socket: plain calls then take the very way that they take
 * from real clients, which costs a third of a `Request` and a `Response`. Undefined, with nothing done, for any other call.
 */
export function directly(
  served: Served,
  { method, url, headers, body = '' }: { method: string; url: URL; headers: Record<string, string>; body?: string },
): Promise<Written> | undefined {
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (method === 'GET' && body !== '') return undefined;
  if (!sent.every(([, value]) => PRINTABLE.test(value))) return undefined;
  const bytes = Buffer.from(body);
  const named: Record<string, string> = { ...Object.fromEntries(sent), host: url.host };
  if (method !== 'GET') named['content-length'] = String(bytes.length);
  const incoming = Object.assign(
    new Readable({
      read() {
        if (bytes.length > 0) this.push(bytes);
        this.push(null);
      },
    }),
    { method, url: url.pathname + url.search, headers: named, rawHeaders: Object.entries(named).flat() },
  );
  let resolve: (written: Written) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const written = new Promise<Written>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  let status = 0;
  let head: Record<string, string> = {};
  const outgoing = {
    destroyed: false,
    writeHead(code: number, given: Record<string, string>) {
      status = code;
      head = given;
      return this;
    },
    end(text = '') {
      resolve({ status, headers: new Headers(head), text });
    },
  };
  const taken = served.direct(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse, reject);
  return taken ? written : undefined;
}
