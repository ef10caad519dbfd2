import type { Context } from 'hono';
import type { Host } from '../host/host.ts';
import { remembered } from '../host/journal.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { stopwatch } from '../kernel/clock.ts';
import type { Failure } from '../kernel/errors.ts';
import type { Operation, Principal } from '../kernel/operation.ts';
import type { World } from '../kernel/world.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import { corsHeaders } from './gate.ts';

/** One request on its way through. */
export interface Passage {
  readonly c: Context;
  readonly host: Host;
  readonly op: Operation | undefined;
  /** Below the version segment. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly started: number;
  sandbox: Sandbox;
  /** The life that it began in. */
  world: World;
  principal: Principal | undefined;
  text: string;
  /** The other origin whose page asks, where it may. */
  origin: string | undefined;
  /** The fault that fired, and what it did. */
  fault: string | undefined;
}

/** Start a passage; until somebody is logged in, what is logged goes to the default sandbox. */
export const begin = (
  host: Host,
  c: Context,
  op: Operation | undefined,
  path: string,
  params: Passage['params'],
): Passage => ({
  c,
  host,
  op,
  path,
  params,
  requestId: host.nextRequestId(),
  started: stopwatch(),
  sandbox: host.default,
  world: host.default.world,
  principal: undefined,
  text: '',
  origin: undefined,
  fault: undefined,
});

/** The reply of a call that was done, and its line in the log. */
export function finish(passage: Passage, status: number, text: string): Response {
  log(passage, status, text);
  return replyOf(passage.c, status, text, headersOf(passage));
}

const headersOf = ({ requestId, origin }: Passage): Record<string, string> =>
  origin === undefined ? replyHeaders(requestId) : { ...replyHeaders(requestId), ...corsHeaders(origin) };

/**
 * Turn what was thrown into an error reply; nothing of the call is left but its line in the log. One whose life ended on the way
 * is 409 `CONFLICT`, and not even that is left.
 */
export function refuse(passage: Passage, thrown: unknown): Response | Promise<Response> {
  const { host, c, op, world } = passage;
  const error = world.over ?? thrown;
  const failure = asFailure(error);
  if (failure !== error)
    host.broken(`${c.req.method} ${passage.path} (${op?.id ?? 'no operation'}) ${passage.requestId}`, error);
  if (op && failure === error && !passage.fault && !world.over && !declared(op, failure))
    host.broken(`${op.id} refused with ${failure.code}, which it does not declare`, error);
  log(passage, failure.status, failureText(host.profile, failure), failure);
  return refused(passage, failure);
}

/** The error reply itself. */
export function refused(passage: Passage, failure: Failure): Response | Promise<Response> {
  const { c, host, principal } = passage;
  const headers = failureHeaders(failure, headersOf(passage));
  // With somebody logged in it is a wallet's signature that was wrong, which is no matter of this header.
  if (failure.status === 401 && !principal) headers['www-authenticate'] = 'Basic realm="sandbox-emulator"';
  return refusalOf(c, failure.status, failureText(host.profile, failure), headers);
}

/** Codes that any operation may answer with. */
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

/** A line in the log of whoever is logged in. */
export function log(passage: Passage, status: number, reply: string, failure?: Failure): void {
  const { c, host, sandbox, world, op } = passage;
  const { url } = c.req;
  const mark = url.indexOf('?');
  const incoming = (c.env as { incoming?: { rawHeaders?: string[] } } | undefined)?.incoming;
  host.note(sandbox, world, {
    id: passage.requestId,
    at: world.clock.iso(),
    method: c.req.method,
    path: url.slice(url.indexOf('/', 8), mark < 0 ? undefined : mark),
    query: mark < 0 ? '' : url.slice(mark),
    headers: incoming?.rawHeaders ?? [...c.req.raw.headers].flat(),
    body: remembered(passage.text),
    operation: op?.id,
    status,
    reply: remembered(reply),
    ms: stopwatch() - passage.started,
    code: failure?.code,
    why: failure?.why,
    fault: passage.fault,
  });
}
