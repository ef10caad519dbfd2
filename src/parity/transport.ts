import { Agent, request as http } from 'node:http';
import { request as https, Agent as SecureAgent } from 'node:https';
import { Trouble, troubleOf } from './trouble.ts';

/** One request in the form in which it is sent. */
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

/** Sends one request; the whole reply must arrive within that many milliseconds. */
export type Send = (sent: Sent, withinMs?: number) => Promise<Answer>;

/** Milliseconds within which a side has to reply, unless a caller says otherwise. */
const PATIENCE_MS = 30_000;
/** The most bytes of a reply that are read. */
const LONGEST = 16 * 1024 * 1024;

/** Returns a media type without its parameters. */
export const mediaType = (value: string | null | undefined): string | null =>
  value?.split(';')[0]?.trim().toLowerCase() || null;

/**
 * Sends to one origin only, over connections that stay open. It follows no redirect: a 3xx is a reply like any other.
 * Rejects with `Trouble`.
 */
export function overHttp(origin: string): { send: Send; close: () => void } {
  const { protocol, host } = new URL(origin);
  const secure = protocol === 'https:';
  const agent = secure
    ? new SecureAgent({ keepAlive: true, maxSockets: 4 })
    : new Agent({ keepAlive: true, maxSockets: 4 });
  const send: Send = ({ method, url, headers, body }, withinMs = PATIENCE_MS) =>
    new Promise((resolve, reject) => {
      const failed = (error: unknown) => reject(troubleOf(host, error));
      if (!URL.canParse(url) || new URL(url).origin !== new URL(origin).origin)
        return failed(new Trouble(`${host} names another address for its API, which is not called: ${origin} only is`));
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = (secure ? https : http)(url, { method, headers: { ...headers, ...length }, agent }, (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > LONGEST) call.destroy(new Trouble(`${host} answers ${method} with more than ${LONGEST} bytes`));
          else parts.push(part);
        });
        response.on('error', failed);
        response.on('end', () => {
          const type = mediaType(response.headers['content-type']);
          resolve({ status: response.statusCode ?? 0, type, text: Buffer.concat(parts).toString('utf8') });
        });
      });
      // Not the socket's own timeout, which a reply that drips never reaches.
      const late = () => call.destroy(new Trouble(`${host} does not answer within ${withinMs / 1000} s`));
      const deadline = setTimeout(late, Math.max(0, withinMs));
      call.on('close', () => clearTimeout(deadline));
      call.on('error', failed);
      // No API switches protocols, and Node reports nothing more about the call afterwards.
      call.on('upgrade', (_, socket) => {
        socket.destroy();
        failed(new Trouble(`what ${host} answers is not a reply of an API (it switches protocols)`));
      });
      call.end(body);
    });
  return { send, close: () => agent.destroy() };
}
