import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure, fail } from '../contract/errors.ts';
import { realWait } from '../engine/timers.ts';
import type { HttpRequest } from './request.ts';

/** The most bytes of a JSON body. */
export const JSON_LIMIT = 1024 * 1024;
/**
 * The most that is read of a refused body before the connection is closed: bytes, and real milliseconds, in total and
 * without a new chunk. A client that still writes when the connection closes may never see the refusal.
 */
const REST = { bytes: 256 * 1024 * 1024, ms: 10_000, silentMs: 500 };

const tooLarge = (limit: number): never =>
  fail('INVALID_REQUEST_FORMAT', `the body is larger than ${limit} bytes`, {
    why: { rule: 'request size', expected: limit },
  });

const announcedBytes = (request: HttpRequest): number => Number(request.header('content-length') ?? 0);

/** Returns the body as bytes, refused beyond a limit, whether its length was announced or not. */
async function readBytes(request: HttpRequest, limit: number): Promise<Uint8Array> {
  if (request.header('content-length') !== undefined) {
    if (announcedBytes(request) > limit) tooLarge(limit);
    const bytes = await request.bytes();
    return bytes.length > limit ? tooLarge(limit) : bytes;
  }
  const { reader } = request;
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.length;
    if (size > limit) tooLarge(limit);
    parts.push(chunk.value);
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}

/** Returns the body as text; 400 `INVALID_REQUEST_FORMAT` if it is not UTF-8. */
export async function readText(request: HttpRequest, limit?: number): Promise<string> {
  return utf8Text(await readUtf8(request, limit));
}

/** Returns the body as bytes of UTF-8; 400 `INVALID_REQUEST_FORMAT` if they are not. */
export async function readUtf8(request: HttpRequest, limit: number = JSON_LIMIT): Promise<Uint8Array> {
  const bytes = await whole(request, limit);
  return isUtf8(bytes) ? bytes : fail('INVALID_REQUEST_FORMAT', 'the body is not valid UTF-8');
}

/** Returns bytes of UTF-8 as text. */
export const utf8Text = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

async function whole(request: HttpRequest, limit: number): Promise<Uint8Array> {
  try {
    return await readBytes(request, limit);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail('INVALID_REQUEST_FORMAT', 'the body ended before it was complete');
  }
}

/** Returns an unused body as text for the log; it never refuses, and returns an empty text for an unreadable one. */
export async function readIgnored(request: HttpRequest): Promise<string> {
  try {
    return Buffer.from(await whole(request, JSON_LIMIT)).toString('utf8');
  } catch {
    return '';
  }
}

/** Returns whether the whole body arrived and was read; Node emits its end a moment later. */
const isTaken = (incoming: IncomingMessage): boolean =>
  incoming.readableEnded || (incoming.complete && incoming.readableLength === 0);

/** Returns whether some of the body may not have been read. */
export function isUnread(request: HttpRequest): boolean {
  const { incoming, method } = request;
  if (!incoming || isTaken(incoming) || method === 'GET' || method === 'HEAD') return false;
  return announcedBytes(request) > 0 || incoming.headers['transfer-encoding'] !== undefined;
}

/** Reads the rest of a body, so that the connection can be reused. Returns false if it is too long, or stalls. */
export async function readRest(request: HttpRequest): Promise<boolean> {
  if (announcedBytes(request) > REST.bytes) return false;
  const patience = new AbortController();
  let size = 0;
  const late = Promise.race([realWait(REST.ms, patience.signal), silence(() => size, patience.signal)]).then(
    () => undefined,
  );
  try {
    const { reader } = request;
    while (size <= REST.bytes) {
      const chunk = await Promise.race([reader?.read(), late]);
      if (chunk === undefined) return false;
      if (chunk.done) return true;
      size += chunk.value.length;
    }
    return false;
  } catch {
    return false;
  } finally {
    patience.abort();
  }
}

/** Resolves once no byte has arrived for a while. */
async function silence(sizeOf: () => number, signal: AbortSignal): Promise<void> {
  for (let before = -1; before !== sizeOf() && !signal.aborted; ) {
    before = sizeOf();
    await realWait(REST.silentMs, signal);
  }
}
