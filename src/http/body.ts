import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure, fail } from '../contract/errors.ts';
import { realWait } from '../engine/timers.ts';
import type { Asked } from './direct.ts';

/** Largest JSON body. */
export const JSON_LIMIT = 1024 * 1024;
/** What is read of a body that was refused, in bytes and real milliseconds, before the connection is given up. */
const REST = { bytes: 16 * 1024 * 1024, ms: 500 };

const tooLarge = (limit: number): never =>
  fail('INVALID_REQUEST_FORMAT', `the body is larger than ${limit} bytes`, {
    why: { rule: 'request size', expected: limit },
  });

/** The request as Node has it; there is none where nothing came over a socket. */
export const incomingOf = (c: Asked): IncomingMessage | undefined =>
  (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;

type Reader = ReadableStreamDefaultReader<Uint8Array>;
const readers = new WeakMap<object, Reader>();

/** The one reader of a body. It is never cancelled: that would end the connection before the answer. */
export function readerOf(c: Asked): Reader | undefined {
  const { raw } = c.req;
  const known = readers.get(raw);
  if (known) return known;
  const reader = raw.body?.getReader();
  if (reader) readers.set(raw, reader);
  return reader;
}

const announcedBytes = (c: Asked): number => Number(c.req.header('content-length') ?? 0);

/** The body as bytes, refused beyond a limit, whether its length was announced or not. */
export async function readBytes(c: Asked, limit: number): Promise<Uint8Array> {
  if (c.req.header('content-length') !== undefined) {
    if (announcedBytes(c) > limit) tooLarge(limit);
    const read = await c.req.arrayBuffer();
    const bytes = read instanceof Uint8Array ? read : new Uint8Array(read);
    return bytes.length > limit ? tooLarge(limit) : bytes;
  }
  const reader = readerOf(c);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.length;
    if (size > limit) tooLarge(limit);
    parts.push(chunk.value);
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}

/** The body as text; 400 `INVALID_REQUEST_FORMAT` when it is not UTF-8. */
export async function readText(c: Asked, limit: number = JSON_LIMIT): Promise<string> {
  return textOf(await whole(c, limit));
}

/** Bytes as text; 400 `INVALID_REQUEST_FORMAT` when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) fail('INVALID_REQUEST_FORMAT', 'the body is not valid UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

async function whole(c: Asked, limit: number): Promise<Uint8Array> {
  try {
    return await readBytes(c, limit);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail('INVALID_REQUEST_FORMAT', 'the body ended before it was complete');
  }
}

/** A body that is nobody's business, for the log: whatever it is, it is no reason to refuse. */
export async function readIgnored(c: Asked): Promise<string> {
  try {
    return Buffer.from(await whole(c, JSON_LIMIT)).toString('utf8');
  } catch {
    return '';
  }
}

/** Whether all of it came and was read; Node says that it ended a moment later. */
const isTaken = (incoming: IncomingMessage): boolean =>
  incoming.readableEnded || (incoming.complete && incoming.readableLength === 0);

/** Whether some of the body may not have been read. */
export function isUnread(c: Asked): boolean {
  const incoming = incomingOf(c);
  if (!incoming || isTaken(incoming) || c.req.method === 'GET' || c.req.method === 'HEAD') return false;
  return announcedBytes(c) > 0 || incoming.headers['transfer-encoding'] !== undefined;
}

/** Read what is left of a body, so that the connection can be used again. False when there is too much of it. */
export async function readRest(c: Asked): Promise<boolean> {
  if (announcedBytes(c) > REST.bytes) return false;
  const patience = new AbortController();
  const late = realWait(REST.ms, patience.signal).then(() => undefined);
  try {
    const reader = readerOf(c);
    for (let size = 0; size <= REST.bytes; ) {
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
