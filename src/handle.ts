import { DELIVERIES, webhookKey } from './areas/webhooks/index.ts';
import { call } from './fixtures/call.ts';
import { lastRequests } from './fixtures/last-requests.ts';
import type { Host } from './host/host.ts';
import type { Sandbox } from './host/sandbox.ts';
import { handOut, stateIn } from './host/snapshot.ts';
import { bodyOf, type Fact } from './kernel/domain-event.ts';
import { DURATION_FORM, parseDuration } from './kernel/duration.ts';
import { FaultRule } from './kernel/faults.ts';
import type { SandboxHandle, SandboxState, Webhook } from './public.ts';
import { emptyFault } from './scenario/fault-sense.ts';

/** A sandbox as a program holds it. */
export function handleOf(host: Host, sandbox: Sandbox, baseUrl: string): SandboxHandle {
  const { world } = sandbox;
  const handedOut = new Set<string>();
  const [credential] = sandbox.credentials;
  const credentials = { id: credential?.tokenId ?? sandbox.id, secret: credential?.secret ?? '' };
  const authorization = `Basic ${Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64')}`;
  return {
    id: sandbox.id,
    baseUrl,
    credentials,
    authorization,
    fetch: (path, init) => call({ id: sandbox.id, baseUrl, authorization }, path, init),
    explain: (most) => lastRequests(sandbox, host.basePath, most),
    get webhookPublicKey() {
      return webhookKey(world).pem;
    },
    clock: {
      now: () => world.clock.iso(),
      state: () => world.clock.state(),
      advance: async (duration) => {
        const ms = parseDuration(duration);
        if (ms === undefined) throw new Error(`${duration}: must be ${DURATION_FORM}`);
        return world.scheduler.advanceBy(ms);
      },
      advanceTo: async (iso) => {
        const target = Date.parse(iso);
        if (!(target >= world.clock.now()))
          throw new Error(`the clock does not go back: it is ${world.clock.iso()}, not ${iso}`);
        return world.scheduler.advanceTo(target);
      },
      hold: () => world.clock.setMode('held'),
      run: (speed = 1) => {
        world.clock.setMode('live');
        world.clock.setSpeed(speed);
      },
    },
    webhooks: {
      waitFor: (type, options) => waitFor(sandbox, handedOut, type, options),
      settle: () => world.scheduler.settle(),
    },
    faults: {
      add: (rule) => {
        const parsed = FaultRule().safeParse(rule);
        if (!parsed.success)
          throw new Error(
            `not a fault: ${parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ')}`,
          );
        const empty = emptyFault(parsed.data);
        if (empty) throw new Error(`not a fault: ${empty}`);
        return sandbox.faults.add(parsed.data).id;
      },
      list: () => sandbox.faults.list.map(({ id, seen, fired }) => ({ id, seen, fired })),
      remove: (id) => sandbox.faults.remove(id),
      clear: () => sandbox.faults.clear(),
    },
    fork: async () => handleOf(host, host.fork(sandbox), baseUrl),
    reset: () => host.startOver(sandbox),
    snapshot: async () => handOut(world.snapshot()) as unknown as SandboxState,
    restore: async (state) => sandbox.restore(stateIn(state)),
    drop: async () => {
      host.drop(sandbox);
    },
  };
}

function waitFor(
  { world }: Sandbox,
  handedOut: Set<string>,
  type: string,
  { timeoutMs = 5000, where = () => true }: { timeoutMs?: number; where?: (event: Webhook) => boolean } = {},
): Promise<Webhook> {
  const matches = (fact: Fact): Webhook | undefined => {
    if (fact.type !== type || handedOut.has(fact.id)) return undefined;
    const event = JSON.parse(bodyOf(world.profile, fact)) as Webhook;
    if (!where(event)) return undefined;
    handedOut.add(event.id);
    return event;
  };
  try {
    for (const told of world.rows(DELIVERIES).rows()) {
      const event = matches(told);
      if (event) return Promise.resolve(event);
    }
  } catch (error) {
    return Promise.reject(error);
  }
  return new Promise((resolve, reject) => {
    const stop = world.watch((happening) => {
      try {
        const event = happening.what === 'fact' ? matches(happening.fact) : undefined;
        if (!event) return;
        resolve(event);
      } catch (error) {
        // What broke is the caller's own question; it must not break what is being asked about.
        reject(error);
      }
      clearTimeout(timer);
      stop();
    });
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`no ${type} was told within ${timeoutMs} ms`));
    }, timeoutMs);
  });
}
