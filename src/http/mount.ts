import type { Context } from 'hono';
import type { Host } from '../host/host.ts';
import { remembered } from '../host/journal.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { stopwatch } from '../kernel/clock.ts';
import { Failure, fail } from '../kernel/errors.ts';
import type { Ask, Operation, Principal, Reply } from '../kernel/operation.ts';
import { type Profile, render, understood } from '../kernel/profile.ts';
import { newTrace, type Trace, type World } from '../kernel/world.ts';
import { basicCredentials, requirePermission } from './auth.ts';
import { asFailure, failureHeaders, failureText, replyHeaders } from './failures.ts';
import { keep, replayed, type Slot, slotOf } from './idempotency.ts';
import { after, cutShort, hangUp, refusalOf, saying, wait } from './interfere.ts';
import { readForm, streamFile } from './multipart.ts';
import { parseAs, parseJson, readText } from './parse.ts';
import { hasShape } from './shape-check.ts';
import { keepText, keptText } from './texts.ts';

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
  principal: Principal | undefined;
  text: string;
  trace: Trace | undefined;
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
  principal: undefined,
  text: '',
  trace: undefined,
  fault: undefined,
});

/** Answer a request for an operation: the steps of `docs/architecture.md`, in their order. */
export function enter(passage: Passage, op: Operation): Response | Promise<Response> {
  try {
    const { id, secret } = basicCredentials(passage.c.req.header('authorization'));
    const { sandbox, principal } = passage.host.authenticate(id, secret);
    passage.sandbox = sandbox;
    passage.principal = principal;
    requirePermission(principal, op.permission);
    if (!sandbox.faults.none) return interfered(passage, op);
  } catch (error) {
    return refuse(passage, error);
  }
  return proceed(passage, op);
}

function proceed(passage: Passage, op: Operation): Response | Promise<Response> {
  try {
    if (op.method === 'GET' && !op.prepare)
      return complete(passage, op, answer(passage, op, askOf(passage, op, undefined), undefined));
  } catch (error) {
    return refuse(passage, error);
  }
  return slowly(passage, op);
}

/** The way of a request that something may go wrong with on purpose. */
async function interfered(passage: Passage, op: Operation): Promise<Response> {
  const { c, host, sandbox, path } = passage;
  const struck = sandbox.faults.onCall({ operation: op.id, method: op.method, path, declared: op.path });
  if (!struck) return proceed(passage, op);
  const { id, then } = struck;
  passage.fault = saying(id, then);
  const refusal = refusalOf(id, then);
  if (!(await wait(then, host.closing))) return hangUp(c);
  if (!after(then)) {
    if (then.drop) {
      log(passage, 0, '');
      return hangUp(c);
    }
    return refusal ? refuse(passage, refusal) : proceed(passage, op);
  }
  const response = await proceed(passage, op);
  if (then.drop) return hangUp(c);
  if (then.truncate) return cutShort(c, response);
  return refusal ? refused(passage, refusal) : response;
}

/** The way of a request that has a body, or work that waits. */
async function slowly(passage: Passage, op: Operation): Promise<Response> {
  try {
    const ask = await received(passage, op);
    const slot = slotFor(passage, op);
    const { world } = passage.sandbox;
    let first = slot && replayed(world, slot);
    if (first) return finish(passage, first.status, first.text);
    const prepared = op.prepare ? await op.prepare(ask) : undefined;
    first = slot && op.prepare ? replayed(world, slot) : undefined;
    if (first) return finish(passage, first.status, first.text);
    if (!slot) return complete(passage, op, answer(passage, op, ask, prepared));
    return keeping(passage, world, slot, () => answer(passage, op, ask, prepared));
  } catch (error) {
    return refuse(passage, error);
  }
}

/** Run once a key: what it answers or refuses is what its repeats get. */
function keeping(passage: Passage, world: World, slot: Slot, run: () => Reply): Response {
  try {
    const reply = run();
    const text = reply.value === undefined ? '' : render(passage.host.profile, reply.value);
    // A challenge is no answer yet: its retry comes with the same key.
    if (reply.status !== 202 || !passage.op?.signed) keep(world, slot, reply.status, text);
    return finish(passage, reply.status, text);
  } catch (error) {
    if (error instanceof Failure) keep(world, slot, error.status, failureText(passage.host.profile, error));
    throw error;
  }
}

/** What was sent: JSON, or a form, which is not even read for somebody who may not send it. */
async function received(passage: Passage, op: Operation): Promise<Ask> {
  const { c, principal } = passage;
  if (!op.upload) {
    passage.text = await readText(c);
    return askOf(passage, op, bodyOf(passage, op));
  }
  if (principal) requirePermission(principal, op.permission);
  if (op.upload.stream) return askOf(passage, op, undefined);
  const form = await readForm(c, op, op.upload);
  passage.text = form.note;
  return askOf(passage, op, form.body, form.files);
}

function slotFor(passage: Passage, op: Operation): Slot | undefined {
  if (!op.idempotency) return undefined;
  const key = passage.c.req.header('idempotency-key');
  if (key !== undefined && key !== '' && key.length <= 255) return slotOf(op.method, passage.path, key, passage.text);
  if (key !== undefined) fail('INVALID_INPUT', 'Idempotency-Key: must have 1 to 255 characters');
  if (op.idempotency === 'required') fail('INVALID_INPUT', 'Idempotency-Key: required');
  return undefined;
}

function bodyOf(passage: Passage, op: Operation): unknown {
  if (!op.body) return undefined;
  if (passage.text === '') {
    if (op.bodyOptional) return parseAs(op.body(), {});
    return fail('INVALID_REQUEST_FORMAT', 'a JSON body is required');
  }
  const sent = parseJson(passage.text, passage.c.req.header('content-type'));
  return parseAs(op.body(), understood(passage.host.profile, sent));
}

function queryOf(c: Context, op: Operation, profile: Profile): unknown {
  if (!op.query) return {};
  const values: Record<string, unknown> = {};
  for (const [name, all] of Object.entries(c.req.queries())) values[name] = all.length === 1 ? all[0] : all;
  return parseAs(op.query(), understood(profile, values));
}

/** What an operation is given; a class, because an object with a getter of its own costs a hidden class a request. */
class Asked implements Ask {
  readonly #c: Context;
  readonly world: World;
  readonly principal: Principal;
  readonly params: Passage['params'];
  readonly query: unknown;
  readonly body: unknown;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly files: Ask['files'];
  readonly #upload: Operation['upload'];

  constructor(passage: Passage, op: Operation, principal: Principal, body: unknown, files: Ask['files']) {
    this.#c = passage.c;
    this.#upload = op.upload;
    this.files = files;
    this.world = passage.sandbox.world;
    this.principal = principal;
    this.params = passage.params;
    this.query = queryOf(passage.c, op, passage.host.profile);
    this.body = body;
    this.text = passage.text;
    this.method = op.method;
    this.path = passage.path;
  }

  header(name: string): string | undefined {
    return this.#c.req.header(name);
  }

  get incoming(): AsyncIterable<Uint8Array> {
    if (!this.#upload?.stream) throw new Error('this operation does not stream');
    return streamFile(this.#c, this.#upload);
  }

  get origin(): string {
    return new URL(this.#c.req.url).origin;
  }
}
const NO_FILES: Ask['files'] = Object.freeze({});

function askOf(passage: Passage, op: Operation, body: unknown, files = NO_FILES): Ask {
  const { principal } = passage;
  if (!principal) throw new Error('nobody is logged in');
  return new Asked(passage, op, principal, body, files);
}

/** Run the operation whole or not at all, and hold its reply against what it declared. */
function answer(passage: Passage, op: Operation, ask: Ask, prepared: unknown): Reply {
  const { world } = ask;
  if (op.method === 'GET')
    return world.clock.during(() => {
      const reply = op.run(ask, prepared);
      check(passage, op, reply);
      return reply;
    });
  const trace = newTrace();
  passage.trace = trace;
  try {
    return world.transact(() => {
      const reply = op.run(ask, prepared);
      check(passage, op, reply);
      return reply;
    }, trace);
  } catch (error) {
    passage.trace = undefined;
    if (error instanceof Failure && error.keeps) keepMark(passage, world, error.keeps);
    throw error;
  }
}

/** A refusal that leaves a mark (a bad proof, say) leaves it here, and nowhere else: the call itself is undone. */
function keepMark(passage: Passage, world: World, keeps: () => void): void {
  const trace = newTrace();
  world.transact(keeps, trace);
  passage.trace = trace;
}

function check({ host }: Passage, op: Operation, reply: Reply): void {
  if (keptText(op, host.profile, reply.of) !== undefined) return;
  const shape = op.replies[reply.status];
  if (shape === undefined) throw new Error(`${op.id} answered ${reply.status}, which it does not declare`);
  if (shape === null) return;
  if (hasShape(shape(), reply.value)) return;
  const checked = shape().safeParse(reply.value);
  throw new Error(`${op.id} answered ${reply.status} in another shape than it declares: ${checked.error?.message}`);
}

function complete(passage: Passage, op: Operation, { status, value, of }: Reply): Response {
  const { profile } = passage.host;
  const kept = keptText(op, profile, of);
  if (kept !== undefined) return finish(passage, status, kept);
  const text = value === undefined ? '' : render(profile, value);
  if (of) keepText(op, profile, of, text);
  return finish(passage, status, text);
}

function finish(passage: Passage, status: number, text: string): Response {
  log(passage, status, text);
  const headers = replyHeaders(passage.requestId);
  if (status === 204) return new Response(null, { status, headers: { ...headers, 'content-type': '' } });
  return new Response(text, { status, headers });
}

/** Turn what was thrown into an error reply; nothing of the call is left but its line in the log. */
export function refuse(passage: Passage, error: unknown): Response {
  const { host, c, op } = passage;
  const failure = asFailure(error);
  if (failure !== error)
    host.broken(`${c.req.method} ${passage.path} (${op?.id ?? 'no operation'}) ${passage.requestId}`, error);
  if (op && failure === error && !passage.fault && !declared(op, failure))
    host.broken(`${op.id} refused with ${failure.code}, which it does not declare`, error);
  if (!failure.keeps) passage.trace = undefined;
  log(passage, failure.status, failureText(host.profile, failure), failure);
  return refused(passage, failure);
}

/** The error reply itself. */
const refused = ({ host, requestId }: Passage, failure: Failure): Response =>
  new Response(failureText(host.profile, failure), {
    status: failure.status,
    headers: failureHeaders(failure, replyHeaders(requestId)),
  });

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

function log(passage: Passage, status: number, reply: string, failure?: Failure): void {
  const { c, host, sandbox, op } = passage;
  const { url } = c.req;
  const mark = url.indexOf('?');
  const incoming = (c.env as { incoming?: { rawHeaders?: string[] } } | undefined)?.incoming;
  host.note(sandbox, {
    id: passage.requestId,
    at: sandbox.world.clock.iso(),
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
    trace: passage.trace,
    fault: passage.fault,
  });
}
