import type { Answer } from '../contract/answer.ts';
import { Failure } from '../contract/errors.ts';
import { Faults } from '../contract/faults.ts';
import type { Operation } from '../declare/operation.ts';
import { stopwatch } from '../engine/clock.ts';
import { type Entry, remembered } from '../sandbox/request-log.ts';
import { sandboxNamed } from './auth.ts';
import type { Call } from './exchange.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import { corsHeaders, isPreflight } from './gate.ts';
import { keep } from './idempotency.ts';
import { targetOf } from './request.ts';

/** Returns the reply of a completed call, and logs it. */
export function finish(call: Call, status: number, text: string, reason?: Reason): Answer {
  log(call, status, text, reason);
  return replyOf(status, text, headersOf(call));
}

/** Returns the headers of an API reply; a page of an allowed origin may read it. */
export const headersOf = ({ requestId, origin }: Call): Record<string, string> =>
  origin === undefined ? replyHeaders(requestId) : { ...replyHeaders(requestId), ...corsHeaders(origin) };

/**
 * Turns an error into an error reply; nothing of the call remains but its line in the log. If its life ended on the
 * way, it is 409 `CONFLICT`, and not even the line remains.
 */
export function refuse(call: Call, thrown: unknown): Answer | Promise<Answer> {
  // A caller looks for it there; a life that ended before anybody was admitted is not why it is refused.
  if (!call.principal) call.belongTo(sandboxNamed(call.app, call.request.header('authorization')));
  const { host, request, op, slot, world } = call;
  const error = world.over ?? thrown;
  const failure = asFailure(error);
  const text = failureText(host.profile, failure);
  if (slot && call.settled && error instanceof Failure && !world.over) keep(world, slot, failure.status, text);
  if (failure !== error)
    host.broken(`${request.method} ${call.path} (${op?.id ?? 'no operation'}) ${call.requestId}`, error);
  if (op && failure === error && !call.fault && !failure.passes && !world.over && !declared(op, failure))
    host.broken(`${op.id} refused with ${failure.code}, which it does not declare`, error);
  // A page's preflight is not a call: neither its reply nor its refusal is logged.
  if (!isPreflight(request)) log(call, failure.status, text, failure);
  return refused(call, failure);
}

const SCHEMES = { basic: 'Basic', bearer: 'Bearer' } as const;

/** Returns the error reply itself. */
export function refused(call: Call, failure: Failure): Answer | Promise<Answer> {
  const { request, host, op, principal } = call;
  const headers = failureHeaders(failure, headersOf(call));
  const scheme = op?.auth ?? 'basic';
  // For an authenticated caller the proof was wrong, which this header does not concern.
  if (failure.status === 401 && !principal && scheme !== 'none')
    headers['www-authenticate'] = `${SCHEMES[scheme]} realm="sandbox-emulator"`;
  return refusalOf(request, failure.status, failureText(host.profile, failure), headers);
}

/** Codes with which any operation may refuse. */
const ANYWHERE: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INVALID_INPUT',
  'INVALID_REQUEST_FORMAT',
  'INTERNAL_ERROR',
  'RATE_LIMITED',
]);

const declared = (op: Operation, failure: Failure): boolean =>
  ANYWHERE.has(failure.code) ||
  op.refuses.includes(failure.code) ||
  (failure.code === 'CONFLICT' && op.idempotency !== undefined);

/** Returns the faults as the call found them, for a rewind; undefined if there were none. */
function faultsBefore({ faults, metFaults, sandbox }: Call): Faults | undefined {
  return metFaults || sandbox.faults.none ? faults : new Faults(sandbox.seed, sandbox.faults);
}

/** The code of a refusal, and what only the log says of a reply. */
type Reason = Pick<Entry, 'code' | 'why'>;

/** Logs a call in the sandbox of its caller. */
export function log(call: Call, status: number, reply: string, reason?: Reason): void {
  const { request, host, sandbox, world, op } = call;
  const target = targetOf(request);
  const mark = target.indexOf('?');
  const moment = call.moment ?? world.moment();
  host.note(sandbox, world, {
    id: call.requestId,
    at: world.clock.iso(),
    method: request.method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark),
    headers: sandbox.requestLog.sharing(call.app.lock.logged(request.headers())),
    body: remembered(call.text),
    operation: op?.id,
    status,
    reply: remembered(reply),
    ms: stopwatch() - call.started,
    code: reason?.code,
    why: reason?.why,
    fault: call.fault,
    before: moment && { moment, faults: faultsBefore(call) },
    caused: undefined,
  });
}
