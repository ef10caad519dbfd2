import type { Snapshot } from '../../src/engine/world.ts';
import { createApp } from '../../src/http/app.ts';
import type { HostOptions } from '../../src/public.ts';
import { Host } from '../../src/sandbox/host.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { brokenRules } from '../kit/ledger.ts';
import { operationOf, wrongReply } from './checks.ts';
import { bodyInit, type Plan, type Reply, replyOf } from './plan.ts';
import { type Report, shown } from './report.ts';
import { difference } from './state.ts';

/** CPU milliseconds that a call may take. */
const SLOW_MS = 500;
/** Real milliseconds after which a call has no answer. */
const HUNG_MS = 30_000;
/** A wrong proof is counted, and may cost its challenge: the refusals that leave a mark. */
const MARKS = new Set([
  'verifyExternalAccountOwnership',
  'verifyPlatformExternalAccountOwnership',
  'completeScaLogin',
  'authorizeQuote',
  'confirmScaFactorEnrollment',
  'confirmBeneficiaryTrust',
  'confirmBeneficiaryUntrust',
]);
const HUNG = Symbol('hung');

/** What stands in for the socket and what Node read from it, which the guards look at. */
const environment = (request: Request) => ({
  incoming: {
    socket: { remoteAddress: '127.0.0.1', destroy: () => {} },
    headers: { host: '127.0.0.1:4010', ...Object.fromEntries(request.headers) },
    rawHeaders: [...request.headers].flat(),
    method: request.method,
    httpVersion: '1.1',
  },
});

export interface Watch {
  readonly report: Report;
  /** Slow calls are findings. */
  readonly timings: boolean;
  /** Only this input's findings count; the others lead up to it. */
  readonly only: number | undefined;
  input: number;
}

/** An emulator in this process whose every answer is looked at. */
export class WatchedHost {
  readonly host: Host;
  readonly #app: ReturnType<typeof createApp>;
  readonly #watch: Watch;
  #before: { sandbox: Sandbox; snapshot: Snapshot } | undefined;

  static async open(options: HostOptions, watch: Watch): Promise<WatchedHost> {
    let self: WatchedHost | undefined;
    const host = await Host.start(
      { now: '2026-01-05T09:00:00Z', holdClock: true, ...options },
      { broken: (what, error) => self?.broken(what, error) },
    );
    self = new WatchedHost(host, watch);
    return self;
  }

  private constructor(host: Host, watch: Watch) {
    this.host = host;
    this.#app = createApp(host);
    this.#watch = watch;
  }

  #plan: Plan | undefined;
  /** Why the last call has no answer. */
  #why = '';
  /** Taken now and then, for asking costs as much as a small call: what came after it is part of the next call's time. */
  #cpu = { at: Number.NEGATIVE_INFINITY, used: process.cpuUsage() };

  broken(what: string, error: unknown): void {
    const stack = error instanceof Error ? String(error.stack).split('\n').slice(0, 6).join('\n') : String(error);
    this.find('nothing of the emulator breaks', `${what.replaceAll(/req_\d+/g, '')}: ${stack}`);
  }

  find(expected: string, seen: string, plan: Plan | undefined = this.#plan, target = plan?.target ?? 'the run'): void {
    const { report, input, only } = this.#watch;
    if (only !== undefined && only !== input) return;
    report.add({ target, expected, seen, request: plan ? shown(plan) : '', input });
  }

  /** Ask, and look at what comes: `undefined` when the request could not even be made, or was dropped on purpose. */
  async ask(plan: Plan, sandbox: Sandbox): Promise<Reply | undefined> {
    const request = requestOf(plan);
    if (!request || isPatient(plan)) return undefined;
    await this.#ready(sandbox);
    const { faults, world } = sandbox;
    // An agent's token may belong to another sandbox than the one at hand, with faults of its own.
    const calm = world.clock.mode === 'held' && [...this.host.sandboxes].every((one) => one.faults.none);
    this.#plan = plan;
    const reply = await this.#timed(plan, request);
    if (!reply) {
      // A fault may close or cut on purpose.
      if (calm) this.find('an answer', this.#why, plan);
      return undefined;
    }
    this.#watch.report.note(operationOf(plan, this.host.basePath)?.id ?? plan.target, reply);
    if (calm && faults.none) this.#look(plan, reply, sandbox);
    else this.#before = undefined;
    return reply;
  }

  /** What must hold when a chapter ends. */
  end(): void {
    this.#plan = undefined;
    for (const sandbox of this.host.sandboxes)
      for (const wrong of brokenRules(sandbox.world)) this.find('a ledger that keeps its rules', wrong);
    if (({} as Record<string, unknown>)['polluted'] !== undefined)
      this.find('untouched prototypes', 'Object.prototype.polluted');
    this.host.close();
  }

  /** Nothing of earlier calls is under way any more, and what the world is now is known. */
  async #ready(sandbox: Sandbox): Promise<void> {
    const { world } = sandbox;
    const { jobs } = world.scheduler;
    if (jobs.size > 0 && world.clock.mode === 'held') {
      if ((await within(world.scheduler.settle())) === HUNG)
        this.find('work that comes to an end', `what is due did not within ${HUNG_MS} ms`);
    }
    this.#before = { sandbox, snapshot: world.snapshot() };
  }

  #look(plan: Plan, reply: Reply, sandbox: Sandbox): void {
    const { profile, basePath } = this.host;
    const wrong = wrongReply(plan, reply, basePath, profile);
    if (wrong) this.find(wrong, `${reply.status} ${reply.text.slice(0, 400)}`, plan);
    const mayWrite = reply.status < 400 && plan.method !== 'GET' && plan.method !== 'HEAD';
    if (mayWrite || !this.#before || MARKS.has(plan.target)) return;
    const changed = difference(this.#before.snapshot, sandbox.world.snapshot());
    if (changed)
      this.find(`${reply.status} leaves everything as it was`, `${changed} changed; ${reply.text.slice(0, 300)}`, plan);
  }

  /**
   * Returns the CPU milliseconds of the same read once more. While a read waits, other work goes on (jobs of a running clock, a
   * sweep of the heap); a read that is slow itself is slow each time.
   */
  async #again(plan: Plan): Promise<number> {
    const request = requestOf(plan);
    if (!request) return Number.POSITIVE_INFINITY;
    const started = performance.now();
    const cpu = process.cpuUsage();
    await within(Promise.resolve(this.#app.fetch(request, environment(request) as never)));
    return Math.min(performance.now() - started, cpuSince(cpu));
  }

  async #timed(plan: Plan, request: Request): Promise<Reply | undefined> {
    const { report, timings } = this.#watch;
    const started = performance.now();
    if (started - this.#cpu.at > 50) this.#cpu = { at: started, used: process.cpuUsage() };
    const cpu = this.#cpu.used;
    try {
      const reply = await within(
        (async () => replyOf(await this.#app.fetch(request, environment(request) as never)))(),
      );
      if (reply === HUNG) {
        this.#why = `none within ${HUNG_MS} ms`;
        return undefined;
      }
      const real = performance.now() - started;
      if (real < 20) return reply;
      const first = Math.min(real, cpuSince(cpu));
      const work = (reply.json as { ran?: unknown[] } | undefined)?.ran?.length ?? 0;
      const isSlow = first > SLOW_MS + work && plan.method === 'GET';
      const ms = isSlow ? Math.min(first, await this.#again(plan), await this.#again(plan)) : first;
      if (ms > report.slowest.ms) report.slowest = { ms, request: shown(plan) };
      if (timings && ms > SLOW_MS + work) this.find(`at most ${SLOW_MS} ms of CPU`, `${ms.toFixed(0)} ms`, plan);
      return reply;
    } catch (error) {
      this.#why = error instanceof Error ? String(error.stack) : JSON.stringify(error);
      return undefined;
    }
  }
}

const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** What a promise resolves with, unless it hangs. */
async function within<T>(promise: Promise<T>): Promise<T | typeof HUNG> {
  let alarm: NodeJS.Timeout | undefined;
  const hung = new Promise<typeof HUNG>((resolve) => {
    alarm = setTimeout(resolve, HUNG_MS, HUNG);
  });
  try {
    return await Promise.race([promise, hung]);
  } finally {
    clearTimeout(alarm);
  }
}

/** Whether a request asks to wait for seconds, as it may: the run has no time for that. */
const isPatient = ({ query }: Plan): boolean => Number(new URLSearchParams(query).get('timeoutMs')) > 1000;

/** The request as `fetch` takes it; `undefined` when it cannot be made at all: those go over raw sockets. */
function requestOf(plan: Plan): Request | undefined {
  const body = bodyInit(plan.body);
  try {
    const init = { method: plan.method, headers: plan.headers, ...(body === undefined ? {} : { body }) };
    return new Request(`http://127.0.0.1:4010${plan.path}${plan.query}`, init);
  } catch {
    return undefined;
  }
}
