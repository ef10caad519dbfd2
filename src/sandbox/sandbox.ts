import { disconnectShared } from '../areas/agents/index.ts';
import { renewLinks } from '../areas/onboarding/index.ts';
import { platformOf, setWebhookEndpoint } from '../areas/platform/index.ts';
import { forgetTokens, issuedIn, listToken, openToken, tokenLogin } from '../areas/tokens/index.ts';
import { DELIVERIES } from '../areas/webhooks/index.ts';
import { PARTS } from '../areas.ts';
import { type FaultRule, Faults } from '../contract/faults.ts';
import type { Profile } from '../contract/profile.ts';
import { reword } from '../declare/first-answers.ts';
import type { Permission, PlatformPrincipal } from '../declare/operation.ts';
import { Clock, stopwatch } from '../engine/clock.ts';
import { closed } from '../engine/closed.ts';
import { History, type HistoryBudget } from '../engine/history.ts';
import { tick } from '../engine/signal.ts';
import { atOnce, type Steps } from '../engine/slices.ts';
import { type Outbound, type Snapshot, World } from '../engine/world.ts';
import { applyScenario, rowsOf } from '../scenario/apply.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Before } from './before.ts';
import { EventStream } from './event-stream.ts';
import type { LogBudget } from './log-budget.ts';
import { type Entry, RequestLog } from './request-log.ts';

export const EVERYTHING: ReadonlySet<Permission> = new Set(['VIEW', 'TRANSACT', 'MANAGE']);

const NO_FAULTS: readonly FaultRule[] = [];
/** A turn that none follows. */
const NO_LATER = Number.POSITIVE_INFINITY;

/** The number of rows from which a sandbox is filled in slices: about ten milliseconds of work. */
export const MANY_ROWS = 500;

/** A way to log in to a sandbox. */
export interface ApiLogin extends PlatformPrincipal {
  readonly secret: string | undefined;
}

/** The origin of a life (`docs/state.md` says what each keeps). */
export type Origin =
  /** The present scenario, or another with its logins. */
  | { readonly from: 'scenario'; readonly scenario?: Scenario; readonly credentials?: readonly ApiLogin[] }
  /**
   * Another sandbox. `passing`: it stands in for the other during a call, so logins, links and agents stay the other's.
   */
  | { readonly from: 'sandbox'; readonly sandbox: Sandbox; readonly before?: Before; readonly passing?: boolean }
  /** Its own past; later changes are undone. */
  | { readonly from: 'past'; readonly before: Before }
  | { readonly from: 'state'; readonly state: Snapshot }
  /** The state of an earlier run; flags and credentials of this run still apply. */
  | { readonly from: 'file'; readonly state: Snapshot };

/** The real time without a call after which a sandbox is dropped, as it was written and in milliseconds. */
export interface Idle {
  readonly text: string;
  readonly ms: number;
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
  /** The credentials from the start; they are listed among the API tokens. */
  credentials: readonly ApiLogin[];
  /** True if the caller requested a seed for this sandbox, not only for the process. */
  ownSeed: boolean;
  /** Returns a seed for later ids after a reset or a restore; absent if a seed was requested, which repeats them. */
  freshSeed: (() => string) | undefined;
  /** The budget for the logs of the whole process. */
  budget: LogBudget;
  /** The budget for the row changes of the whole process. */
  changes: HistoryBudget;
  idle: Idle | undefined;
  /** True if a caller requested it; a mere login did not open it. */
  owned: boolean;
  /** Does long work in slices; other calls are served between them. */
  slowly: (id: string, rows: number, steps: Steps) => Promise<void>;
  /** Called when a life has begun: its logins are valid from now on, and those of the life before are not. */
  begun: (sandbox: Sandbox, ended: Ended) => void;
  /** Returns whether a client id is that of a sandbox or a credential, so that no token may have it. */
  isGiven: (clientId: string) => boolean;
  /** The other sandboxes of the process. */
  others: () => Iterable<Sandbox>;
  onBroken: World['onBroken'];
}

/** The logins of a life that ends. */
export interface Ended {
  readonly credentials: readonly ApiLogin[];
  /** The client ids of the tokens that the API created in it. */
  readonly issued: readonly string[];
}

/** A life: everything that ends together when another begins. */
interface Life {
  readonly world: World;
  readonly faults: Faults;
  readonly scenario: Scenario;
  readonly credentials: readonly ApiLogin[];
  /** The client ids that the life before has issued: they keep leading here, where most are refused now. */
  readonly issued: readonly string[];
}

/** The rest of a snapshot, beside its state. */
interface Beside {
  readonly faults: Faults;
  readonly handedOut: ReadonlySet<string>;
}

/** One platform's isolated world with its log and its logins. It has a life from its first `begin` on. */
export class Sandbox {
  readonly id: string;
  readonly options: Readonly<SandboxOptions>;
  readonly requestLog: RequestLog;
  readonly stream = new EventStream();
  /** The named snapshots; each may be a life's origin. */
  readonly snapshots = new Map<string, Snapshot>();
  /** The ids of events that a program received, so that each is handed out once in a life. */
  handedOut: Set<string> = new Set();
  /** True if its loss would matter: a caller created it or wrote to it in any way, or it was restored from a file. */
  written: boolean;
  /** The sandbox for which it stands in during one call: its logins, links and agents are that one's. */
  standsFor: Sandbox | undefined = undefined;
  /** The time without a call after which it is dropped; if undefined, it stays. */
  readonly idle: Idle | undefined;
  /** The stopwatch's real milliseconds at the latest call. */
  calledAt = stopwatch();
  /** The faults, and the events that were handed out, at the time of each snapshot. */
  #besides: WeakMap<Snapshot, Beside> | undefined;
  #life: Life | undefined;
  #freshStart: Promise<void> = Promise.resolve();
  /** The number of lives requested so far, and which one is present: a life that was requested earlier is too late. */
  #turns = 0;
  #turn = 0;

  constructor(options: SandboxOptions) {
    this.id = options.id;
    this.options = options;
    this.requestLog = new RequestLog(options.budget);
    this.written = options.owned;
    this.idle = options.idle;
  }

  get #now(): Life {
    if (!this.#life) throw new Error(`sandbox ${this.id} has not begun`);
    return this.#life;
  }

  /** The world of the present life; code that outlives a life asks for it each time. */
  get world(): World {
    return this.#now.world;
  }

  get faults(): Faults {
    return this.#now.faults;
  }

  get scenario(): Scenario {
    return this.#now.scenario;
  }

  get credentials(): readonly ApiLogin[] {
    return this.#now.credentials;
  }

  /** Returns the seed of its ids and random outcomes. */
  get seed(): string {
    return this.options.seed;
  }

  /**
   * Returns the present state, as an origin for a later life; the faults and the set of events handed out come back
   * with it.
   */
  snapshot(): Snapshot {
    const snapshot = this.world.snapshot();
    const beside = { faults: new Faults(this.seed, this.faults), handedOut: new Set(this.handedOut) };
    (this.#besides ??= new WeakMap()).set(snapshot, beside);
    return snapshot;
  }

  /** Lets a state bring back what was beside a snapshot from which a program made it. */
  bringBack(state: Snapshot, origin: Snapshot | undefined): void {
    const beside = origin && this.#besides?.get(origin);
    if (beside) this.#besides?.set(state, beside);
  }

  /**
   * Begins a life: it is built aside, in slices if it is large, and replaces the present one in one moment. Throws
   * without any change if it cannot be built; 409 `CONFLICT` if a life that was requested later has begun already.
   */
  begin(origin: Origin): void | Promise<void> {
    this.#turns += 1;
    const turn = this.#turns;
    const before = this.#life?.world;
    const redo = origin.from === 'past' ? origin.before.moment.history.undo(origin.before.moment) : undefined;
    const life = this.#empty(origin);
    const live = (): void => {
      if (turn < this.#turn) throw before?.over ?? closed();
      this.#turn = turn;
      this.#live(life, origin);
    };
    const undo = (error: unknown): never => {
      life.world.close();
      if (redo) before?.takeBack(life.world);
      redo?.();
      throw error;
    };
    try {
      if (origin.from !== 'scenario') this.#adopt(life, origin);
      else if (rowsOf(life.scenario) < MANY_ROWS) life.world.clock.during(() => atOnce(this.#filling(life)));
      else return this.options.slowly(this.id, rowsOf(life.scenario), this.#filling(life)).then(live).catch(undo);
      live();
    } catch (error) {
      undo(error);
    }
  }

  /** Returns the number of row changes since a request; undefined if the state before it can no longer be restored. */
  changesSince({ before }: Pick<Entry, 'before'>): number | undefined {
    return before && this.world.history?.since(before.moment);
  }

  /** Ends it for good. */
  drop(): void {
    this.#turn = NO_LATER;
    this.stream.end();
    this.world.close('was dropped');
    this.world.history?.close();
    this.requestLog.clear();
  }

  /** Stops the sandbox as the emulator closes: nothing happens by itself any more, and calls under way may end. */
  stop(): void {
    this.#turn = NO_LATER;
    this.stream.end();
    this.world.scheduler.close();
  }

  /** True once it was dropped or stopped: no life begins any more. */
  get #isOver(): boolean {
    return this.#turn === NO_LATER;
  }

  /** Returns a life that sleeps: its state is in place, or its scenario still has to fill it. */
  #empty(origin: Origin): Life {
    const { options } = this;
    const { id, seed, keySeed, profile } = options;
    const {
      scenario = this.#life?.scenario ?? options.scenario,
      credentials = this.#life?.credentials ?? options.credentials,
    } = origin.from === 'scenario' ? origin : {};
    // A rewind takes the tables over, with the tokens that it takes back.
    const issued = origin.from === 'past' ? issuedIn(this.world) : [];
    const start = options.now ?? (scenario.clock.now === undefined ? undefined : Date.parse(scenario.clock.now));
    const mode = options.hold ? 'held' : (scenario.clock.mode ?? 'live');
    const world = new World({
      id,
      seed,
      keySeed,
      profile,
      clock: new Clock({ now: start, mode }),
      parts: PARTS,
      snapshot: stateOf(origin),
      past: origin.from === 'past' ? { world: this.world, moment: origin.before.moment } : undefined,
    });
    world.scheduler.sleep();
    world.outbound = options.outbound;
    world.onBroken = options.onBroken;
    world.isGiven = options.isGiven;
    // One that stands in for another draws what that one would.
    world.others = () => (this.standsFor ? [] : this.#others.map((other) => other.world));
    world.startOver = () => {
      this.#freshStart = this.#startOver(world);
    };
    const faults = new Faults(seed, this.#faultsOf(origin) ?? scenario.faults);
    world.deliveryFaults = faults;
    return { world, faults, scenario, credentials, issued };
  }

  /** Resolves once a pending new start has happened, so that the next call meets the new life. */
  get freshStart(): Promise<void> {
    return this.#freshStart;
  }

  /** Begins again from the scenario, once no advance is under way. */
  async #startOver(world: World): Promise<void> {
    await world.scheduler.still();
    await tick();
    if (world !== this.#life?.world || world.over || this.#isOver) return;
    const turn = this.#turn;
    try {
      await this.begin({ from: 'scenario' });
    } catch (error) {
      // Nobody misses this life if one that was requested later has begun, or if the emulator has closed since.
      if (turn === this.#turn) this.options.onBroken('a new start', error);
    }
  }

  /** The other sandboxes, but for those that stand in for one during a call. */
  get #others(): Sandbox[] {
    return [...this.options.others()].filter((other) => other !== this && !other.standsFor);
  }

  /** Returns the faults that an origin brings along; a state from outside brings none. */
  #faultsOf(origin: Origin): Faults | readonly FaultRule[] | undefined {
    if (origin.from === 'past') return origin.before.faults ?? NO_FAULTS;
    if (origin.from === 'sandbox') return origin.before ? (origin.before.faults ?? NO_FAULTS) : origin.sandbox.faults;
    return origin.from === 'state' ? this.#besides?.get(origin.state)?.faults : undefined;
  }

  /**
   * Returns the events that a program received before an origin; for a state from outside, those of this sandbox count.
   */
  #handedOutOf(origin: Origin): Iterable<string> {
    if (origin.from === 'scenario') return [];
    if (origin.from === 'sandbox') return origin.sandbox.handedOut;
    return (origin.from === 'state' && this.#besides?.get(origin.state)?.handedOut) || this.handedOut;
  }

  *#filling({ world, scenario, credentials }: Life): Steps {
    const { webhookUrl } = this.options;
    // Without undo: an undo log of a million rows costs more than the rows.
    yield* applyScenario(world, scenario, { webhookUrl });
    for (const credential of credentials) openToken(world, credential);
  }

  /**
   * Makes a state this sandbox's own: its logins are among the tokens, and links to another sandbox lead there alone.
   */
  #adopt({ world, credentials }: Life, origin: Origin): void {
    const { from } = origin;
    const { webhookUrl, outbound, hold, freshSeed } = this.options;
    const others = this.#others;
    const worlds = others.map((other) => other.world);
    const isOwn = (clientId: string): boolean => credentials.some(({ tokenId }) => tokenId === clientId);
    // Before anything else happens: how long it took to load the file must not decide the moment.
    if (origin.from === 'file' && hold) world.clock.restore({ ...origin.state.clock, mode: 'held' });
    // Ids from the life before have left the machine; only a requested seed may draw them again.
    if (freshSeed) world.ids.turnTo(freshSeed());
    if (from === 'sandbox' && origin.passing) {
      this.standsFor = origin.sandbox;
      return;
    }
    world.transact(() => {
      // The flag of this start; a URL that the sandbox was created with gives way to what its platform has set since.
      const isFlag = from === 'file' && webhookUrl !== undefined && webhookUrl === outbound.url;
      if (isFlag && webhookUrl !== platformOf(world).webhookEndpoint) setWebhookEndpoint(world, webhookUrl);
      for (const credential of credentials) listToken(world, credential);
      forgetTokens(world, isOwn, (id) => others.some((other) => other.logsIn(id)));
      reword(world, renewLinks(world, worlds));
      disconnectShared(world, worlds);
    });
  }

  /** Sets the webhook endpoint as a flag of the start does: without a test event. */
  setEndpoint(url: string): void {
    this.world.transact(() => setWebhookEndpoint(this.world, url));
  }

  /** True if a saved state has to have it: someone wrote to it, or work that was due changed something in it. */
  get hasChanged(): boolean {
    return this.written || this.world.history?.isBegun === true;
  }

  /** Returns whether a client id belongs here: to a login of the start, or to a token made through the API. */
  logsIn(clientId: string): boolean {
    return (
      this.credentials.some(({ tokenId }) => tokenId === clientId) || tokenLogin(this.world, clientId) !== undefined
    );
  }

  /** Replaces the present life, which ends. */
  #live(life: Life, origin: Origin): void {
    const { freshSeed, begun } = this.options;
    const { world, faults } = life;
    const before = this.#life;
    const isAnew = origin.from === 'scenario';
    if (before && isAnew && freshSeed) world.ids.turnTo(freshSeed());
    if (before && (freshSeed || !isAnew)) world.goOnFrom(before.world);
    if (before && !isAnew) faults.goOnFrom(before.faults);
    if (isAnew) this.requestLog.clear();
    else this.written = true;
    this.handedOut = new Set([...this.#handedOutOf(origin)].filter((id) => world.rows(DELIVERIES).get(id)));
    this.#life = life;
    if (origin.from === 'past') this.requestLog.forgetAfter(origin.before.moment);
    else {
      before?.world.history?.close();
      world.history = new History(this.options.changes);
    }
    this.stream.follow(world);
    this.requestLog.follow(world);
    faults.onChange = () => this.stream.soon('faults');
    const issued = [...life.issued, ...(before && origin.from !== 'past' ? issuedIn(before.world) : [])];
    begun(this, { credentials: before?.credentials ?? [], issued });
    before?.world.close(
      origin.from === 'past'
        ? 'was rewound'
        : !isAnew
          ? 'was restored'
          : origin.scenario
            ? 'was started over'
            : 'was reset',
    );
    world.scheduler.wake();
    if (before) this.stream.publish({ event: 'reset' });
  }
}

/** Returns the state that an origin hands over. */
function stateOf(origin: Origin): Snapshot | undefined {
  if (origin.from === 'scenario' || origin.from === 'past') return undefined;
  if (origin.from !== 'sandbox') return origin.state;
  const { sandbox, before } = origin;
  return before ? sandbox.world.snapshotAt(before.moment) : sandbox.world.snapshot();
}
