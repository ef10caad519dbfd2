import { createHash, randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { isRevoked, tokenLogin } from '../areas/tokens/index.ts';
import { stopwatch } from '../kernel/clock.ts';
import { fail } from '../kernel/errors.ts';
import type { Principal } from '../kernel/operation.ts';
import { PROFILES, type Profile } from '../kernel/profile.ts';
import type { HostOptions, SandboxRequest } from '../public.ts';
import { rowsOf } from '../scenario/apply.ts';
import { loadScenarios } from '../scenario/load.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Entry } from './journal.ts';
import { LOG_BYTES, LogBudget } from './log-budget.ts';
import { type Credential, EVERYTHING, MANY_ROWS, Sandbox, type SandboxOptions } from './sandbox.ts';
import type { SavedSandbox, SavedStates } from './saved.ts';

/** What the host says as it goes; the command line prints it. */
export interface HostEvents {
  request?: (sandbox: Sandbox, entry: Entry) => void;
  /** A sandbox is being filled, which takes a while: rows that are done, and that there will be. */
  filling?: (sandbox: string, done: number, total: number) => void;
  /** Something of ours broke; the client saw a plain 500 at most. */
  broken?: (what: string, error: unknown) => void;
}

/** What the client ids of API tokens look like. */
const ISSUED = /^[0-9a-f]{32}$/;
/** What one process holds: sandboxes, of which those that were only read make room, and bytes of request logs. */
const BOUNDS = { sandboxes: 10_000, logBytes: LOG_BYTES };

/** What a sandbox is opened with; the rest is as the host has it. */
type Opening = Pick<SandboxOptions, 'id' | 'seed' | 'credentials'> &
  Partial<Pick<SandboxOptions, 'scenario' | 'ownSeed' | 'webhookUrl'>>;

/** Who is logged in, and where. */
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
  readonly options: HostOptions;
  readonly #events: HostEvents;
  readonly #sandboxes = new Map<string, Sandbox>();
  /** Client ids and where they belong; one without a credential is an API token's, which its world knows. */
  readonly #logins = new Map<string, { sandbox: Sandbox; credential?: Credential }>();
  readonly #started = stopwatch();
  readonly #closing = new AbortController();
  readonly #filling = new Map<string, { done: number; total: number }>();
  /** Logins whose sandbox is being filled. */
  readonly #opening = new Map<string, Promise<Sandbox>>();
  readonly #budget: LogBudget;
  readonly #bounds: typeof BOUNDS;
  readonly default: Sandbox;
  /** Whether the server answers more than this machine. */
  open = false;
  #created = 0;
  #requests = 0;

  private constructor(scenario: Scenario, options: HostOptions, events: HostEvents, bounds: typeof BOUNDS) {
    this.options = options;
    this.#bounds = bounds;
    this.#budget = new LogBudget(bounds.logBytes);
    setMaxListeners(0, this.#closing.signal);
    this.scenario = scenario;
    this.#events = events;
    this.profile = PROFILES[options.profile ?? 'spec'];
    this.basePath = options.basePath ?? this.profile.basePath;
    this.auth = options.auth ?? 'open';
    this.seed = options.seed === undefined ? freshSeed() : String(options.seed);
    const [first] = scenario.credentials;
    if (!first) throw new Error('a scenario needs a credential');
    this.default = this.#open({ id: first.id, scenario, seed: this.seed, credentials: credentialsOf(scenario) });
  }

  /** Read the scenarios and open the default sandbox. Throws `ScenarioError` naming every problem. */
  static async start(options: HostOptions = {}, events: HostEvents = {}, bounds = BOUNDS): Promise<Host> {
    return new Host(await scenarioOf(options), options, events, bounds);
  }

  /**
   * Read the scenarios again: the default sandbox starts over from them, and sandboxes to come start there. Rejects,
   * and everything stays as it is, when they are not usable.
   */
  async reload(): Promise<void> {
    const scenario = await scenarioOf(this.options);
    const credentials = credentialsOf(scenario);
    const name = credentials[0]?.tokenId;
    if (name !== this.default.id)
      throw new Error(
        `credentials: the first one names the sandbox, which is ${this.default.id} and not ${name} until the next start`,
      );
    this.default.restart(scenario, credentials);
    this.scenario = scenario;
    for (const [id, { sandbox }] of this.#logins) if (sandbox === this.default) this.#logins.delete(id);
    for (const credential of credentials) {
      const opened = this.#sandboxes.get(credential.tokenId);
      if (opened) this.drop(opened);
      this.#logins.set(credential.tokenId, { sandbox: this.default, credential });
    }
  }

  get sandboxes(): Iterable<Sandbox> {
    return this.#sandboxes.values();
  }

  /** Bytes that the request logs of all sandboxes take. */
  get logBytes(): number {
    return this.#budget.bytes;
  }

  get count(): number {
    return this.#sandboxes.size;
  }

  /** Real milliseconds since the start. */
  get uptimeMs(): number {
    return Math.round(stopwatch() - this.#started);
  }

  /** The sandbox a token id belongs to. */
  find(tokenId: string): Sandbox | undefined {
    return this.#sandboxes.get(tokenId) ?? this.#logins.get(tokenId)?.sandbox;
  }

  /** Log in (spec 5.1). Refuses 401 `UNAUTHORIZED`; in `open` mode an unknown token id opens its own sandbox. */
  authenticate(tokenId: string, secret: string): Login | Promise<Login> {
    const known = this.#logins.get(tokenId) ?? this.#issued(tokenId);
    // One that came back from a state file may have been opened by a login that this start does not welcome.
    if (known && !(this.auth === 'known' && known.credential && known.credential.secret === undefined)) {
      const { sandbox, credential } = known;
      if (isRevoked(sandbox.world, tokenId))
        fail('UNAUTHORIZED', `token ${tokenId} was deleted`, { why: { rule: 'reference 16.4' } });
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
    if (this.#sandboxes.size >= this.#bounds.sandboxes) this.#makeRoom();
    const credential: Credential = { kind: 'platform', tokenId, secret: undefined, permissions: EVERYTHING };
    const seed = `${this.seed}/${tokenId}`;
    const asked: Opening = { id: tokenId, seed, credentials: [credential] };
    if (rowsOf(this.scenario) < MANY_ROWS) return { sandbox: this.#open(asked), principal: credential };
    let opening = this.#opening.get(tokenId);
    if (!opening) {
      opening = this.#openFilled(asked);
      this.#opening.set(tokenId, opening);
      void opening.finally(() => this.#opening.delete(tokenId)).catch(() => {});
    }
    return opening.then((sandbox) => ({ sandbox, principal: credential }));
  }

  /** A new isolated sandbox with credentials of its own. */
  async create(request: SandboxRequest = {}): Promise<Sandbox> {
    const scenario = request.scenario === undefined ? this.scenario : await loadScenarios([request.scenario]);
    const { id, credential } = this.#newLogin();
    const seed = request.seed === undefined ? `${this.seed}/sandbox ${this.#created}` : String(request.seed);
    const ownSeed = request.seed !== undefined;
    const { webhookUrl = this.options.webhookUrl } = request;
    return this.#openFilled({ id, scenario, seed, ownSeed, webhookUrl, credentials: [credential] });
  }

  /** Back to its scenario; in slices where that is large. */
  async startOver(sandbox: Sandbox): Promise<void> {
    await this.#telling(sandbox.id, sandbox.scenario, (told) => sandbox.startOver(told, this.closing));
  }

  /** Sandboxes that are being filled: rows that are done, and that there will be. */
  get filling(): { sandbox: string; done: number; total: number }[] {
    return [...this.#filling].map(([sandbox, progress]) => ({ sandbox, ...progress }));
  }

  /** Do long work on a sandbox's rows; whoever asks hears how far it is, and the log about once a second. */
  async #telling<T>(id: string, scenario: Scenario, work: (told: (rows: number) => void) => Promise<T>): Promise<T> {
    const progress = { done: 0, total: rowsOf(scenario) };
    let last = stopwatch();
    this.#filling.set(id, progress);
    try {
      return await work((rows) => {
        progress.done += rows;
        if (stopwatch() - last < 1000) return;
        last = stopwatch();
        this.#events.filling?.(id, progress.done, progress.total);
      });
    } finally {
      this.#filling.delete(id);
    }
  }

  /** A new sandbox in the very state of another: same rows, clock, ids to come and webhook key; credentials of its own. */
  fork(origin: Sandbox): Sandbox {
    const { id, credential } = this.#newLogin();
    const { scenario, seed, webhookUrl } = origin;
    const { ownSeed } = origin.options;
    return this.#open({ id, scenario, seed, ownSeed, webhookUrl, credentials: [credential] }, origin);
  }

  /** Go on from what an earlier run has saved. Throws a sentence when a login of it is taken by this start. */
  continueFrom({ state, sandboxes }: SavedStates): void {
    this.default.continueFrom(state);
    for (const saved of sandboxes) this.#revive(saved);
  }

  /** A sandbox of an earlier run, with its logins. Throws a sentence when one of them is taken by this start. */
  #revive({ id, seed, webhookUrl, credentials, scenario, state }: SavedSandbox): void {
    const taken = [id, ...credentials.map((c) => c.id)].find((name) => this.find(name));
    if (taken !== undefined)
      throw new Error(`sandbox ${id}: the login ${taken} belongs to another sandbox of this start`);
    const ownSeed = seed !== undefined;
    const sandbox = this.#open({
      id,
      seed: seed ?? `${this.seed}/${id}`,
      ownSeed,
      credentials: credentials.map((c) => ({
        kind: 'platform',
        tokenId: c.id,
        secret: c.secret,
        permissions: new Set(c.permissions),
      })),
      ...(scenario ? { scenario } : {}),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
    });
    sandbox.continueFrom(state);
  }

  /** The sandboxes beside the default one that somebody made or wrote to, as they are to be saved. */
  *saved(): Generator<SavedSandbox> {
    for (const sandbox of this.#sandboxes.values()) {
      const { id, world, credentials, scenario, options } = sandbox;
      if (sandbox === this.default || !sandbox.isKept) continue;
      yield {
        id,
        ...(options.ownSeed ? { seed: options.seed } : {}),
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

  /** Forget a sandbox; the default one stays. */
  drop(sandbox: Sandbox): boolean {
    if (sandbox === this.default) return false;
    sandbox.feed.end();
    sandbox.world.close();
    sandbox.journal.clear();
    this.#sandboxes.delete(sandbox.id);
    for (const [id, login] of this.#logins) if (login.sandbox === sandbox) this.#logins.delete(id);
    return true;
  }

  /** The next request id; one sequence a process. */
  nextRequestId(): string {
    this.#requests += 1;
    return `req_${this.#requests}`;
  }

  /** Keep a request in its sandbox's log and say it to whoever listens. */
  note(sandbox: Sandbox, entry: Entry): void {
    sandbox.journal.add(entry);
    sandbox.feed.say({ event: 'request', entry });
    this.#events.request?.(sandbox, entry);
  }

  /** A bug of ours: the client gets a plain 500, the log everything. */
  broken(what: string, error: unknown): void {
    this.#events.broken?.(what, error);
  }

  close(): void {
    this.#closing.abort();
    for (const sandbox of this.#sandboxes.values()) {
      sandbox.feed.end();
      sandbox.world.close();
    }
  }

  /** Aborted when the host closes: what waits on purpose waits no longer. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The next free sandbox id, with a secret. */
  #newLogin(): { id: string; credential: Credential } {
    for (;;) {
      this.#created += 1;
      const id = `sandbox-${this.#created}`;
      if (this.find(id)) continue;
      return {
        id,
        credential: { kind: 'platform', tokenId: id, secret: secretOf(this.seed, id), permissions: EVERYTHING },
      };
    }
  }

  #open(asked: Opening, origin?: Sandbox): Sandbox {
    return this.#keep(new Sandbox(this.#optionsOf(asked, origin), origin));
  }

  /** The same, in slices where there is much to fill in. */
  async #openFilled(asked: Opening): Promise<Sandbox> {
    const options = this.#optionsOf(asked);
    if (rowsOf(options.scenario) < MANY_ROWS) return this.#keep(new Sandbox(options));
    const filling = (told: (rows: number) => void) => Sandbox.filled(options, told, this.closing);
    return this.#keep(await this.#telling(options.id, options.scenario, filling));
  }

  #optionsOf(asked: Opening, origin?: Sandbox): SandboxOptions {
    const { seed, now, holdClock, allowRemoteWebhooks, webhookUrl } = this.options;
    return {
      scenario: this.scenario,
      webhookUrl,
      ownSeed: false,
      ...asked,
      freshSeed: seed !== undefined || asked.ownSeed === true ? undefined : freshSeed,
      keySeed: origin?.world.keySeed ?? (seed === undefined ? 'development' : this.seed),
      profile: this.profile,
      outbound: { remote: allowRemoteWebhooks ?? false, url: webhookUrl },
      now: now === undefined ? undefined : Date.parse(now),
      hold: holdClock,
      budget: this.#budget,
      owned: asked.credentials.some(({ secret }) => secret !== undefined),
    };
  }

  #keep(sandbox: Sandbox): Sandbox {
    sandbox.world.onBroken = (what, error) => this.broken(what, error);
    this.#sandboxes.set(sandbox.id, sandbox);
    for (const credential of sandbox.credentials) this.#logins.set(credential.tokenId, { sandbox, credential });
    return sandbox;
  }

  /** Where a client id that never logged in before was issued or deleted; asks every sandbox, so only if it could be. */
  #issued(clientId: string): { sandbox: Sandbox; credential?: Credential } | undefined {
    if (!ISSUED.test(clientId)) return undefined;
    for (const sandbox of this.#sandboxes.values()) {
      if (!tokenLogin(sandbox.world, clientId) && !isRevoked(sandbox.world, clientId)) continue;
      const found = { sandbox };
      this.#logins.set(clientId, found);
      return found;
    }
    return undefined;
  }

  /** Of the sandboxes that a login opened, the oldest that nothing was ever written to goes. */
  #makeRoom(): void {
    for (const sandbox of this.#sandboxes.values()) {
      if (sandbox.isKept || sandbox.feed.audience > 0) continue;
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

/** A seed that no run had before. */
const freshSeed = (): string => randomBytes(8).toString('hex');

const scenarioOf = ({ scenario = 'default' }: HostOptions): Promise<Scenario> =>
  loadScenarios(Array.isArray(scenario) ? (scenario as (string | object)[]) : [scenario as string | object]);

const credentialsOf = (scenario: Scenario): Credential[] =>
  scenario.credentials.map(({ id, secret, permissions }) => ({
    kind: 'platform',
    tokenId: id,
    secret,
    permissions: new Set(permissions),
  }));

/** The client secret of a created sandbox, the same for the same seed. */
const secretOf = (seed: string, id: string): string =>
  createHash('sha256').update(`sandbox-emulator secret ${seed} ${id}`).digest('hex').slice(0, 36);
