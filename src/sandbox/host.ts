import { randomBytes } from 'node:crypto';
import { checkNotRevoked, tokenLogin } from '../areas/tokens/index.ts';
import { closeKept } from '../areas/webhooks/index.ts';
import { parseDuration } from '../contract/duration-text.ts';
import { fail } from '../contract/errors.ts';
import { parseMoment } from '../contract/moment.ts';
import { PROFILES, type Profile } from '../contract/profile.ts';
import { sha256 } from '../crypto/index.ts';
import type { Principal } from '../declare/operation.ts';
import { stopwatch } from '../engine/clock.ts';
import { closed } from '../engine/closed.ts';
import { HistoryBudget } from '../engine/history.ts';
import { allowAnyNumber } from '../engine/listeners.ts';
import { inSlices, type Steps } from '../engine/slices.ts';
import { clearReal, realTimeout, type Timer } from '../engine/timers.ts';
import type { World } from '../engine/world.ts';
import type { CoverageReport, HostOptions, SandboxRequest } from '../public.ts';
import { loadScenarios } from '../scenario/load.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Before } from './before.ts';
import { lastRequest, reviveIn } from './capsule/open.ts';
import type { Capsule } from './capsule/schema.ts';
import { Coverage } from './coverage/counts.ts';
import { reportOf } from './coverage/report.ts';
import { LOG_BYTES, LogBudget } from './log-budget.ts';
import { Names } from './names.ts';
import type { Entry } from './request-log.ts';
import {
  type ApiLogin,
  type Ended,
  EVERYTHING,
  type Idle,
  type Origin,
  Sandbox,
  type SandboxOptions,
} from './sandbox.ts';
import type { SavedSandbox, SavedStates } from './saved.ts';
import type { Traces } from './traces/traces.ts';

/** The events of a host; the command line prints them. */
export interface HostEvents {
  request?: (sandbox: Sandbox, entry: Entry) => void;
  /** Reports the progress of filling a sandbox, which takes a while: the rows done, and their total. */
  filling?: (sandbox: string, done: number, total: number) => void;
  /** The spans of this process, if a collector receives them. */
  traces?: Traces | undefined;
  /** Reports in a sentence something that a person should know. */
  warn?: (sentence: string) => void;
  /** Reports an error in the emulator itself; the client saw a plain 500 at most. */
  broken?: (what: string, error: unknown) => void;
}

/** The form of a token id, as in scenarios. */
const TOKEN_ID = /^[^:\s]{1,200}$/;
/** Real milliseconds between two progress reports of long work. */
const TOLD_MS = 100;
/** The length from which only the hash of a seed is kept. */
const LONG_SEED = 10_000;
/** The longest timer, in real milliseconds; timers cannot wait arbitrarily long. */
const LONGEST_TIMER_MS = 24 * 3_600_000;
/** The most sandboxes of one process, and the most bytes of its request logs. */
const BOUNDS = { sandboxes: 10_000, logBytes: LOG_BYTES };

/** The options of a new sandbox; the host supplies the rest. */
type Opening = Pick<SandboxOptions, 'id' | 'seed' | 'credentials'> &
  Partial<Pick<SandboxOptions, 'scenario' | 'ownSeed' | 'webhookUrl' | 'keySeed' | 'idle'>>;

/** The past state, the id and the permissions of a fork. */
interface Forking {
  readonly before?: Before | undefined;
  readonly as?: string | undefined;
  readonly permissions?: ApiLogin['permissions'] | undefined;
}

/** The login of a caller, and its sandbox. */
export interface Login {
  readonly sandbox: Sandbox;
  readonly principal: Principal;
}

/** All sandboxes of one process. */
export class Host {
  readonly profile: Profile;
  readonly auth: 'open' | 'known';
  readonly basePath: string;
  scenario: Scenario;
  readonly seed: string;
  /** The seed of secrets; unlike `seed`, it is in no capsule unless it was chosen. */
  readonly #secretSeed: string;
  readonly options: HostOptions;
  /** The URL by which other machines reach it, without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** The path of that URL, such as `/sandbox`; empty if there is none. */
  readonly prefix: string;
  /** The encounters of all its sandboxes, if they are counted. */
  readonly coverage: Coverage | undefined;
  readonly #events: HostEvents;
  readonly #names = new Names();
  readonly #started = stopwatch();
  readonly #closing = new AbortController();
  readonly #filling = new Map<string, { done: number; total: number }>();
  /** The sandboxes that stand in for others. */
  readonly #passing = new Set<Sandbox>();
  readonly #budget: LogBudget;
  readonly #changes = new HistoryBudget();
  readonly #bounds: typeof BOUNDS;
  default!: Sandbox;
  /**
   * Serves a request as the server would, without a socket; set by the app. Rejects if a fault closes the connection.
   */
  fetch: (request: Request, sandbox?: Sandbox) => Promise<Response> = () =>
    Promise.reject(new Error('no app serves this host yet'));
  /**
   * Starts another host in this process, served like this one, without a socket; set by the app. Its caller closes it.
   */
  another: (options: HostOptions) => Promise<Host> = () => Promise.reject(new Error('no app serves this host yet'));
  /** True if the server is reachable from other machines. */
  open = false;
  #idleTimer: Timer | undefined;
  #created = 0;
  #requests = 0;
  #unlogged = 0;

  private constructor(scenario: Scenario, options: HostOptions, events: HostEvents, bounds: typeof BOUNDS) {
    this.options = options;
    this.#bounds = bounds;
    this.#budget = new LogBudget(bounds.logBytes);
    allowAnyNumber(this.#closing.signal);
    this.scenario = scenario;
    this.#events = events;
    this.coverage = options.coverage === undefined ? undefined : new Coverage();
    this.profile = PROFILES[options.profile ?? 'spec'];
    this.basePath = options.basePath ?? this.profile.basePath;
    this.publicUrl = options.publicUrl?.replace(/\/+$/, '');
    this.prefix = this.publicUrl === undefined ? '' : new URL(this.publicUrl).pathname.replace(/\/+$/, '');
    this.auth = options.auth ?? 'open';
    this.seed = options.seed === undefined ? freshSeed() : String(options.seed);
    this.#secretSeed = options.seed === undefined ? freshSeed() : this.seed;
  }

  /** Opens a capsule: the default sandbox is the one in it, its clock held. */
  static async open(capsule: Capsule, options: HostOptions = {}, events: HostEvents = {}): Promise<Host> {
    const { id, seed, keySeed, scenario, profile, now, webhookUrl, permissions } = capsule;
    const host = new Host(scenario, { ...options, scenario, profile, now, holdClock: true }, events, BOUNDS);
    const credential = { kind: 'platform' as const, tokenId: id, secret: undefined, permissions: new Set(permissions) };
    const opens = { id, seed, keySeed, ownSeed: true, webhookUrl, credentials: [credential] };
    const { state } = capsule;
    const held = { ...state, clock: { ...state.clock, mode: 'held' as const } };
    host.default = await host.#open(opens, { from: 'state', state: held });
    reviveIn(host.default, capsule);
    host.#requests = lastRequest(capsule);
    return host;
  }

  /** Reads the scenarios and opens the default sandbox. Throws a `ScenarioError` that names every problem. */
  static async start(options: HostOptions = {}, events: HostEvents = {}, bounds = BOUNDS): Promise<Host> {
    const scenario = await scenarioOf(options);
    const host = new Host(scenario, options, events, bounds);
    const [first] = scenario.credentials;
    if (!first) throw new Error('a scenario needs a credential');
    host.default = await host.#open({
      id: first.id,
      seed: host.seed,
      credentials: credentialsOf(scenario.credentials),
    });
    return host;
  }

  /**
   * Reads the scenarios again: the default sandbox starts over from them, and later sandboxes start there. Rejects
   * without any change if they are not usable.
   */
  async reload(): Promise<void> {
    const scenario = await scenarioOf(this.options);
    const credentials = credentialsOf(scenario.credentials);
    const name = credentials[0]?.tokenId;
    if (name !== this.default.id)
      throw new Error(
        `credentials: the first one names the sandbox, which is ${this.default.id} and not ${name} until the next start`,
      );
    const logins = credentials.map(({ tokenId }) => tokenId).filter((id) => id !== this.default.id);
    const created = logins.find((id) => this.#names.isCreated(id));
    if (created !== undefined)
      throw new Error(`credentials: there is a sandbox ${created} that was created; drop it, or choose another id`);
    const opening = logins.map((id) => this.#names.pending(id));
    // A call with a new login waits for the end; it opens no sandbox of its own.
    await this.#names.during(logins, 'reload', this.#startFrom(scenario, credentials, opening));
  }

  /** Starts the default sandbox over from a scenario with its logins, once calls that open a sandbox have done so. */
  async #startFrom(scenario: Scenario, credentials: readonly ApiLogin[], opening: readonly unknown[]): Promise<void> {
    await Promise.all(opening);
    await this.default.begin({ from: 'scenario', scenario, credentials });
    this.scenario = scenario;
  }

  /** Returns the start of absolute URLs, for a request to this URL. */
  rootOf(url: string): string {
    return this.publicUrl ?? new URL(url).origin;
  }

  get sandboxes(): Iterable<Sandbox> {
    return this.#names.sandboxes;
  }

  /** The bytes that the request logs of all sandboxes take. */
  get logBytes(): number {
    return this.#budget.bytes;
  }

  get count(): number {
    return this.#names.sandboxes.size;
  }

  /** Real milliseconds since the start. */
  get uptimeMs(): number {
    return Math.round(stopwatch() - this.#started);
  }

  /** Returns the sandbox to which a token id belongs; undefined if none. */
  find(tokenId: string): Sandbox | undefined {
    return this.#names.lead(tokenId)?.sandbox;
  }

  /** Returns the sandbox to which a token id belongs. 404 `REFERENCE_NOT_FOUND`. */
  named(tokenId: string): Sandbox {
    const found = this.find(tokenId) ?? fail('REFERENCE_NOT_FOUND', `there is no sandbox ${tokenId}`);
    found.calledAt = stopwatch();
    return found;
  }

  /**
   * Returns the sandbox of a token id for a call that may change it: with `auth` `open` an unknown id opens its own, as
   * a first call of the API does. Otherwise 404 `REFERENCE_NOT_FOUND`, and 429 `RATE_LIMITED` as `create`.
   */
  async openNamed(tokenId: string): Promise<Sandbox> {
    await this.#names.pending(tokenId);
    if (this.find(tokenId)) return this.named(tokenId);
    if (this.auth === 'known' || !TOKEN_ID.test(tokenId)) return this.named(tokenId);
    return (await this.authenticate(tokenId, '')).sandbox;
  }

  /** Logs a caller in (spec 5.1). 401 `UNAUTHORIZED`; in `open` mode an unknown token id opens its own sandbox. */
  authenticate(tokenId: string, secret: string): Login | Promise<Login> {
    const pending = this.#names.pending(tokenId);
    if (pending) return pending.then(() => this.authenticate(tokenId, secret));
    const known = this.#names.lead(tokenId);
    // A sandbox from a state file may have been opened by a login that this start does not accept.
    if (known && !(this.auth === 'known' && known.credential && known.credential.secret === undefined)) {
      const { sandbox, credential } = known;
      checkNotRevoked(sandbox.world, tokenId);
      const login = credential ? undefined : tokenLogin(sandbox.world, tokenId);
      const right = credential ? (credential.secret ?? secret) === secret : login?.accepts(secret);
      const principal = credential ?? login?.principal;
      if (!right || !principal)
        fail('UNAUTHORIZED', `wrong client secret for token ${tokenId}`, { why: { rule: 'spec 5 (1)' } });
      return { sandbox, principal };
    }
    if (this.auth === 'known')
      fail('UNAUTHORIZED', `unknown API token ${tokenId}: this emulator was started with --auth known`, {
        why: { rule: 'spec 5 (1)' },
      });
    this.#makeRoom();
    const credential: ApiLogin = { kind: 'platform', tokenId, secret: undefined, permissions: EVERYTHING };
    const seed = this.#seedOf(tokenId);
    const opens: Opening = { id: tokenId, seed, credentials: [credential] };
    const opening = this.#open(opens);
    if (opening instanceof Sandbox) return { sandbox: opening, principal: credential };
    const opened = this.#names.during([tokenId], 'first call', opening);
    return opened.then((sandbox) => ({ sandbox, principal: credential }));
  }

  /**
   * Creates an isolated sandbox with credentials of its own. 429 `RATE_LIMITED` if the process holds as many as it may.
   */
  async create(request: SandboxRequest = {}): Promise<Sandbox> {
    const scenario = request.scenario === undefined ? this.scenario : await loadScenarios([request.scenario]);
    if (request.id !== undefined) this.#refuseTaken(request.id);
    this.#makeRoom();
    const login = request.id === undefined ? this.#newLogin() : this.#loginOf(request.id);
    const { id } = login;
    const credential =
      request.secret === undefined ? login.credential : { ...login.credential, secret: request.secret };
    const own = request.id === undefined ? `sandbox ${this.#created}` : id;
    const seed = request.seed === undefined ? this.#seedOf(own) : shortened(String(request.seed));
    const ownSeed = request.seed !== undefined;
    const { webhookUrl = this.options.webhookUrl } = request;
    const idle = idleOf(request.idle);
    return this.#make({ id, scenario, seed, ownSeed, webhookUrl, idle, credentials: [credential] });
  }

  /** Creates a sandbox: filling it takes a while, and calls with its name wait for it. */
  async #make(opens: Opening, origin?: Origin): Promise<Sandbox> {
    const opening = this.#open(opens, origin);
    return opening instanceof Sandbox ? opening : this.#names.during([opens.id], 'creation', opening);
  }

  /** Returns the seed of a new sandbox: without `--seed` one of that name that was dropped lives on in no id. */
  #seedOf(name: string): string {
    return this.options.seed === undefined ? freshSeed() : `${this.seed}/${name}`;
  }

  /** The sandboxes that are being filled: the rows done, and their total. */
  get filling(): { sandbox: string; done: number; total: number }[] {
    return [...this.#filling].map(([sandbox, progress]) => ({ sandbox, ...progress }));
  }

  /**
   * Does long work on a sandbox's rows in slices; `filling` shows the progress, and the log gets it ten times per
   * second.
   */
  async #slowly(id: string, total: number, steps: Steps): Promise<void> {
    const progress = { done: 0, total };
    let last = stopwatch();
    const onProgress = (rows: number): void => {
      progress.done += rows;
      if (stopwatch() - last < TOLD_MS) return;
      last = stopwatch();
      this.#events.filling?.(id, progress.done, progress.total);
    };
    this.#filling.set(id, progress);
    try {
      await inSlices(steps, onProgress, this.closing);
    } finally {
      this.#filling.delete(id);
    }
  }

  /**
   * Creates a sandbox in the exact state of another, or in one of its past states. It has the same rows, clock, future
   * ids and webhook key, and credentials of its own. Its id is `as`, or a new one. 409 `CONFLICT` if a login has this
   * id already; 429 `RATE_LIMITED` as `create`.
   */
  async fork(origin: Sandbox, { before, as, permissions = EVERYTHING }: Forking = {}): Promise<Sandbox> {
    return this.#copy({ from: 'sandbox', sandbox: origin, ...(before ? { before } : {}) }, permissions, as);
  }

  /**
   * Creates a sandbox that stands in for another in one of its past states, and is dropped after a call. Its agents are
   * connected, and its tokens and links are listed, as they were there. 429 `RATE_LIMITED` as `create`.
   */
  passing(origin: Sandbox, before: Before, permissions = EVERYTHING): Promise<Sandbox> {
    return this.#copy({ from: 'sandbox', sandbox: origin, before, passing: true }, permissions);
  }

  async #copy(
    from: Extract<Origin, { from: 'sandbox' }>,
    permissions: ApiLogin['permissions'],
    as?: string,
  ): Promise<Sandbox> {
    if (as !== undefined) this.#refuseTaken(as);
    this.#makeRoom();
    const origin = from.sandbox;
    const login = as === undefined ? this.#newLogin() : this.#loginOf(as);
    const { id } = login;
    const credential = { ...login.credential, permissions };
    const { scenario } = origin;
    const { seed, ownSeed, webhookUrl, keySeed } = origin.options;
    const opens = { id, scenario, seed, ownSeed, webhookUrl, keySeed, credentials: [credential] };
    return this.#make(opens, from);
  }

  #refuseTaken(id: string): void {
    if (this.#names.isTaken(id)) fail('CONFLICT', `there is a sandbox or a login ${id} already`);
  }

  /** Returns how many real milliseconds ago a sandbox was called; one with listeners counts as being called. */
  idleFor(sandbox: Sandbox): number {
    return sandbox.stream.audience > 0 ? 0 : Math.round(stopwatch() - sandbox.calledAt);
  }

  /** Drops sandboxes that were idle for as long as they may be, and schedules the next check. */
  #dropIdle(): void {
    clearReal(this.#idleTimer);
    this.#idleTimer = undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const sandbox of this.#names.sandboxes) {
      if (!sandbox.idle) continue;
      if (sandbox.stream.audience > 0) sandbox.calledAt = stopwatch();
      const left = sandbox.idle.ms - this.idleFor(sandbox);
      if (left > 0) next = Math.min(next, left);
      else this.drop(sandbox);
    }
    if (next === Number.POSITIVE_INFINITY || this.closing.aborted) return;
    this.#idleTimer = realTimeout(() => this.#dropIdle(), Math.min(next + 1, LONGEST_TIMER_MS)).unref();
  }

  /**
   * Continues from the saved states of an earlier run. Rejects with a sentence if this start has already taken one of
   * their logins.
   */
  async continueFrom({ state, sandboxes }: SavedStates): Promise<void> {
    await this.default.begin({ from: 'file', state });
    for (const saved of sandboxes) await this.#revive(saved);
  }

  /**
   * Revives a sandbox of an earlier run, with its logins. Rejects with a sentence if this start has already taken one
   * of them.
   */
  async #revive(saved: SavedSandbox): Promise<void> {
    const { id, seed, seededWith = `/${saved.id}`, webhookUrl, idle, credentials, scenario, state } = saved;
    const taken = [id, ...credentials.map((c) => c.id)].find((name) => this.#names.isTaken(name));
    if (taken !== undefined)
      throw new Error(`sandbox ${id}: the login ${taken} belongs to another sandbox of this start`);
    const ownSeed = seed !== undefined;
    const opens = {
      id,
      seed: seed ?? `${this.seed}${seededWith}`,
      ownSeed,
      credentials: credentialsOf(credentials),
      idle: idleOf(idle),
      ...(scenario ? { scenario } : {}),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
    };
    await this.#open(opens, { from: 'file', state });
  }

  /** Returns what a state file needs so that the sandbox draws the same again under the same seed of the process. */
  #savedSeed({ id, options: { seed, ownSeed } }: Sandbox): Pick<SavedSandbox, 'seed' | 'seededWith'> {
    if (ownSeed) return { seed };
    const isUsual = this.options.seed === undefined || seed === `${this.seed}/${id}`;
    return isUsual || !seed.startsWith(this.seed) ? {} : { seededWith: seed.slice(this.seed.length) };
  }

  /** Returns the sandboxes to save beside the default one: those that a caller created, or that have changed. */
  *saved(): Generator<SavedSandbox> {
    for (const sandbox of this.#names.sandboxes) {
      const { id, world, credentials, scenario, options } = sandbox;
      if (sandbox === this.default || sandbox.standsFor || !sandbox.hasChanged) continue;
      yield {
        id,
        ...this.#savedSeed(sandbox),
        ...(options.idle ? { idle: options.idle.text } : {}),
        ...(options.webhookUrl === this.options.webhookUrl ? {} : { webhookUrl: options.webhookUrl }),
        credentials: credentials.map(({ tokenId, secret, permissions }) => ({
          id: tokenId,
          secret,
          permissions: [...permissions],
        })),
        ...(scenario === this.scenario ? {} : { scenario }),
        state: world.snapshot(),
      };
    }
  }

  /** Drops a sandbox; the default one stays. */
  drop(sandbox: Sandbox): boolean {
    if (sandbox === this.default) return false;
    sandbox.drop();
    this.#names.remove(sandbox);
    this.#passing.delete(sandbox);
    return true;
  }

  /** Returns the id of the next call of the API, `req_1` for the first; one sequence per process. */
  nextRequestId(): string {
    this.#requests += 1;
    return `req_${this.#requests}`;
  }

  /**
   * Returns the id of the next reply that no log keeps (control API, pages, MCP, preflights), from a sequence of their
   * own.
   */
  nextUnloggedId(): string {
    this.#unlogged += 1;
    return `ctl_${this.#unlogged}`;
  }

  /** Keeps a request in its sandbox's log and reports it to listeners, unless the life in which it began is over. */
  note(sandbox: Sandbox, world: World, entry: Entry): void {
    const { traces } = this.#events;
    if (traces) entry.traceparent = traces.request(sandbox, entry);
    sandbox.calledAt = stopwatch();
    if (!world.over) {
      sandbox.requestLog.add(entry);
      sandbox.stream.publish({ event: 'request', entry });
    }
    if (this.coverage && entry.operation) this.coverage.answered(entry.operation, entry.status, entry.code);
    this.#events.request?.(sandbox, entry);
  }

  /** Returns what the sandboxes of this process have met so far. 409 `CONFLICT` if nothing is counted. */
  coverageReport(): CoverageReport {
    if (!this.coverage)
      fail('CONFLICT', 'coverage is not counted: start with --coverage <folder>, or with the option coverage');
    return reportOf(this.coverage.counts, this.profile.name);
  }

  /** Reports an error in the emulator: the client gets a plain 500, the log everything. */
  broken(what: string, error: unknown): void {
    this.#events.broken?.(what, error);
  }

  close(): void {
    this.#closing.abort(closed());
    clearReal(this.#idleTimer);
    for (const sandbox of this.#names.sandboxes) sandbox.stop();
    closeKept();
  }

  /** The signal that ends deliberate waits when the host closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Returns the next free sandbox id, with a secret. */
  #newLogin(): { id: string; credential: ApiLogin } {
    for (;;) {
      this.#created += 1;
      const id = `sandbox-${this.#created}`;
      if (!this.#names.isTaken(id)) return this.#loginOf(id);
    }
  }

  #loginOf(id: string): { id: string; credential: ApiLogin } {
    const secret = secretOf(this.#secretSeed, id);
    return { id, credential: { kind: 'platform', tokenId: id, secret, permissions: EVERYTHING } };
  }

  /** Opens a new sandbox with its first life. */
  #open(opens: Opening, origin: Origin = { from: 'scenario' }): Sandbox | Promise<Sandbox> {
    const sandbox = new Sandbox(this.#optionsOf(opens));
    return sandbox.begin(origin)?.then(() => sandbox) ?? sandbox;
  }

  #optionsOf(opens: Opening): SandboxOptions {
    const { seed, now, holdClock, allowRemoteWebhooks, webhookUrl } = this.options;
    return {
      scenario: this.scenario,
      webhookUrl,
      ownSeed: false,
      idle: undefined,
      keySeed: seed === undefined ? 'development' : this.seed,
      ...opens,
      freshSeed: seed !== undefined || opens.ownSeed === true ? undefined : freshSeed,
      profile: this.profile,
      outbound: { remote: allowRemoteWebhooks ?? false, url: webhookUrl },
      now: now === undefined ? undefined : parseMoment(now),
      hold: holdClock,
      budget: this.#budget,
      changes: this.#changes,
      owned: opens.credentials.some(({ secret }) => secret !== undefined),
      slowly: (...work) => this.#slowly(...work),
      begun: (sandbox, ended) => this.#keep(sandbox, ended),
      isGiven: (id) => this.#names.isGiven(id),
      others: () => this.#names.sandboxes,
      onBroken: (what, error) => this.broken(what, error),
    };
  }

  /** Takes in a sandbox whose life has begun, with its logins. */
  #keep(sandbox: Sandbox, ended: Ended): void {
    // What stands in for the life before ends with it.
    for (const other of this.#passing) if (other.standsFor === sandbox) this.drop(other);
    if (sandbox.standsFor) this.#passing.add(sandbox);
    for (const other of this.#names.give(sandbox, ended)) this.drop(other);
    if (sandbox.idle) this.#dropIdle();
    this.coverage?.follow(sandbox.world);
    this.#events.traces?.follow(sandbox);
  }

  /**
   * Makes room for one more sandbox: a full process drops the oldest that no call wrote to and that has no listener.
   * Those that are being filled count. 429 `RATE_LIMITED` if all have to be kept.
   */
  #makeRoom(): void {
    let filled = 0;
    for (const id of this.#filling.keys()) if (!this.#names.sandbox(id)) filled += 1;
    if (this.count + filled < this.#bounds.sandboxes) return;
    for (const sandbox of this.#names.sandboxes) {
      if (sandbox.written || sandbox.stream.audience > 0) continue;
      this.drop(sandbox);
      return;
    }
    fail(
      'RATE_LIMITED',
      `this emulator holds ${this.#bounds.sandboxes} sandboxes already; drop some with DELETE /_emulator/sandboxes/{id}`,
      { retryAfter: 1 },
    );
  }
}

/** Returns the time for which a sandbox may be idle, from a duration. */
const idleOf = (text: string | undefined): Idle | undefined =>
  text === undefined ? undefined : { text, ms: parseDuration(text) ?? 0 };

/**
 * The bytes of a seed. Many seeds are drawn at once, because each request for random bytes costs more than the bytes.
 */
const SEED = 8;
const DRAWN = 64 * SEED;
let random = Buffer.alloc(0);

/** Returns a seed that no run had before. */
function freshSeed(): string {
  if (random.length === 0) random = randomBytes(DRAWN);
  const seed = random.toString('hex', 0, SEED);
  random = random.subarray(SEED);
  return seed;
}

/** Returns a seed that draws as another does: a long one is kept as its hash. */
const shortened = (seed: string): string => (seed.length > LONG_SEED ? `sha256 ${sha256(seed)}` : seed);

const scenarioOf = ({ scenario = 'default' }: HostOptions): Promise<Scenario> =>
  loadScenarios(Array.isArray(scenario) ? (scenario as (string | object)[]) : [scenario as string | object]);

const credentialsOf = (written: Scenario['credentials'] | SavedSandbox['credentials']): ApiLogin[] =>
  written.map(({ id, secret, permissions }) => ({
    kind: 'platform',
    tokenId: id,
    secret,
    permissions: new Set(permissions),
  }));

/** Returns the client secret of a created sandbox, the same for the same seed. */
const secretOf = (seed: string, id: string): string => sha256(`sandbox-emulator secret ${seed} ${id}`).slice(0, 36);
