import { Clock, type ClockState } from './clock.ts';
import { Failure } from './errors.ts';
import type { Fact } from './facts.ts';
import type { Tampering } from './faults.ts';
import { Ids, type IdsState } from './ids.ts';
import type { Policy } from './policy.ts';
import type { Profile } from './profile.ts';
import { JOBS, type JobHandler, Scheduler } from './scheduler.ts';
import { type Row, Table, type TableState, type TableToken, type Write } from './table.ts';

/** What a whole world is made of, as data. `format` changes when an older reader would go wrong. */
export interface Snapshot {
  format: 1;
  clock: ClockState;
  ids: IdsState;
  settings: Settings;
  tables: TableState[];
}

/** How the sandbox behaves, from the scenario. */
export interface Settings {
  /** Policy by job kind; a kind that is not named happens at once. */
  policies: Readonly<Record<string, Policy>>;
  limits: Readonly<Record<string, number>>;
  /** Policies that a pause put aside, to come back with its end. */
  aside?: Readonly<Record<string, Policy>> | undefined;
}

/** What the areas give a world, gathered by `areas.ts`. */
export interface WorldParts {
  handlers: ReadonlyMap<string, JobHandler>;
  onFact: (world: World, fact: Fact) => void;
}

/** What one call caused, for the request log; what its jobs cause later is added as they run. */
export interface Trace {
  facts: string[];
  jobs: { readonly id: string; readonly kind: string }[];
  magic: string[];
  /** Jobs that never ran: a restore took them away. */
  undone?: Set<string>;
}

/** A trace with nothing in it. */
export const newTrace = (): Trace => ({ facts: [], jobs: [], magic: [] });

/** A long-lived cause (a webhook nobody takes) must not grow its request's line without end. */
const MOST_TRACED = 250;

/** What the user allowed to leave this machine, on the command line or as a program; no call, scenario or state says it. */
export interface Outbound {
  /** Webhooks may go to any address. */
  readonly remote: boolean;
  /** The endpoint that the user named: webhooks may go there, wherever it is. */
  readonly url?: string | undefined;
}

/** Something that happened and is certain, for whoever looks on. */
export type Happening =
  | { readonly what: 'fact'; readonly fact: Fact }
  /** A delivery was tried, released or given up. */
  | { readonly what: 'delivery'; readonly id: string };

/** Everything one platform's sandbox remembers. */
export class World {
  readonly id: string;
  /** What long-lived key material is derived from, so that it outlives resets and restarts. */
  readonly keySeed: string;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: Ids;
  settings: Settings;
  readonly scheduler: Scheduler;
  #passing: Ids;
  readonly #parts: WorldParts;
  readonly #tables = new Map<string, Table<Row>>();
  /** Tables of a restored snapshot that nobody has asked for yet. */
  readonly #unopened: Map<string, TableState>;
  readonly #watchers = new Set<(happening: Happening) => void>();
  /** Which request's trace a job belongs to; beside the world, for a state knows no requests. */
  readonly #causes = new Map<string, Trace>();
  #writes: Write[] | undefined;
  #told: Happening[] = [];
  #trace: Trace | undefined;
  #quiet = false;
  /** What ended this life, as in `was reset`. */
  #end: string | undefined;
  /** Called when a job handler breaks: a bug of ours, worth a line in the log. */
  onBroken: (what: string, error: unknown) => void = () => {};
  /** What somebody wants to go wrong with a delivery that is about to be sent; nothing, unless a sandbox has faults. */
  tamper: (fact: Fact, tried: number) => Tampering | undefined = () => undefined;

  /** Where webhooks may go beyond this machine. */
  outbound: Outbound = { remote: false };

  /** An empty one; with a snapshot, what that says, timers included. */
  constructor(options: {
    id: string;
    seed: string;
    keySeed: string;
    profile: Profile;
    clock?: Clock | undefined;
    parts: WorldParts;
    snapshot?: Snapshot | undefined;
  }) {
    const { snapshot } = options;
    this.id = options.id;
    this.keySeed = options.keySeed;
    this.profile = options.profile;
    this.clock = options.clock ?? new Clock();
    this.ids = new Ids(options.seed);
    this.#passing = new Ids(`${options.seed} passing through ${options.id}`);
    this.settings = snapshot?.settings ?? { policies: {}, limits: {} };
    this.#unopened = new Map(snapshot?.tables.map((state) => [state.name, state]));
    this.#parts = options.parts;
    if (snapshot) {
      this.clock.restore(snapshot.clock);
      this.ids.restore(snapshot.ids);
    }
    this.scheduler = new Scheduler(this, options.parts.handlers);
    if (snapshot) this.scheduler.requeue();
  }

  /** The rows of a declared table; made at first use. */
  rows<R extends Row, I extends string>(token: TableToken<R, I>): Table<R, I> {
    let found = this.#tables.get(token.name);
    if (!found) {
      const made = new Table<R, I>(token, (write) => {
        this.assertOpen();
        this.#writes?.push(write);
      });
      const saved = this.#unopened.get(token.name);
      if (saved) made.restore(saved);
      this.#unopened.delete(token.name);
      found = made as unknown as Table<Row>;
      this.#tables.set(token.name, found);
    }
    return found as unknown as Table<R, I>;
  }

  /** A new record id `<Type>:<uuid>`. */
  newId(type: string): string {
    return this.ids.next(type, this.clock.now());
  }

  /** An id for what is sent and leaves no trace here: no state knows it, and no other id depends on it. */
  passingId(type: string): string {
    return this.#passing.next(type, this.clock.now());
  }

  /** The policy of a kind of work; `at once` unless the scenario says otherwise. */
  policy(kind: string): Policy {
    return this.settings.policies[kind] ?? 'at once';
  }

  /** Do something that is history already: it sends no events. */
  quietly(work: () => void): void {
    this.#quiet = true;
    try {
      work();
    } finally {
      this.#quiet = false;
    }
  }

  /** Whether events are told at present: what nobody will hear need not be shown. */
  get audible(): boolean {
    return !this.#quiet;
  }

  /** Append an event; dropped with everything else if the call is refused in the end. `data` is the full resource. */
  tell(type: string, subject: string, data: unknown): void {
    if (this.#quiet) return;
    const id = this.newId('Webhook');
    const timestamp = this.clock.iso();
    const fact: Fact = { id, type, timestamp, subject, data };
    this.#parts.onFact(this, fact);
    if (this.#trace && this.#trace.facts.length < MOST_TRACED) this.#trace.facts.push(id);
    this.say({ what: 'fact', fact });
  }

  /** Say to whoever watches that something happened, once it is certain. */
  say(happening: Happening): void {
    this.#told.push(happening);
    if (!this.#writes) this.#flush();
  }

  /** Schedule work of a kind after a virtual delay in milliseconds; `own` is its id, if it is not to be drawn. */
  later(kind: string, payload: Readonly<Record<string, unknown>>, delayMs: number, own?: string): string {
    const { id } = this.scheduler.add(kind, payload, delayMs, own);
    const trace = this.#trace;
    const known = own !== undefined && trace?.jobs.some((job) => job.id === own);
    if (trace && (known || trace.jobs.length < MOST_TRACED)) {
      if (!known) trace.jobs.push({ id, kind });
      this.#causes.set(id, trace);
      this.#forgetCauses();
    }
    return id;
  }

  /** Jobs that were cancelled never ask for their cause: now and then, those of jobs that are gone are forgotten. */
  #forgetCauses(): void {
    const { jobs } = this.scheduler;
    if (this.#causes.size <= 2 * jobs.size + 1000) return;
    for (const id of this.#causes.keys()) if (!jobs.get(id)) this.#causes.delete(id);
  }

  /**
   * Take over what the life before kept beside its state: ids that passed through, and the requests that jobs go back to. Jobs
   * that still wait keep their cause, the others are known not to have run.
   */
  goOnFrom(before: World): void {
    this.#passing = before.#passing;
    for (const [id, trace] of before.#causes) {
      if (this.scheduler.jobs.get(id)) {
        this.#causes.set(id, trace);
        continue;
      }
      trace.undone ??= new Set();
      trace.undone.add(id);
    }
  }

  /** How many jobs know their request, for a test that this does not grow. */
  get traced(): number {
    return this.#causes.size;
  }

  /** The trace of the request that a job goes back to; asked once, when the job ends. */
  takeCause(jobId: string): Trace | undefined {
    const trace = this.#causes.get(jobId);
    if (trace) this.#causes.delete(jobId);
    return trace;
  }

  /** Note for the request log which magic value fired and what it did. */
  magic(sentence: string): void {
    this.#trace?.magic.push(sentence);
  }

  /** Hear what happens, once it is certain. Returns how to stop. */
  watch(watcher: (happening: Happening) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Run a synchronous piece of work so that it happens whole or not at all: when it throws, rows, ids, jobs
   * and events are as they were (a refused call leaves no trace).
   */
  transact<T>(work: () => T, trace?: Trace): T {
    this.assertOpen();
    const outer = this.#writes;
    const writes = outer ?? [];
    const [from, told, mark] = [writes.length, this.#told.length, this.ids.mark()];
    const traced = outer ? this.#trace : trace;
    const [facts, jobs, magic] = traced ? [traced.facts.length, traced.jobs.length, traced.magic.length] : [0, 0, 0];
    this.#writes = writes;
    if (!outer) this.#trace = trace;
    try {
      const result = this.clock.during(work);
      if (!outer) {
        this.#writes = undefined;
        this.#flush();
      }
      return result;
    } catch (error) {
      this.#writes = undefined;
      this.#undo(writes.splice(from));
      this.ids.restore(mark);
      this.#told.length = told;
      this.#writes = outer;
      if (traced) {
        traced.facts.length = facts;
        traced.magic.length = magic;
        for (const { id } of traced.jobs.splice(jobs)) this.#causes.delete(id);
      }
      throw error;
    } finally {
      if (!outer) this.#trace = undefined;
    }
  }

  /** Take writes back, newest first. */
  #undo(writes: readonly Write[]): void {
    for (let i = writes.length - 1; i >= 0; i -= 1) {
      const write = writes[i] as Write;
      write.table.undo(write.seq, write.before);
    }
    if (writes.some((write) => write.table.name === JOBS.name)) this.scheduler.requeue();
  }

  /** The whole world as data. Cheap: rows are values and are shared. */
  snapshot(): Snapshot {
    return {
      format: 1,
      clock: this.clock.state(),
      ids: this.ids.state(),
      settings: this.settings,
      tables: [
        ...[...this.#tables.values()].filter((t) => t.used).map((t) => t.state()),
        ...this.#unopened.values(),
      ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    };
  }

  /** The tables that hold something, by name, with how many rows. */
  tables(): { name: string; size: number }[] {
    const opened = [...this.#tables.values()].filter((t) => t.size > 0).map(({ name, size }) => ({ name, size }));
    const unopened = [...this.#unopened.values()].map(({ name, rows }) => ({ name, size: rows.length }));
    return [...opened, ...unopened].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** End this life: from now on nothing happens in it, and nothing is written. `how` says what ended it, as in `was reset`. */
  close(how = 'was closed'): void {
    this.#end ??= how;
    this.scheduler.close();
    this.#watchers.clear();
  }

  /** What is still under way is refused with, 409 `CONFLICT`, once this life is over. */
  get over(): Failure | undefined {
    if (this.#end === undefined) return undefined;
    return new Failure('CONFLICT', `the sandbox ${this.#end} while this was under way`, {
      passes: true,
      why: { rule: 'what begins in one life of a sandbox does not end in the next (docs/state.md)', seen: this.#end },
    });
  }

  /** Refuses 409 `CONFLICT` once this life is over. */
  assertOpen(): void {
    if (this.#end !== undefined) throw this.over;
  }

  #flush(): void {
    if (this.#told.length === 0) return;
    const told = this.#told;
    this.#told = [];
    for (const happening of told) for (const watcher of this.#watchers) this.#show(happening, watcher);
  }

  /** Whoever looks on has no say in what happened: it stands, even if the watcher breaks. */
  #show(happening: Happening, watcher: (happening: Happening) => void): void {
    try {
      watcher(happening);
    } catch (error) {
      this.onBroken('a watcher', error);
    }
  }
}
