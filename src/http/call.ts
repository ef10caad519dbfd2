import { checkNotRevoked } from '../areas/tokens/index.ts';
import type { Answer } from '../contract/answer.ts';
import { Failure, fail } from '../contract/errors.ts';
import { Faults } from '../contract/faults.ts';
import { render } from '../contract/profile.ts';
import { hasShape } from '../contract/shape-check.ts';
import type { Operation, OperationContext, Reply } from '../declare/operation.ts';
import { RowPage } from '../engine/page.ts';
import type { Login } from '../sandbox/host.ts';
import { repeated } from '../sandbox/repeated.ts';
import { agentOf, basicCredentials, bearerIn, requirePermission, sandboxFor, sandboxOfCaller } from './auth.ts';
import { readIgnored, readText } from './body.ts';
import { type Call, runSteps, type Step } from './exchange.ts';
import { replyOf } from './failures.ts';
import { after, cutShort, describeFault, HANG_UP, wait as pause, wantedRefusal } from './fault-injection.ts';
import { isPreflight, preflightHeaders } from './gate.ts';
import { keep, replayed, slotOf } from './idempotency.ts';
import { readForm } from './multipart.ts';
import { pageText } from './page-text.ts';
import { bodyOf, contextOf } from './parse-request.ts';
import { finish, headersOf, log, refuse, refused } from './refusal.ts';
import { cachedText, cacheText } from './response-cache.ts';

// The steps of a call of the API; `steps.ts` says which of them an operation takes, and in which order.

type CallStep = Step<Call>;

const operationOf = ({ op }: Call): Operation => op as Operation;
const givenTo = ({ context }: Call): OperationContext => context as OperationContext;

/** Admits programs, and pages of allowed origins. A page's preflight is answered, and not logged. */
export const admit: CallStep = (call) => {
  const { request, host, app } = call;
  call.origin = app.gate.api(request);
  if (call.origin === undefined || !isPreflight(request)) return;
  return replyOf(204, null, { ...headersOf(call), ...preflightHeaders(request, host.profile.walletSignatureHeader) });
};

/**
 * Finds the caller and the sandbox by Basic credentials. The first call with a token id may have to wait until its
 * sandbox is filled.
 */
export const authenticateBasic: CallStep = (call) => {
  const { id, secret } = basicCredentials(call.request.header('authorization'));
  const login = call.host.authenticate(id, secret);
  return login instanceof Promise ? login.then((done) => enter(call, done)) : enter(call, login);
};

export const authenticateBearer: CallStep = (call) =>
  enter(call, agentOf(call.app, call.request.header('authorization')));

export const findSandbox: CallStep = async (call) =>
  enter(call, await sandboxFor(call.app, operationOf(call), call.params, call.request.header('authorization')));

/** Refuses an address without an operation of the API. */
export const locate: CallStep = async (call) => {
  call.belongTo(await sandboxOfCaller(call.app, call.request.header('authorization')));
  throw call.missing;
};

function enter(call: Call, { sandbox, principal }: Login): undefined {
  call.belongTo(sandbox);
  call.principal = principal;
}

export const permit: CallStep = ({ principal, op }) => {
  if (principal?.kind === 'platform') requirePermission(principal, (op as Operation).permission);
};

/** Checks the token again: it may have been deleted while the body arrived, or during a fault or outside work. */
export const checkToken: CallStep = ({ principal, world }) => {
  if (principal?.kind === 'platform') checkNotRevoked(world, principal.tokenId);
};

/** Checks the agent again, as `checkToken` does the token: 401 `UNAUTHORIZED` if it was deleted since. */
export const checkAgent: CallStep = ({ app, request, world }) => {
  const token = bearerIn(request.header('authorization'));
  if (token === undefined || !app.principals.some((principalOf) => principalOf(world, token)))
    fail('UNAUTHORIZED', 'the agent was deleted in the meantime', { why: { rule: 'reference 7.1' } });
};

/** Applies the faults; a sandbox without any skips this at no cost. */
export const fault: CallStep = (call, at) => {
  call.metFaults = true;
  return call.sandbox.faults.none ? undefined : injectFault(call, at + 1);
};

/** Serves a request to which a fault may apply. */
async function injectFault(call: Call, next: number): Promise<Answer> {
  const { sandbox, path, route } = call;
  const op = operationOf(call);
  call.faults = new Faults(sandbox.seed, sandbox.faults);
  const injected = sandbox.faults.onCall({ operation: op.id, method: op.method, path, declared: op.path });
  if (!injected) return runSteps(call, route, next);
  const { id, then } = injected;
  call.fault = describeFault(id, then);
  const refusal = wantedRefusal(id, then);
  if (!after(then)) {
    if (!(await pause(injected, call, call.world))) return HANG_UP;
    if (then.drop) {
      log(call, 0, '');
      return HANG_UP;
    }
    return refusal ? refuse(call, refusal) : runSteps(call, route, next);
  }
  const { world } = call;
  const answer = await runSteps(call, route, next);
  if (!(await pause(injected, call, world)) || then.drop) return HANG_UP;
  if (then.truncate) return cutShort(answer);
  return refusal ? refused(call, refusal) : answer;
}

/** Repeats the first reply to a key that identifies the request alone, whatever the body is now (spec 4.2). */
export const replayUnread: CallStep = async (call) => {
  const slot = slotFor(call, '');
  const earlier = slot && replayed(call.world, slot);
  if (!earlier) return;
  call.text = await readIgnored(call.request);
  // The sandbox or the token may have ended while the body arrived, or during a fault.
  call.world.assertOpen();
  await checkToken(call, 0);
  return again(call, earlier);
};

/** Reads JSON, or a form; a file to stream is left unread. */
export const readBody: CallStep = async (call) => {
  const { request } = call;
  const op = operationOf(call);
  if (!op.upload) call.text = await (op.body ? readText(request) : readIgnored(request));
  else if (!op.upload.stream) {
    const { note, body, files } = await readForm(request, op, op.upload);
    call.text = note;
    call.form = { body, files };
  }
};

export const parse: CallStep = (call) => {
  const op = operationOf(call);
  call.context = call.form
    ? contextOf(call, op, call.form.body, call.form.files)
    : contextOf(call, op, op.upload ? undefined : bodyOf(call, op));
};

/** Runs the due consequences of earlier calls, so that their completion does not depend on a busy neighbour. */
export const catchUp: CallStep = ({ world }) => world.scheduler.catchUp();

/** Repeats the first reply to an idempotency key (spec 4.2): before the work, and after a wait. */
export const replay: CallStep = (call) => {
  if (call.examined) return;
  const slot = slotFor(call, givenTo(call).text);
  const first = slot && replayed(call.world, slot);
  call.slot = slot;
  return first && again(call, first);
};

/** Sends the first reply to a key once more; the log says so, and why it was refused. */
function again(call: Call, { status, text }: { status: number; text: string }): Answer {
  const { sandbox, request, path, principal } = call;
  const alike = {
    operation: operationOf(call).id,
    path,
    key: request.header('idempotency-key') ?? '',
    agent: principal?.kind === 'agent' ? request.header('authorization') : undefined,
  };
  return finish(call, status, text, repeated(sandbox.requestLog, alike, status, text));
}

function slotFor({ op, request, path, principal }: Call, text: string): ReturnType<typeof slotOf> | undefined {
  const { method, keyAlone, idempotency } = op as Operation;
  const key = request.header('idempotency-key');
  if (key !== undefined && key !== '' && key.length <= 255)
    return slotOf(`${method} ${path} ${key}`, principal, keyAlone ? undefined : text);
  if (key !== undefined) fail('INVALID_INPUT', 'Idempotency-Key: must have 1 to 255 characters');
  if (idempotency === 'required') fail('INVALID_INPUT', 'Idempotency-Key: required');
  return undefined;
}

/** Reads the proof of an authorizer, loads the rows and checks the preconditions; again only after a wait. */
export const examine: CallStep = (call) => {
  if (call.examined) return;
  const op = operationOf(call);
  const context = givenTo(call);
  call.evidence = op.authorize?.read(context);
  call.loaded = op.load?.(context);
  op.check?.(context, call.loaded);
};

/** Does outside work. Without a promise nothing waits, and the earlier loads and checks still hold. */
export const wait: CallStep = (call) => {
  const waited = operationOf(call).wait?.(givenTo(call), call.loaded, call.evidence);
  if (waited instanceof Promise)
    return waited.then((value) => {
      call.waited = value;
    });
  call.waited = waited;
  call.examined = true;
  return undefined;
};

/** Asks the authorizer. A challenge is not a first reply yet, and neither is a refusal for lack of consent. */
export const authorize: CallStep = (call) => {
  const context = givenTo(call);
  call.settled = false;
  const decision = operationOf(call).authorize?.decide(context, call.evidence, call.loaded, call.waited) ?? {};
  if (decision.challenge) {
    call.reply = decision.challenge;
    call.challenged = true;
  } else {
    call.settled = true;
    decision.settle?.();
  }
};

export const read: CallStep = (call) => {
  const op = operationOf(call);
  call.reply = op.read?.(givenTo(call), call.loaded);
};

export const write: CallStep = (call) => {
  const op = operationOf(call);
  if (!call.challenged) call.reply = op.write?.(givenTo(call), call.loaded, call.waited, call.evidence);
};

/**
 * Checks the reply against the declaration of the operation; one that does not match is a 500, and nothing is kept of
 * it.
 */
export const checkReply: CallStep = (call) => {
  const op = operationOf(call);
  const reply = call.reply as Reply;
  if (cachedText(op, call.host.profile, reply.of) !== undefined) return;
  const shape = op.replies[reply.status];
  if (shape === undefined) throw new Error(`${op.id} answered ${reply.status}, which it does not declare`);
  if (shape !== null && reply.value instanceof RowPage) {
    const text = pageText(shape(), call.host.profile, reply.value);
    if (text !== undefined) {
      call.replyText = text;
      return;
    }
  }
  const value = reply.value instanceof RowPage ? reply.value.toJSON() : reply.value;
  if (shape === null || hasShape(shape(), value)) return;
  const checked = shape().safeParse(value);
  throw new Error(`${op.id} answered ${reply.status} in another shape than it declares: ${checked.error?.message}`);
};

const take = (steps: readonly CallStep[], call: Call): void => {
  for (const step of steps) step(call, 0);
};

/** Runs steps at one moment of the clock. */
export const atOnce =
  (steps: readonly CallStep[]): CallStep =>
  (call) => {
    call.moment = call.world.moment();
    call.world.clock.during(() => take(steps, call));
  };

/**
 * Runs steps as one transaction. A refusal with a write of its own (a bad proof, say) makes it here, and nowhere else.
 */
export const whole =
  (steps: readonly CallStep[]): CallStep =>
  (call) => {
    const { world } = call;
    call.settled = true;
    call.moment = world.moment();
    try {
      world.transact(() => take(steps, call), call.requestId);
      call.sandbox.written = true;
    } catch (error) {
      if (error instanceof Failure && error.onRefusal) {
        world.transact(error.onRefusal, call.requestId);
        call.sandbox.written = true;
      }
      throw error;
    }
  };

/** Renders the reply as text; it keeps the text of a reply that depends on one unchanging row. */
export const renderReply: CallStep = (call) => {
  const op = operationOf(call);
  const { profile } = call.host;
  const { value, of } = call.reply as Reply;
  if (value instanceof RowPage && call.replyText !== '') return;
  const kept = cachedText(op, profile, of);
  call.replyText = kept ?? (value === undefined ? '' : render(profile, value));
  if (of && kept === undefined) cacheText(op, profile, of, call.replyText);
};

/** Keeps the first reply to a key; a challenge does not count. */
export const remember: CallStep = ({ slot, challenged, world, reply, replyText }) => {
  if (slot && !challenged) keep(world, slot, (reply as Reply).status, replyText);
};

export const send: CallStep = (call) => finish(call, (call.reply as Reply).status, call.replyText);
