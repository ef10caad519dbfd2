import type { DeliveryRule, DomainEvent } from '../contract/domain-event.ts';
import { Failure } from '../contract/errors.ts';
import type { DeliveryFault } from '../contract/faults.ts';
import type { Limit } from '../contract/limit.ts';
import type { Policy } from '../contract/policy.ts';
import type { Profile } from '../contract/profile.ts';
import { Clock, type ClockState } from './clock.ts';
import type { History, Moment } from './history.ts';
import { Ids, type IdsState } from './ids.ts';
import { type Handler, JOBS, type JobEvent, Scheduler } from './scheduler.ts';
import type { Settings } from './settings.ts';
import { type Row, Table, type TableState, type TableToken, type Write, type WriteLog } from './table.ts';
import { Writes } from './writes.ts';

/** The data of a whole world. `format` changes when an older reader would go wrong. */
export interface Snapshot {
  format: 1;
  clock: ClockState;
  ids: IdsState;
  settings: Settings;
  tables: TableState[];
}

/** A moment in a lower area at which higher ones may act: `args` are their arguments. */
export interface Hook<A extends readonly unknown[] = readonly unknown[]> {
  readonly name: string;
  readonly args?: A;
}

/** An area's reaction to such a moment. */
export interface Reaction {
  readonly hook: Hook;
  readonly run: (world: World, args: readonly unknown[]) => void;
}

/** The parts that the areas give a world, gathered by `areas.ts`. */
export interface WorldParts {
  /** Every table that it has. */
  tables: readonly TableToken<Row>[];
  handlers: ReadonlyMap<string, Handler<World>>;
  /** Kinds of jobs that take a while by themselves, and do not wait for the outside world. */
  ownWork?: ReadonlySet<string>;
  outbox: (world: World, event: DomainEvent) => void;
  reactions: readonly Reaction[];
  deliveryRules?: ReadonlyMap<string, DeliveryRule<World>>;
  /** Policies of kinds of work that do not happen at once by themselves. */
  policies?: ReadonlyMap<string, Policy>;
}

/** The user's permission to leave this machine, from the command line or a program; no call, scenario or state gives it. */
export interface Outbound {
  /** Webhooks may go to any address. */
  readonly remote: boolean;
  /** The endpoint that the user named: webhooks may go there, wherever it is. */
  readonly url?: string | undefined;
  /** Nothing is sent at all, and each try fails: something is only tried out. */
  silent?: boolean;
}

/** Something that happened and is certain. */
export type CommittedEvent =
  | JobEvent
  | { readonly what: 'event'; readonly event: DomainEvent }
  /** A delivery was tried, released or given up. */
  | { readonly what: 'delivery'; readonly id: string }
  /** A magic value fired: which one, and what it did. */
  | { readonly what: 'magic'; readonly sentence: string; readonly value: string | undefined }
  /** A row has entered a state of its machine; published only while somebody counts. */
  | { readonly what: 'entered'; readonly machine: object; readonly state: string };

/** Hears what happens, and the id of the request or job whose transaction it was, if it was one's. */
export type Watcher = (event: CommittedEvent, cause: string | undefined) => void;

/** Everything one platform's sandbox remembers. */
export class World {
  readonly id: string;
  /** The source of long-lived key material, so that it outlives resets and restarts. */
  readonly keySeed: string;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: Ids;
  settings: Settings;
  readonly scheduler: Scheduler<World>;
  /** The source of ids that pass through and, where there is no such stream yet, its seed. */
  #passing: Ids | string;
  readonly #parts: WorldParts;
  readonly #tables = new Map<string, Table<Row>>();
  readonly #watchers = new Set<Watcher>();
  /** Those of the transaction that is under way, and the list that they are put into, one transaction's after the other's. */
  #writes: Writes | undefined;
  #list: Writes | undefined;
  readonly #log: WriteLog = (table, seq, before) => this.#note(table, seq, before);
  #pendingEvents: CommittedEvent[] = [];
  #cause: string | undefined;
  #quiet = false;
  /** The end of this life, as in `was reset`. */
  #end: string | undefined;
  /** Called when a job handler breaks: a bug of ours, worth a line in the log. */
  onBroken: (what: string, error: unknown) => void = () => {};
  /**
   * Returns what somebody wants to go wrong with a delivery that is about to be sent; nothing, unless a sandbox has faults.
   */
  deliveryFault: (event: DomainEvent, tried: number) => DeliveryFault | undefined = () => undefined;

  /** The hosts that webhooks may reach beyond this machine. */
  outbound: Outbound = { remote: false };
  /** Begins another life from the scenario, soon; set by the sandbox. */
  startOver: () => void = () => {};

  /** Somebody counts the states that rows enter. */
  countsStates = false;

  /** Its latest row changes, once somebody may want to go back; what made it is not among them. */
  history: History | undefined;

  /**
   * An empty one; with a snapshot, what that says, timers included. With a moment of another world it takes over that one's rows
   * as they were then, which costs what has changed since; the other has to end.
   */
  constructor(options: {
    id: string;
    seed: string;
    keySeed: string;
    profile: Profile;
    clock?: Clock | undefined;
    parts: WorldParts;
    snapshot?: Snapshot | undefined;
    past?: { readonly world: World; readonly moment: Moment } | undefined;
  }) {
    const { snapshot, past } = options;
    this.id = options.id;
    this.keySeed = options.keySeed;
    this.profile = options.profile;
    this.clock = options.clock ?? new Clock();
    this.ids = new Ids(options.seed);
    this.#passing = `${options.seed} passing through ${options.id}`;
    this.settings = snapshot?.settings ?? { policies: {}, limits: {} };
    this.#parts = options.parts;
    if (snapshot) {
      this.clock.restore(snapshot.clock);
      this.ids.restore(snapshot.ids);
      for (const state of snapshot.tables) this.#table(state.name).restore(state);
    }
    if (past) this.#takeOver(past.world, past.moment);
    this.scheduler = new Scheduler<World>(this, options.parts.handlers, options.parts.ownWork);
    if (snapshot || past) this.scheduler.requeue();
  }

  /** The rows of another world as they were at a moment of its history. */
  #takeOver(world: World, { ids, clock, settings }: Moment): void {
    this.clock.restore(clock);
    this.ids.restore(ids);
    this.settings = settings;
    this.history = world.history;
    this.takeBack(world);
  }

  /** Give the rows that another world took over back to this one. */
  takeBack(world: World): void {
    for (const [name, table] of world.#tables) {
      table.moveTo(this.#log);
      this.#tables.set(name, table);
    }
  }

  #note(table: Table<Row>, seq: number, before: Row | undefined): void {
    this.assertOpen();
    if (this.#writes) this.#writes.add(table, seq, before);
    else if (this.history) {
      const alone = new Writes();
      alone.add(table, seq, before);
      this.history.add(alone);
    }
  }

  /** The present moment, to go back to; undefined where no history is kept. */
  moment(): Moment | undefined {
    const { settings } = this;
    return this.history?.moment({ ids: this.ids.mark(), clock: this.clock.mark(), settings });
  }

  /** The rows of a table that an area declares; there are no others. */
  rows<R extends Row, I extends string>(token: TableToken<R, I>): Table<R, I> {
    const known = this.#tables.get(token.name);
    return (known?.isOpen ? known : this.#table(token.name).open()) as unknown as Table<R, I>;
  }

  /** Returns whether a table holds anything; asking makes no object for it. */
  holds({ name }: TableToken<Row>): boolean {
    return (this.#tables.get(name)?.size ?? 0) > 0;
  }

  /** A declared table; an object is made for it once it is requested, because most of most sandboxes' tables are empty. */
  #table(name: string): Table<Row> {
    return this.#tables.get(name) ?? this.#newTable(name);
  }

  #newTable(name: string): Table<Row> {
    const token = this.#parts.tables.find((one) => one.name === name);
    if (!token) throw new Error(`no area declares the table ${name}`);
    const made = new Table(token, this.#log);
    this.#tables.set(name, made);
    return made;
  }

  /** Returns whether the scenario sets any limit: to ask for one by its name costs more. */
  get limits(): boolean {
    for (const _ in this.settings.limits) return true;
    return false;
  }

  /** A limit as the scenario sets it, else its standard; `key` is the currency or corridor of one that goes by these. */
  limit<S extends number | undefined>({ name, standard }: Limit<S>, key?: string): number | S {
    return this.settings.limits[key === undefined ? name : `${name}.${key}`] ?? standard;
  }

  /** Let the areas that react to a moment act, in their order. */
  react<A extends readonly unknown[]>(hook: Hook<A>, ...args: A): void {
    for (const reaction of this.#parts.reactions) if (reaction.hook === hook) reaction.run(this, args);
  }

  /** A new record id `<Type>:<uuid>`. */
  newId(type: string): string {
    return this.ids.next(type, this.clock.now());
  }

  /** An id for what is sent and leaves no trace here: no state knows it, and no other id depends on it. */
  passingId(type: string): string {
    if (typeof this.#passing === 'string') this.#passing = new Ids(this.#passing);
    return this.#passing.next(type, this.clock.now());
  }

  /** The policy of a kind of work: as the scenario says, else as its area does, else `at once`. */
  policy(kind: string): Policy {
    return this.settings.policies[kind] ?? this.#parts.policies?.get(kind) ?? 'at once';
  }

  /** Returns what is special about the delivery of a type of event, as its area declares it. */
  deliveryRule(type: string): DeliveryRule<World> {
    return this.#parts.deliveryRules?.get(type) ?? {};
  }

  /** Do something that is history already: it sends no events. */
  withoutEvents(work: () => void): void {
    this.#quiet = true;
    try {
      work();
    } finally {
      this.#quiet = false;
    }
  }

  /** Returns whether events are emitted at present: what nobody will hear need not be shown. */
  get emitsEvents(): boolean {
    return !this.#quiet;
  }

  /** Append an event; dropped with everything else if the call is refused in the end. `data` is the full resource. */
  emit(type: string, subject: string, data: unknown): void {
    if (this.#quiet) return;
    const id = this.newId('Webhook');
    const timestamp = this.clock.iso();
    const event: DomainEvent = { id, type, timestamp, subject, data };
    this.#parts.outbox(this, event);
    this.publish({ what: 'event', event });
  }

  /** Publish that something happened, once it is certain. */
  publish(event: CommittedEvent): void {
    this.#pendingEvents.push(event);
    if (!this.#writes) this.#flush();
  }

  /** Schedule work of a kind after a virtual delay in milliseconds; `id` is for work whose id is not to be drawn. */
  schedule(kind: string, payload: Readonly<Record<string, unknown>>, delayMs: number, id?: string): string {
    return this.scheduler.add(kind, payload, delayMs, id).id;
  }

  /** Take over what the life before kept beside its state: ids that passed through. */
  goOnFrom(before: World): void {
    this.#passing = before.#passing;
  }

  /** Note for the request log which magic value fired and what it did; `value` is its name where an area declares it. */
  magic(sentence: string, value?: string): void {
    this.publish({ what: 'magic', sentence, value });
  }

  /** Hear what happens, once it is certain. Returns how to stop. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Run a synchronous piece of work so that it happens whole or not at all: when it throws, rows, ids, jobs
   * and events are as they were (a refused call leaves no trace). `cause` is the id of the request or job that it is done for;
   * within another transaction, that one's counts.
   */
  transact<T>(work: () => T, cause?: string): T {
    this.assertOpen();
    const outer = this.#writes;
    const writes = outer ?? (this.#list ??= new Writes());
    const from = writes.count;
    const eventsBefore = this.#pendingEvents.length;
    const mark = this.ids.mark();
    this.#writes = writes;
    if (!outer) this.#cause = cause;
    try {
      const result = this.clock.during(work);
      if (!outer) {
        this.#writes = undefined;
        if (writes.count > 0 && this.history) {
          writes.join();
          this.history.add(writes);
        }
        writes.clear();
        this.#flush();
      }
      return result;
    } catch (error) {
      this.#writes = undefined;
      this.#undo(writes.take(from));
      this.ids.restore(mark);
      this.#pendingEvents.length = eventsBefore;
      this.#writes = outer;
      throw error;
    } finally {
      if (!outer) this.#cause = undefined;
    }
  }

  /** Take writes back, newest first. */
  #undo(writes: Writes): void {
    let ofJobs = false;
    for (let i = writes.count - 1; i >= 0; i -= 1) {
      const { table, seq, before } = writes.at(i);
      table.undo(seq, before);
      ofJobs ||= table.name === JOBS.name;
    }
    if (ofJobs) this.scheduler.requeue();
  }

  /** The whole world as data. Cheap: rows are values and are shared. */
  snapshot(): Snapshot {
    return {
      format: 1,
      clock: this.clock.state(),
      ids: this.ids.state(),
      settings: this.settings,
      tables: this.#used().map((t) => t.state()),
    };
  }

  /** The whole world as it was at a moment that can be restored. Rows are shared; this world stays as it is. */
  snapshotAt(moment: Moment): Snapshot {
    const { ids, clock, settings } = moment;
    const now = new Date(clock.now).toISOString();
    const { next: _, ...stream } = ids;
    const tables = new Map(this.#used().map((table) => [table as Table<Row>, table.state()]));
    for (const [table, changes] of changesByTable(this.history?.changes(moment) ?? []))
      tables.set(table, before(tables.get(table) ?? table.state(), changes));
    return {
      format: 1,
      clock: { ...clock, now },
      ids: stream,
      settings,
      tables: [...tables.values()].filter(({ next }) => next > 0).sort((a, b) => (a.name < b.name ? -1 : 1)),
    };
  }

  /** The tables that hold something, by name, with how many rows. */
  tables(): { name: string; size: number }[] {
    return this.#used().flatMap(({ name, size }) => (size > 0 ? [{ name, size }] : []));
  }

  /** The tables that ever held a row, by name. */
  #used(): Table<Row>[] {
    return [...this.#tables.values()].filter((t) => t.used).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** End this life: from now on nothing happens in it, and nothing is written. `how` says what ended it, as in `was reset`. */
  close(how = 'was closed'): void {
    this.#end ??= how;
    this.scheduler.close();
    this.#watchers.clear();
  }

  /** Returns what is still under way is refused with, 409 `CONFLICT`, once this life is over. */
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
    if (this.#pendingEvents.length === 0) return;
    const events = this.#pendingEvents;
    const cause = this.#cause;
    this.#pendingEvents = [];
    for (const event of events) for (const watcher of this.#watchers) this.#show(event, cause, watcher);
  }

  /** Shows an event to a watcher, who has no say in it: it stands, even if the watcher breaks. */
  #show(event: CommittedEvent, cause: string | undefined, watcher: Watcher): void {
    try {
      watcher(event, cause);
    } catch (error) {
      this.onBroken('a watcher', error);
    }
  }
}

/** Writes by their table, newest first. */
function changesByTable(changes: Iterable<Write>): Map<Table<Row>, Write[]> {
  const by = new Map<Table<Row>, Write[]>();
  for (const change of changes) {
    const known = by.get(change.table);
    if (known) known.push(change);
    else by.set(change.table, [change]);
  }
  return by;
}

/** The state of a table before some writes, given newest first. */
function before(state: TableState, changes: readonly Write[]): TableState {
  const bySeq = new Map(state.rows.map((row, i) => [state.seqs?.[i] ?? i, row]));
  let { next } = state;
  for (const { seq, before: row } of changes) {
    if (row) bySeq.set(seq, row);
    else bySeq.delete(seq);
    if (!row && seq === next - 1) next = seq;
  }
  const seqs = [...bySeq.keys()].sort((a, b) => a - b);
  const rows = seqs.map((seq) => bySeq.get(seq) as Row);
  return { name: state.name, next, rows, ...(seqs.length === next ? {} : { seqs }) };
}
