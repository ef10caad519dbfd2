import type { Answer } from '../contract/answer.ts';
import { ERRORS, type ErrorCode, Failure } from '../contract/errors.ts';
import type { CallFault } from '../contract/faults.ts';
import { realWait } from '../engine/timers.ts';
import type { World } from '../engine/world.ts';
import type { Call } from './exchange.ts';

/** The error code for a status, if a fault names only the status. */
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

/** Returns the refusal that a fault requires, if any. */
export function wantedRefusal(fault: string, then: CallFault): Failure | undefined {
  if (then.status === undefined && then.code === undefined && then.retryAfter === undefined) return undefined;
  const code = then.code ?? codeFor(then.status ?? 429);
  return new Failure(code, then.message ?? `${fault} of this sandbox sends this answer`, {
    status: then.status,
    retryAfter: then.retryAfter,
    why: { rule: `${fault} (see /_emulator/faults)` },
  });
}

/** Returns the effect of a fault, in a few words for the log. */
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

/** Returns whether the call is carried out although its caller never learns it. */
export const after = (then: CallFault): boolean => then.when === 'after' || then.truncate === true;

/**
 * Waits in real time, because a client's patience is real, but not beyond the life of a world; counts a client that
 * gives up. Returns false if the emulator closed.
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

/** The answer to a call whose connection closes without a reply. */
export const HANG_UP: Answer = { status: 200, headers: {}, body: null, breaks: 'before' };

/** Returns an answer cut short after its head and half of its body. */
export const cutShort = (answer: Answer): Answer => ({ ...answer, body: answer.body ?? '', breaks: 'halfway' });
