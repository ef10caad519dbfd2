import type { Memory } from './memory.ts';
import { bodyInit, type Plan, replyOf } from './plan.ts';
import { type Random, randomOf } from './random.ts';
import { FIRST, named, type Place, requestFor } from './requests.ts';
import { type Target, targets } from './schemas.ts';

/** A sandbox of the soaked process, and what its clients have read of it. */
export interface Soaked extends Place {
  readonly id: string;
  readonly memory: Memory;
}

export interface Call {
  readonly plan: Plan;
  readonly ms: number;
  readonly status: number;
  readonly text: string;
}

/** Controls that do not disturb the others: the rest is done on purpose, now and then, or never. */
const QUIET = new Set([
  'GET /clock',
  'GET /jobs',
  'GET /codes',
  'GET /requests',
  'GET /webhooks',
  'GET /webhooks/endpoint',
  'GET /health',
]);
/** Not called: they end the client's own login, send its webhooks elsewhere, or wait for a receiver that hangs. */
const NEVER = new Set(['deleteTokenById', 'updatePlatformConfig', 'sendTestWebhook']);
const CALLED: readonly Target[] = targets().filter(({ name, kind }) =>
  kind === 'api' ? !NEVER.has(name) : QUIET.has(name),
);
/** What grows a state comes more often than what reads it. */
const GROWING = CALLED.filter(({ method, kind }) => kind === 'api' && method === 'POST');

/** Send a request to a listening emulator; rejects when there is no answer. */
export async function sendTo(url: string, plan: Plan): Promise<Call> {
  const body = bodyInit(plan.body);
  const started = performance.now();
  const response = await fetch(`${url}${plan.path}${plan.query}`, {
    method: plan.method,
    headers: plan.headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const { status, text } = await replyOf(response);
  return { plan, ms: performance.now() - started, status, text };
}

/** Make valid calls, one after the other, until told to stop. */
export async function client(
  url: string,
  sandboxes: () => readonly Soaked[],
  seed: number,
  saw: (call: Call) => void,
  ended: () => boolean,
): Promise<void> {
  for (const sandbox of sandboxes())
    for (const name of FIRST) await once(url, named(name), randomOf(seed, -1), sandbox, saw);
  for (let n = 0; !ended(); n += 1) {
    const random = randomOf(seed, n);
    const sandbox = random.of(sandboxes());
    await once(url, random.of(random.once(0.6) ? GROWING : CALLED), random, sandbox, saw);
  }
}

async function once(
  url: string,
  target: Target,
  random: Random,
  sandbox: Soaked,
  saw: (call: Call) => void,
): Promise<void> {
  const plan = requestFor(target, { random, memory: sandbox.memory }, sandbox);
  const call = await sendTo(url, plan).catch((error: Error) => ({
    plan,
    ms: 0,
    status: 0,
    text: `${error.cause ?? error}`,
  }));
  saw(call);
  // Nothing answers any more, or not this: the process is not asked faster than it can come back.
  if (call.status === 0) await new Promise((resolve) => setTimeout(resolve, 1000));
  if (call.status >= 200 && call.status < 300 && call.text.startsWith('{')) sandbox.memory.learn(JSON.parse(call.text));
}
