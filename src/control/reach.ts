import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';

/** The error for a reply from a program that is not an emulator. */
export class NotAnEmulator extends Error {}

/** A request to an emulator that runs elsewhere; `path` is below its address. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | undefined;
  readonly controlToken?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request to the emulator at an address and returns the reply. Any program may listen on a port, even one that
 * an emulator used before. The control token is therefore sent only after a first request, without it, whose reply
 * identifies an emulator. Rejects with `NotAnEmulator`, or with the error of the connection.
 */
export async function reach(url: string, { controlToken, ...sent }: Sent): Promise<IncomingMessage> {
  if (controlToken === undefined) return request(url, sent);
  const health = await request(url, { method: 'GET', path: '/_emulator/health', signal: sent.signal });
  health.resume();
  if (!isOfEmulator(health)) throw new NotAnEmulator(`what answers at ${url} is not a sandbox-emulator`);
  return request(url, { ...sent, headers: { ...sent.headers, 'x-control-token': controlToken } });
}

/** Returns whether a reply is from an emulator. */
export const isOfEmulator = ({ headers }: IncomingMessage): boolean => headers['x-sandbox-emulator'] !== undefined;

async function request(url: string, { method, path, headers, body, signal }: Sent): Promise<IncomingMessage> {
  const target = new URL(`${url}${path}`);
  const send = target.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
  const options: RequestOptions = {
    method,
    agent: false,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    ...(signal ? { signal } : {}),
  };
  return new Promise((resolve, reject) => {
    send(target, options, resolve).once('error', reject).end(body);
  });
}
