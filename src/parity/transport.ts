import { Agent, request as http } from 'node:http';
import { request as https, Agent as SecureAgent } from 'node:https';

/** One request as it goes over the wire. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

export type Send = (sent: Sent) => Promise<Answer>;

/** Milliseconds that a side has for an answer. */
const PATIENCE_MS = 30_000;
/** Bytes of the longest answer that is read. */
const LONGEST = 16 * 1024 * 1024;

/** Media type without its parameters. */
export const mediaType = (value: string | null | undefined): string | null =>
  value?.split(';')[0]?.trim().toLowerCase() || null;

/** Sends to one origin and to no other, over connections that stay open. Follows no redirect: a 3xx is an answer like any other. */
export function overHttp(origin: string): { send: Send; close: () => void } {
  const { protocol } = new URL(origin);
  const secure = protocol === 'https:';
  const agent = secure
    ? new SecureAgent({ keepAlive: true, maxSockets: 4 })
    : new Agent({ keepAlive: true, maxSockets: 4 });
  const send: Send = ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      if (new URL(url).origin !== new URL(origin).origin) return reject(new Error(`${origin} only is asked`));
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = (secure ? https : http)(url, { method, headers: { ...headers, ...length }, agent }, (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > LONGEST) call.destroy(new Error(`the answer to ${method} has more than ${LONGEST} bytes`));
          else parts.push(part);
        });
        response.on('error', reject);
        response.on('end', () => {
          const type = mediaType(response.headers['content-type']);
          resolve({ status: response.statusCode ?? 0, type, text: Buffer.concat(parts).toString('utf8') });
        });
      });
      call.setTimeout(PATIENCE_MS, () => call.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)));
      call.on('error', reject);
      call.end(body);
    });
  return { send, close: () => agent.destroy() };
}
