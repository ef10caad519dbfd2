import type { FaultRule } from './contract/faults.ts';
import { parseMoment } from './contract/moment.ts';
import { call } from './fixtures/call.ts';
import { lastRequests } from './fixtures/last-requests.ts';
import type { Delivered, OperationInput, SandboxHandle, SandboxState } from './public.ts';
import { type Command, commands, decisionFor, execute, type InputOf, type Members } from './sandbox/commands/index.ts';
import { explain } from './sandbox/explain.ts';
import type { Host } from './sandbox/host.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { WITHIN } from './sandbox/skip-to.ts';
import { handOut } from './sandbox/snapshot.ts';

type Waiting = SandboxHandle['webhooks']['waitFor'];

/** The most rows of a list that a program gets at once. */
const MOST = 100;

/** Returns a sentence that says why a call that had to succeed failed. */
function refused(operation: string, status: number, requestId: string, sandbox: Sandbox): string {
  const entry = sandbox.requestLog.get(requestId);
  const { code, message, rule } = entry ? explain(entry) : {};
  const reason = [code, message].filter((part) => part !== undefined).join(': ');
  return `${operation} answered ${status} ${reason}${rule === undefined ? '' : ` (${rule})`}; ${requestId}`;
}

/**
 * Returns the handle by which a program uses a sandbox. `root` is the address of its process, without a detour by a
 * public URL.
 */
export function handleOf(host: Host, sandbox: Sandbox, baseUrl: string, root?: string): SandboxHandle {
  const { id } = sandbox;
  const run = <M extends Members, R>(command: Command<M, R>, input: InputOf<M>): R =>
    execute<M, R>(command, { host, sandbox, baseUrl }, input);
  /** Moves the clock and returns the jobs that ran, without the words for people. */
  const ran = async (move: { advance?: string; to?: string }) =>
    (await run(commands.clock.move, move)).ran.map(({ does: _, about: __, ...job }) => job);
  const credentials = () => {
    const [credential] = sandbox.credentials;
    return { id: credential?.tokenId ?? id, secret: credential?.secret ?? '' };
  };
  const authorization = () => `Basic ${Buffer.from(Object.values(credentials()).join(':')).toString('base64')}`;
  const faults = () => run(commands.faults.list, {}).data.map(({ id, seen, fired }) => ({ id, seen, fired }));
  return {
    id,
    baseUrl,
    get credentials() {
      return credentials();
    },
    get authorization() {
      return authorization();
    },
    fetch: (path, init) =>
      call({ id, baseUrl, root, authorization: authorization(), controlToken: host.options.controlToken }, path, init),
    // A member that a program leaves undefined is not sent, as everywhere in JSON.
    call: (async (operation: string, input: OperationInput<string> = {}) =>
      run(commands.operations.call, { ...JSON.parse(JSON.stringify(input)), id: operation })) as SandboxHandle['call'],
    ok: (async (operation: string, input: OperationInput<string> = {}) => {
      const { status, body, requestId } = await run(commands.operations.call, {
        ...JSON.parse(JSON.stringify(input)),
        id: operation,
      });
      if (status < 300) return body;
      throw new Error(refused(operation, status, requestId, sandbox));
    }) as unknown as SandboxHandle['ok'],
    decide: async (about, answer, name) => {
      const { command, body } = decisionFor(run(commands.rows.read, { id: about }), answer, name);
      await run(command as Command, { ...body, id: about } as never);
    },
    codes: (subject) => run(commands.records.codes, { subject, limit: MOST }).data,
    jobs: {
      list: () => run(commands.clock.jobs, {}).data,
      run: async (job) => void (await run(commands.clock.runJob, { id: job })),
    },
    explain: (most) => lastRequests(sandbox, host.basePath, most),
    get webhookPublicKey() {
      return run(commands.webhooks.key, {}).pem;
    },
    clock: {
      now: () => run(commands.clock.read, {}).now,
      state: () => run(commands.clock.read, {}),
      // A program may omit by mistake an argument that its types require: that is not a move of zero.
      advance: (duration) => ran({ advance: String(duration) }),
      // ISO 8601 without an offset is UTC, as everywhere; other forms mean another moment in each time zone.
      advanceTo: (iso: string | Date) => {
        const at = iso instanceof Date ? iso.getTime() : (parseMoment(String(iso)) ?? Number.NaN);
        return ran({ to: Number.isNaN(at) ? String(iso) : new Date(at).toISOString() });
      },
      settle: async ({ within = WITHIN } = {}) => {
        const { now, ran: done, waiting = [] } = await run(commands.clock.move, { settle: within });
        return { now, ran: done.map(({ does: _, about: __, ...job }) => job), waiting };
      },
      hold: () => void run(commands.clock.set, { mode: 'held' }),
      run: (speed = 1) => void run(commands.clock.set, { mode: 'live', speed }),
    },
    webhooks: {
      waitFor: (async (type: string, { timeoutMs, within, where }: Parameters<Waiting>[1] = {}) =>
        run(commands.webhooks.waitFor, { type, timeoutMs, within, where })) as Waiting,
      list: ({ type, limit = MOST } = {}) => run(commands.webhooks.list, { type, limit }).data as Delivered[],
      sendTo: (url) => void run(commands.webhooks.setEndpoint, { url }),
      pause: () => void run(commands.webhooks.pause, {}),
      resume: () => void run(commands.webhooks.resume, {}),
      step: async () => ((await run(commands.webhooks.step, {})).sent ?? undefined) as Delivered | undefined,
      redeliver: async (event) => (await run(commands.webhooks.redeliver, { id: event })) as Delivered,
      settle: () => run(commands.clock.settle, {}),
    },
    faults: {
      // Its schema checks the names, which a program may write as any text.
      add: (rule) => run(commands.faults.add, { fault: rule as FaultRule }).id,
      list: faults,
      remove: (id) => {
        const isThere = faults().some((fault) => fault.id === id);
        if (isThere) run(commands.faults.remove, { id });
        return isThere;
      },
      clear: () => run(commands.faults.clear, {}),
    },
    fork: async (name) => {
      const { id: made } = await run(commands.sandboxes.fork, { id, name });
      return handleOf(host, host.named(made), baseUrl, root);
    },
    rewind: async (requestId) => void (await run(commands.requests.rewind, { id: requestId })),
    capsule: () => run(commands.state.capsule, {}),
    reset: async () => void (await run(commands.state.reset, {})),
    snapshot: async () => handOut(run(commands.state.read, {})) as unknown as SandboxState,
    restore: async (state) => void (await run(commands.state.write, { state })),
    // The default sandbox stays, and dropping a missing one again is not an error.
    drop: async () => {
      if (sandbox !== host.default && host.find(id) === sandbox) run(commands.sandboxes.drop, { id });
    },
  };
}
