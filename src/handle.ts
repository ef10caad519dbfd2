import { DELIVERIES, webhookKey } from './areas/webhooks/index.ts';
import { bodyOf, type DomainEvent } from './contract/domain-event.ts';
import { DURATION_FORM, parseDuration } from './contract/duration.ts';
import { FaultRule } from './contract/faults.ts';
import { call } from './fixtures/call.ts';
import { lastRequests } from './fixtures/last-requests.ts';
import type { SandboxHandle, SandboxState, Webhook } from './public.ts';
import type { Host } from './sandbox/host.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { handOut, stateIn } from './sandbox/snapshot.ts';
import { emptyFault } from './scenario/fault-lint.ts';

/** A sandbox as a program holds it. */
export function handleOf(host: Host, sandbox: Sandbox, baseUrl: string): SandboxHandle {
  const { id } = sandbox;
  const clock = () => sandbox.world.clock;
  const scheduler = () => sandbox.world.scheduler;
  const credentials = () => {
    const [credential] = sandbox.credentials;
    return { id: credential?.tokenId ?? id, secret: credential?.secret ?? '' };
  };
  const authorization = () => `Basic ${Buffer.from(Object.values(credentials()).join(':')).toString('base64')}`;
  return {
    id,
    baseUrl,
    get credentials() {
      return credentials();
    },
    get authorization() {
      return authorization();
    },
    fetch: (path, init) => call({ id, baseUrl, authorization: authorization() }, path, init),
    explain: (most) => lastRequests(sandbox, host.basePath, most),
    get webhookPublicKey() {
      return webhookKey(sandbox.world).pem;
    },
    clock: {
      now: () => clock().iso(),
      state: () => clock().state(),
      advance: async (duration) => {
        const ms = parseDuration(duration);
        if (ms === undefined) throw new Error(`${duration}: must be ${DURATION_FORM}`);
        return scheduler().advanceBy(ms);
      },
      advanceTo: async (iso) => {
        const target = Date.parse(iso);
        if (!(target >= clock().now()))
          throw new Error(`the clock does not go back: it is ${clock().iso()}, not ${iso}`);
        return scheduler().advanceTo(target);
      },
      hold: () => clock().setMode('held'),
      run: (speed = 1) => {
        clock().setMode('live');
        clock().setSpeed(speed);
      },
    },
    webhooks: {
      waitFor: (type, options) => waitFor(sandbox, type, options),
      settle: () => scheduler().settle(),
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
    fork: async () => handleOf(host, await host.fork(sandbox), baseUrl),
    reset: async () => sandbox.begin({ from: 'scenario' }),
    snapshot: async () => handOut(sandbox.snapshot()) as unknown as SandboxState,
    restore: async (state) => sandbox.begin({ from: 'state', state: stateIn(state) }),
    drop: async () => {
      host.drop(sandbox);
    },
  };
}

function waitFor(
  sandbox: Sandbox,
  type: string,
  { timeoutMs = 5000, where = () => true }: { timeoutMs?: number; where?: (event: Webhook) => boolean } = {},
): Promise<Webhook> {
  const matches = (fact: DomainEvent | undefined): Webhook | undefined => {
    if (fact?.type !== type || sandbox.handedOut.has(fact.id)) return undefined;
    const event = JSON.parse(bodyOf(sandbox.world.profile, fact)) as Webhook;
    if (!where(event)) return undefined;
    sandbox.handedOut.add(event.id);
    return event;
  };
  try {
    for (const told of sandbox.world.rows(DELIVERIES).rows()) {
      const event = matches(told);
      if (event) return Promise.resolve(event);
    }
  } catch (error) {
    return Promise.reject(error);
  }
  return new Promise((resolve, reject) => {
    const stop = sandbox.stream.listen((news) => {
      try {
        const event = news.event === 'fact' ? matches(sandbox.world.rows(DELIVERIES).get(news.id)) : undefined;
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
