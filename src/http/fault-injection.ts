import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, type ErrorCode, Failure } from '../contract/errors.ts';
import type { CallFault } from '../contract/faults.ts';
import { realWait } from '../engine/timers.ts';
import type { World } from '../engine/world.ts';
import { type Answer, type Asked, Direct, WRITTEN } from './direct.ts';

/** The error that stands for a status, where a fault names only that. */
const USUAL: Readonly<Record<number, ErrorCode>> = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'REFERENCE_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  501: 'NOT_IMPLEMENTED',
};

const codeFor = (status: number): ErrorCode =>
  USUAL[status] ??
  (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code] === status) ??
  (status < 500 ? 'INVALID_INPUT' : 'INTERNAL_ERROR');

/** The refusal that a fault asks for, if it asks for one. */
export function wantedRefusal(fault: string, then: CallFault): Failure | undefined {
  if (then.status === undefined && then.code === undefined && then.retryAfter === undefined) return undefined;
  const code = then.code ?? codeFor(then.status ?? 429);
  return new Failure(code, then.message ?? `${fault} of this sandbox asked for this answer`, {
    status: then.status,
    retryAfter: then.retryAfter,
    why: { rule: `${fault} (see /_emulator/faults)` },
  });
}

/** What a fault does, in a few words for the log. */
export const describeFault = (fault: string, then: CallFault): string =>
  `${fault}: ${[
    then.delayMs === undefined ? '' : `waited ${then.delayMs} ms`,
    then.status !== undefined || then.code !== undefined || then.retryAfter !== undefined
      ? `answered ${then.status ?? ''}${then.status && then.code ? ' ' : ''}${then.code ?? (then.status ? '' : '429')}`
      : '',
    then.drop ? 'closed the connection' : '',
    then.truncate ? 'cut the answer short' : '',
  ]
    .filter(Boolean)
    .join(', ')}${after(then) ? ' after the call was done' : ''}`;

/** Whether the call is done although its caller never hears so. */
export const after = (then: CallFault): boolean => then.when === 'after' || then.truncate === true;

/** Real time, because a client's patience is real, but none beyond the life of a world. False when the emulator closed meanwhile. */
export async function wait({ delayMs }: CallFault, world: World, closing: AbortSignal): Promise<boolean> {
  if (delayMs) {
    const ended = new AbortController();
    const stop = world.scheduler.onClose(() => ended.abort());
    await realWait(delayMs, ended.signal);
    stop();
  }
  return !closing.aborted;
}

/** A dropped connection where there is no socket; `emulator.fetch` rejects with it, as a fetch over a socket would. */
export class Dropped extends TypeError {
  constructor() {
    super('fetch failed: a fault closed the connection');
  }
}

/** Thrown past Hono, which hands only errors to its error handler. */
export const DROPPED = { dropped: true } as const;

interface Ends {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
}

/** Tells whoever serves that the answer is no longer its business. */
function alreadySent(c: Asked): Answer {
  if (c instanceof Direct) return WRITTEN;
  const nothing = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // The adapter looks for that header only on an answer that somebody has looked at; others it writes unseen.
  void nothing.body;
  return nothing;
}

/** Close the connection without a word. */
export function hangUp(c: Asked): Answer {
  const { incoming } = (c.env ?? {}) as Ends;
  if (!incoming) throw DROPPED;
  if (c instanceof Direct) c.writeOthers();
  incoming.socket.destroy();
  return alreadySent(c);
}

/** Send the head and half of the body, then close the connection. */
export async function cutShort(c: Asked, response: Answer): Promise<Answer> {
  if (response === WRITTEN) return response;
  const body = Buffer.from(await response.arrayBuffer());
  const half = body.subarray(0, Math.floor(body.length / 2));
  const { outgoing } = (c.env ?? {}) as Ends;
  const headers = { ...Object.fromEntries(response.headers), 'content-length': String(body.length) };
  if (!outgoing) {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(half));
      },
      pull: (controller) => controller.error(new TypeError('terminated: a fault cut the answer short')),
    });
    return new Response(broken, { status: response.status, headers });
  }
  outgoing.writeHead(response.status, headers);
  await new Promise<void>((resolve) => outgoing.write(half, () => resolve()));
  outgoing.destroy();
  return alreadySent(c);
}
