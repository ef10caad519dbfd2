import { renewLinks } from '../areas/onboarding/index.ts';
import { platformOf, setWebhookEndpoint } from '../areas/platform/index.ts';
import { isKnown, openToken } from '../areas/tokens/index.ts';
import { PARTS } from '../areas.ts';
import { Clock } from '../kernel/clock.ts';
import { Faults } from '../kernel/faults.ts';
import { reword } from '../kernel/first-answers.ts';
import type { Permission, PlatformPrincipal } from '../kernel/operation.ts';
import type { Profile } from '../kernel/profile.ts';
import { atOnce, inSlices, type Steps } from '../kernel/slices.ts';
import { type Outbound, type Snapshot, World } from '../kernel/world.ts';
import { applyScenario, rowsOf } from '../scenario/apply.ts';
import type { Scenario } from '../scenario/schema.ts';
import { Feed } from './feed.ts';
import { Journal } from './journal.ts';
import type { LogBudget } from './log-budget.ts';

export const EVERYTHING: ReadonlySet<Permission> = new Set(['VIEW', 'TRANSACT', 'MANAGE']);

/** Rows from which on a sandbox is filled in slices: some ten milliseconds of work. */
export const MANY_ROWS = 500;

/** A way to log in to a sandbox. */
export interface Credential extends PlatformPrincipal {
  readonly secret: string | undefined;
}

export interface SandboxOptions {
  id: string;
  seed: string;
  keySeed: string;
  profile: Profile;
  scenario: Scenario;
  webhookUrl: string | undefined;
  outbound: Outbound;
  now: number | undefined;
  hold: boolean | undefined;
  /** Who may log in from the start; shown among the API tokens. */
  credentials: readonly Credential[];
  /** A seed of its own was asked for, not only for the process. */
  ownSeed: boolean;
  /** Where ids to come are drawn from after a reset or a restore; absent where a seed asks for the same ones again. */
  freshSeed: (() => string) | undefined;
  /** What the logs of the whole process may take. */
  budget: LogBudget;
  /** It was asked for, and not merely opened by a login. */
  owned: boolean;
}

/** One platform's isolated world with its log and its logins. */
export class Sandbox {
  readonly id: string;
  readonly world: World;
  readonly journal: Journal;
  readonly feed: Feed;
  readonly faults: Faults;
  readonly snapshots = new Map<string, ReturnType<World['snapshot']>>();
  /** Whether something was written to it, by any road, or it was made on purpose: it is never dropped to make room. */
  written: boolean;
  scenario: Scenario;
  credentials: readonly Credential[];
  readonly #options: SandboxOptions;

  /** A new one, at its scenario, or in the very state of another. */
  constructor(options: SandboxOptions, origin?: Sandbox | 'to be filled') {
    this.id = options.id;
    this.#options = options;
    this.journal = new Journal(options.budget);
    this.written = options.owned;
    this.scenario = options.scenario;
    this.credentials = options.credentials;
    const { now, mode } = this.#clock();
    this.world = new World({ ...options, clock: new Clock({ now, mode }), parts: PARTS });
    this.world.outbound = options.outbound;
    this.journal.follow(this.world);
    this.feed = new Feed(this.world);
    this.faults = new Faults(options.seed);
    this.faults.onChange = () => this.feed.soon('faults');
    this.world.tamper = (fact, tried) => (this.faults.none ? undefined : this.faults.onDelivery(fact, tried));
    if (origin instanceof Sandbox) this.#become(origin);
    else if (!origin) this.#fill();
  }

  /** A new one at its scenario, filled in slices; `told` hears how many rows each step made. */
  static async filled(options: SandboxOptions, told: (rows: number) => void, signal: AbortSignal): Promise<Sandbox> {
    const sandbox = new Sandbox(options, 'to be filled');
    try {
      await inSlices(sandbox.#filling(), told, signal);
    } catch (error) {
      sandbox.world.close();
      throw error;
    }
    return sandbox;
  }

  /** The same one anew, filled in slices beside the one that runs, which it then becomes in one moment. */
  async startOver(told: (rows: number) => void, signal: AbortSignal): Promise<void> {
    if (rowsOf(this.scenario) < MANY_ROWS) return this.reset();
    const fresh = await Sandbox.filled({ ...this.#options, ...this.#begins() }, told, signal);
    this.world.restore(fresh.world.snapshot());
    this.#renewIds();
    fresh.world.close();
    this.faults.reset(this.scenario.faults);
    this.journal.clear();
    this.feed.say({ event: 'reset' });
  }

  #begins() {
    return { scenario: this.scenario, credentials: this.credentials };
  }

  /** Whether somebody would miss it: it was made on purpose, written to, or came back from a file. */
  get isKept(): boolean {
    return this.written || this.world.changed;
  }

  /** What its ids and chances are drawn from. */
  get seed(): string {
    return this.#options.seed;
  }

  get options(): Readonly<SandboxOptions> {
    return this.#options;
  }

  /** Where its webhooks go after a reset, unless the scenario alone says. */
  get webhookUrl(): string | undefined {
    return this.#options.webhookUrl;
  }

  /** Back to the scenario: rows, jobs, deliveries, log, snapshots' clock and ids, as if newly started. */
  reset(): void {
    const { now, mode } = this.#clock();
    this.world.clear();
    const fresh = new Clock({ now, mode });
    this.world.clock.restore(fresh.state());
    this.#fill();
    this.#renewIds();
    this.journal.clear();
    this.feed.say({ event: 'reset' });
  }

  /** Start over from another scenario. Throws `ScenarioError`, and stays as it is, when that one makes no sense. */
  restart(scenario: Scenario, credentials: readonly Credential[]): void {
    // Rehearsed beside the world that runs: who has made a mistake in a file has not asked for an empty sandbox.
    new Sandbox({ ...this.#options, scenario, credentials }).world.close();
    this.scenario = scenario;
    this.credentials = credentials;
    this.reset();
  }

  /** Take over the state and the faults of another sandbox; the logins stay one's own. */
  #become(origin: Sandbox): void {
    this.world.restore(origin.world.snapshot());
    this.#renewIds();
    this.world.transact(() => {
      for (const credential of this.credentials) openToken(this.world, credential);
      reword(this.world, renewLinks(this.world));
    });
    this.faults.become(origin.faults);
  }

  /** Become a saved state; the log stays, for it says how things came to be. */
  restore(snapshot: Snapshot): void {
    this.world.restore(snapshot);
    this.journal.follow(this.world);
    this.#renewIds();
    this.feed.say({ event: 'reset' });
  }

  /** What was drawn in the life before has left the machine, and is drawn again only where a seed asks for it. */
  #renewIds(): void {
    const { freshSeed } = this.#options;
    if (freshSeed) this.world.ids.turnTo(freshSeed());
  }

  /** Go on from the state of an earlier run; what this run was told (flags, credentials) holds all the same. */
  continueFrom(snapshot: Snapshot): void {
    const { webhookUrl, hold } = this.#options;
    const { world } = this;
    world.restore(snapshot);
    this.#renewIds();
    world.transact(() => {
      if (webhookUrl !== undefined && webhookUrl !== platformOf(world).webhookEndpoint)
        setWebhookEndpoint(world, webhookUrl);
      for (const credential of this.credentials) if (!isKnown(world, credential.tokenId)) openToken(world, credential);
    });
    if (hold) world.clock.setMode('held');
  }

  #fill(): void {
    this.world.clock.during(() => atOnce(this.#filling()));
  }

  *#filling(): Steps {
    const { webhookUrl } = this.#options;
    // With nothing to go back to: an undo log of a million rows costs more than the rows.
    yield* applyScenario(this.world, this.scenario, { webhookUrl });
    for (const credential of this.credentials) openToken(this.world, credential);
    this.faults.reset(this.scenario.faults);
  }

  #clock(): { now: number | undefined; mode: 'live' | 'held' } {
    const { clock } = this.scenario;
    const start = this.#options.now ?? (clock.now === undefined ? undefined : Date.parse(clock.now));
    return { now: start, mode: this.#options.hold ? 'held' : (clock.mode ?? 'live') };
  }
}
