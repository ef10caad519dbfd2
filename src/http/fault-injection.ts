import type { Answer } from '../contract/answer.ts';
import { ERRORS, type ErrorCode, Failure } from '../contract/errors.ts';
import type { CallFault } from '../contract/faults.ts';
import { realWait } from '../engine/timers.ts';
import type { World } from '../engine/world.ts';
import type { Call } from './exchange.ts';

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
  return new Failure(code, then.message ?? `${fault} of this sandbox sends this answer`, {
    status: then.status,
    retryAfter: then.retryAfter,
    why: { rule: `${fault} (see /_emulator/faults)` },
  });
}

/** Returns what a fault does, in a few words for the log. */
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

/** Returns whether the call is done although its caller never hears so. */
export const after = (then: CallFault): boolean => then.when === 'after' || then.truncate === true;

/**
 * Waits in real time, because a client's patience is real, but not beyond the life of a world; counts a client that gives up.
 * Returns false when the emulator closed.
 */
export async function wait(
  { id, then: { delayMs } }: { readonly id: string; readonly then: CallFault },
  { request, sandbox, host }: Call,
  world: World,
): Promise<boolean> {
  if (delayMs) {
    const ended = new AbortController();
    const stop = world.scheduler.onClose(() => ended.abort());
    const over = sandbox.faults.hold(id);
    const stay = request.onLeave(() => over(true));
    await realWait(delayMs, ended.signal);
    stay();
    over(false);
    stop();
  }
  return !host.closing.aborted;
}

/** The answer of a call whose connection is closed without a word. */
export const HANG_UP: Answer = { status: 200, headers: {}, body: null, breaks: 'before' };

/** Returns an answer of which the head and half of the body are sent. */
export const cutShort = (answer: Answer): Answer => ({ ...answer, body: answer.body ?? '', breaks: 'halfway' });
