import type { Login } from '../host/host.ts';
import { Failure, fail } from '../kernel/errors.ts';
import type { Ask, Operation, Reply } from '../kernel/operation.ts';
import { render } from '../kernel/profile.ts';
import { hasShape } from '../kernel/shape-check.ts';
import type { World } from '../kernel/world.ts';
import { askOf, received } from './asked.ts';
import { basicCredentials, requirePermission } from './auth.ts';
import { readIgnored } from './body.ts';
import { failureText } from './failures.ts';
import { keep, replayed, type Slot, slotOf } from './idempotency.ts';
import { after, cutShort, hangUp, saying, wait, wantedRefusal } from './interfere.ts';
import { finish, log, type Passage, refuse, refused } from './passage.ts';
import { keepText, keptText } from './texts.ts';

/** Answer a request for an operation: the steps of `docs/architecture.md`, in their order. */
export function enter(passage: Passage, op: Operation): Response | Promise<Response> {
  try {
    const { id, secret } = basicCredentials(passage.c.req.header('authorization'));
    const login = passage.host.authenticate(id, secret);
    // The first call with a token id may have to wait until its sandbox is filled.
    if (login instanceof Promise)
      return login.then(
        (done) => admitted(passage, op, done),
        (error) => refuse(passage, error),
      );
    return admitted(passage, op, login);
  } catch (error) {
    return refuse(passage, error);
  }
}

function admitted(passage: Passage, op: Operation, { sandbox, principal }: Login): Response | Promise<Response> {
  passage.sandbox = sandbox;
  passage.world = sandbox.world;
  passage.principal = principal;
  try {
    requirePermission(principal, op.permission);
  } catch (error) {
    return refuse(passage, error);
  }
  return sandbox.faults.none ? proceed(passage, op) : interfered(passage, op);
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
  const { c, host, sandbox, world, path } = passage;
  const struck = sandbox.faults.onCall({ operation: op.id, method: op.method, path, declared: op.path });
  if (!struck) return proceed(passage, op);
  const { id, then } = struck;
  passage.fault = saying(id, then);
  const refusal = wantedRefusal(id, then);
  if (!(await wait(then, host.closing))) return hangUp(c);
  if (world.over) return refuse(passage, world.over);
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
    const { world } = passage;
    const told = op.keyAlone ? replayedUnread(passage, op) : undefined;
    if (told) {
      passage.text = await readIgnored(passage.c);
      world.assertOpen();
      return finish(passage, told.status, told.text);
    }
    const ask = await received(passage, op);
    world.assertOpen();
    const slot = slotFor(passage, op, ask.text);
    let first = slot && replayed(world, slot);
    if (first) return finish(passage, first.status, first.text);
    const prepared = op.prepare ? await op.prepare(ask) : undefined;
    world.assertOpen();
    first = slot && op.prepare ? replayed(world, slot) : undefined;
    if (first) return finish(passage, first.status, first.text);
    if (!slot) return complete(passage, op, answer(passage, op, ask, prepared));
    return keeping(passage, world, slot, () => answer(passage, op, ask, prepared));
  } catch (error) {
    return refuse(passage, error);
  }
}

/** The first answer to a key that alone names the request, whatever the body is now (spec 4.2). */
function replayedUnread(passage: Passage, op: Operation): ReturnType<typeof replayed> {
  const slot = slotFor(passage, op, '');
  return slot && replayed(passage.world, slot);
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

function slotFor(passage: Passage, op: Operation, text: string): Slot | undefined {
  if (!op.idempotency) return undefined;
  const key = passage.c.req.header('idempotency-key');
  if (key !== undefined && key !== '' && key.length <= 255)
    return slotOf(op.method, passage.path, key, op.keyAlone ? undefined : text);
  if (key !== undefined) fail('INVALID_INPUT', 'Idempotency-Key: must have 1 to 255 characters');
  if (op.idempotency === 'required') fail('INVALID_INPUT', 'Idempotency-Key: required');
  return undefined;
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
  try {
    const done = world.transact(() => {
      const reply = op.run(ask, prepared);
      check(passage, op, reply);
      return reply;
    }, passage.requestId);
    passage.sandbox.written = true;
    return done;
  } catch (error) {
    if (error instanceof Failure && error.keeps) keepMark(passage, world, error.keeps);
    throw error;
  }
}

/** A refusal that leaves a mark (a bad proof, say) leaves it here, and nowhere else: the call itself is undone. */
function keepMark(passage: Passage, world: World, keeps: () => void): void {
  world.transact(keeps, passage.requestId);
  passage.sandbox.written = true;
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
