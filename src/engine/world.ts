import type { DeliveryRule, DomainEvent } from '../contract/domain-event.ts';
import { Failure } from '../contract/errors.ts';
import type { Faults } from '../contract/faults.ts';
import type { Limit } from '../contract/limit.ts';
import type { Policy } from '../contract/policy.ts';
import type { Profile } from '../contract/profile.ts';
import { Clock, type ClockState } from './clock.ts';
import type { History, Moment } from './history.ts';
import { Ids, type IdsState } from './ids.ts';
import { type Handler, JOBS, type JobEvent, jobsInOrder, Scheduler } from './scheduler.ts';
import type { Settings } from './settings.ts';
import { type Row, Table, type TableState, type TableToken, type Write, type WriteLog } from './table.ts';
import { Writes } from './writes.ts';

/** The data of a whole world. `format` changes when an older reader would misread it. */
export interface Snapshot {
  format: 1;
  clock: ClockState;
  ids: IdsState;
  settings: Settings;
  tables: TableState[];
}

/** A moment in a lower area at which higher ones may act; `args` types their arguments. */
export interface Hook<A extends readonly unknown[] = readonly unknown[]> {
  readonly name: string;
  readonly args?: A;
}

/** An area's reaction to a hook. */
export interface Reaction {
  readonly hook: Hook;
  readonly run: (world: World, args: readonly unknown[]) => void;
}

/** The contributions of the areas to a world, gathered by `areas.ts`. */
export interface WorldParts {
  /** Every declared table. */
  tables: readonly TableToken<Row>[];
  handlers: ReadonlyMap<string, Handler<World>>;
  /** Kinds of jobs whose delay is their own work, not a wait for the outside world. */
  ownWork?: ReadonlySet<string>;
  outbox: (world: World, event: DomainEvent) => void;
  reactions: readonly Reaction[];
  deliveryRules?: ReadonlyMap<string, DeliveryRule<World>>;
  /** Default policies of the kinds of work that do not happen at once. */
  policies?: ReadonlyMap<string, Policy>;
}

/**
 * The user's permission to leave this machine, from the command line or a program; no call, scenario or state can grant
 * it.
 */
export interface Outbound {
  /** True if webhooks may go to any address. */
  readonly remote: boolean;
  /** The endpoint that the user named: webhooks may go there, wherever it is. */
  readonly url?: string | undefined;
  /** Set for a trial run: nothing is sent, and each attempt fails. */
  silent?: boolean;
}

/** Something that happened in a transaction that has been committed. */
export type CommittedEvent =
  | JobEvent
  | { readonly what: 'event'; readonly event: DomainEvent }
  /** A delivery was attempted, released or given up. */
  | { readonly what: 'delivery'; readonly id: string }
  /** A magic value had an effect: its name and the effect. */
  | { readonly what: 'magic'; readonly sentence: string; readonly value: string | undefined }
  /** A row has entered a state of its machine; published only while states are counted. */
  | { readonly what: 'entered'; readonly machine: object; readonly state: string };

/** Receives each event, and the id of the request or job whose transaction emitted it, if any. */
export type Watcher = (event: CommittedEvent, cause: string | undefined) => void;

/** The whole state of one platform's sandbox. */
export class World {
  readonly id: string;
  /** The seed of long-lived key material, which outlives resets and restarts. */
  readonly keySeed: string;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: Ids;
  settings: Settings;
  readonly scheduler: Scheduler<World>;
  /** The source of ids that are not stored; before its first use, the seed of that source. */
  #passing: Ids | string;
  readonly #parts: WorldParts;
  readonly #tables = new Map<string, Table<Row>>();
  readonly #watchers = new Set<Watcher>();
  /** The writes of the current transaction, and the list that transactions reuse, one after another. */
  #writes: Writes | undefined;
  #list: Writes | undefined;
  readonly #log: WriteLog = (table, seq, before) => this.#note(table, seq, before);
  #pendingEvents: CommittedEvent[] = [];
  /** Ids from outside that the stream of ids has not passed yet. */
  #pinned = new Set<string>();
  #cause: string | undefined;
  #quiet = false;
  /** The end of this life, such as `was reset`. */
  #end: string | undefined;
  /** Called when a job handler fails: a bug of ours, worth a line in the log. */
  onBroken: (what: string, error: unknown) => void = () => {};
  /** The faults to inject into deliveries; undefined outside a sandbox. */
  deliveryFaults: Pick<Faults, 'none' | 'list' | 'ahead' | 'onDelivery' | 'effectOf'> | undefined = undefined;

  /** The hosts beyond this machine that webhooks may reach. */
  outbound: Outbound = { remote: false };
  /** Returns whether a client id is that of a sandbox or a credential; set by the sandbox. */
  isGiven: (clientId: string) => boolean = () => false;
  /** Returns the worlds of the other sandboxes of this process; set by the sandbox. */
  others: () => readonly World[] = () => [];
  /** Begins another life from the scenario soon; set by the sandbox. */
  startOver: () => void = () => {};

  /** True while the states that rows enter are counted. */
  countsStates = false;

  /** Its latest row changes, if anyone may want to go back; those that built the world are not among them. */
  history: History | undefined;

  /**
   * Creates an empty world, or restores a snapshot, timers included. With a moment of another world, it takes over that
   * world's rows as of then, which costs only what has changed since; the other world must end.
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
      const isAhead = this.ids.ahead();
      for (const state of snapshot.tables) {
        this.#table(state.name).restore(state);
        for (const { id } of state.rows) if (isAhead(id)) this.pin(id);
      }
    }
    if (past) this.#takeOver(past.world, past.moment);
    this.scheduler = new Scheduler<World>(this, options.parts.handlers, options.parts.ownWork);
    if (snapshot || past) this.scheduler.requeue();
  }

  /** Takes over the rows of another world as of a moment of its history. */
  #takeOver(world: World, { ids, clock, settings }: Moment): void {
    this.clock.restore(clock);
    this.ids.restore(ids);
    this.#pinned = world.#pinned;
    this.settings = settings;
    this.history = world.history;
    this.takeBack(world);
  }

  /** Takes back the rows that another world took over from this one. */
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

  /** Returns the present moment, to go back to; undefined if no history is kept. */
  moment(): Moment | undefined {
    const { settings } = this;
    return this.history?.moment({ ids: this.ids.mark(), clock: this.clock.mark(), settings });
  }

  /** Returns the rows of a declared table; there are no others. */
  rows<R extends Row, I extends string>(token: TableToken<R, I>): Table<R, I> {
    const known = this.#tables.get(token.name);
    return (known?.isOpen ? known : this.#table(token.name).open()) as unknown as Table<R, I>;
  }

  /** Returns whether a table holds anything; a table object is not created for the question. */
  holds({ name }: TableToken<Row>): boolean {
    return (this.#tables.get(name)?.size ?? 0) > 0;
  }

  /** Returns a declared table. Its object is created on demand, because most tables of most sandboxes are empty. */
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

  /** Returns whether the scenario sets any limit: looking one up by name costs more. */
  get limits(): boolean {
    for (const _ in this.settings.limits) return true;
    return false;
  }

  /**
   * Returns a limit as the scenario sets it, or its default; `key` is the currency or corridor of a limit that depends
   * on one.
   */
  limit<S extends number | undefined>({ name, standard }: Limit<S>, key?: string): number | S {
    return this.settings.limits[key === undefined ? name : `${name}.${key}`] ?? standard;
  }

  /** Returns a limit in whole milliseconds; `unit` is the length of what it counts, a second by default. */
  lasting(limit: Limit<number>, unit = 1000): number {
    return Math.round(this.limit(limit) * unit);
  }

  /** Runs the reactions of areas to a hook, in the order of the areas. */
  react<A extends readonly unknown[]>(hook: Hook<A>, ...args: A): void {
    for (const reaction of this.#parts.reactions) if (reaction.hook === hook) reaction.run(this, args);
  }

  /** Returns a new record id `<Type>:<uuid>`; never one that a scenario has pinned or a state brought. */
  newId(type: string): string {
    let id = this.ids.next(type, this.clock.now());
    while (this.#pinned.has(id)) id = this.ids.next(type, this.clock.now());
    return id;
  }

  /** Keeps an id from being drawn: it is pinned, and the seed may lead to it later. */
  pin(id: string): void {
    this.#pinned.add(id);
  }

  /** Returns an id for something that is sent but not stored: no state holds it, and no other id depends on it. */
  passingId(type: string): string {
    if (typeof this.#passing === 'string') this.#passing = new Ids(this.#passing);
    return this.#passing.next(type, this.clock.now());
  }

  /** Returns an id that depends on a name and the moment alone: not on what was drawn before, nor in which process. */
  idOf(type: string, name: string): string {
    const seed = typeof this.#passing === 'string' ? this.#passing : this.#passing.seed;
    return new Ids(`${seed}, as ${name}`).next(type, this.clock.now());
  }

  /** Returns the policy for a kind of work: the scenario's, or the area's, or `at once`. */
  policy(kind: string): Policy {
    return this.settings.policies[kind] ?? this.#parts.policies?.get(kind) ?? 'at once';
  }

  /** Returns the delivery rule of an event type, as its area declares it. */
  deliveryRule(type: string): DeliveryRule<World> {
    return this.#parts.deliveryRules?.get(type) ?? {};
  }

  /** Runs work that counts as history: it emits no events. */
  withoutEvents(work: () => void): void {
    this.#quiet = true;
    try {
      work();
    } finally {
      this.#quiet = false;
    }
  }

  /** Returns whether events are emitted now; if not, resources need not be shown. */
  get emitsEvents(): boolean {
    return !this.#quiet;
  }

  /**
   * Emits an event, which is dropped with everything else if the call is refused in the end. `data` is the full
   * resource.
   */
  emit(type: string, subject: string, data: unknown): void {
    if (this.#quiet) return;
    const id = this.newId('Webhook');
    const timestamp = this.clock.iso();
    const event: DomainEvent = { id, type, timestamp, subject, data };
    this.#parts.outbox(this, event);
    this.publish({ what: 'event', event });
  }

  /** Publishes that something happened, once its transaction is committed. */
  publish(event: CommittedEvent): void {
    this.#pendingEvents.push(event);
    if (!this.#writes) this.#flush();
  }

  /**
   * Schedules work of a kind after a virtual delay in milliseconds; `id` is for work whose id must not be drawn from
   * the seed.
   */
  schedule(kind: string, payload: Readonly<Record<string, unknown>>, delayMs: number, id?: string): string {
    return this.scheduler.add(kind, payload, delayMs, id).id;
  }

  /** Takes over from the previous life what it kept besides its state: the source of ids that are not stored. */
  goOnFrom(before: World): void {
    this.#passing = before.#passing;
  }

  /**
   * Notes for the request log which magic value had an effect and what it did; `value` is its name if an area declares
   * it.
   */
  magic(sentence: string, value?: string): void {
    this.publish({ what: 'magic', sentence, value });
  }

  /** Calls a watcher for each committed event. Returns a function that removes it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Runs synchronous work as a transaction. If it throws, rows, ids, jobs and events are as before: a refused call
   * leaves no trace. `cause` is the id of the request or job that it serves; a nested transaction has the cause of the
   * outer one.
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

  /** Undoes writes, newest first. */
  #undo(writes: Writes): void {
    let ofJobs = false;
    for (let i = writes.count - 1; i >= 0; i -= 1) {
      const { table, seq, before } = writes.at(i);
      table.undo(seq, before);
      ofJobs ||= table.name === JOBS.name;
    }
    if (ofJobs) this.scheduler.requeue();
  }

  /** Returns the whole world as data. Cheap: rows are values and are shared. */
  snapshot(): Snapshot {
    const { tables, ...rest } = this.snapshotAsStored();
    return { ...rest, tables: inOrder(tables) };
  }

  /** Returns the whole world with every row where it is stored, as the changes of its history name the places. */
  snapshotAsStored(): Snapshot {
    return {
      format: 1,
      clock: this.clock.state(),
      ids: this.ids.state(),
      settings: this.settings,
      tables: byName(this.#used().map((t) => t.state())),
    };
  }

  /** Returns the whole world as of a moment that can be restored. Rows are shared; this world stays as it is. */
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
      tables: inOrder([...tables.values()]),
    };
  }

  /** Returns the tables that hold rows, by name, with the number of rows. */
  tables(): { name: string; size: number }[] {
    return this.#used().flatMap(({ name, size }) => (size > 0 ? [{ name, size }] : []));
  }

  /** Returns the tables that ever held a row, by name. */
  #used(): Table<Row>[] {
    return [...this.#tables.values()].filter((t) => t.used).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Ends this life: from now on nothing happens in it, and nothing is written. `how` says what ended it, such as `was
   * reset`.
   */
  close(how = 'was closed'): void {
    this.#end ??= how;
    this.scheduler.close();
    this.#watchers.clear();
  }

  /** Returns the 409 CONFLICT for work that is still under way, once this life is over. */
  get over(): Failure | undefined {
    if (this.#end === undefined) return undefined;
    return new Failure('CONFLICT', `the sandbox ${this.#end} while this was under way`, {
      passes: true,
      why: { rule: 'what begins in one life of a sandbox does not end in the next (docs/state.md)', seen: this.#end },
    });
  }

  /** Refuses with 409 CONFLICT once this life is over. */
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

  /** Passes an event to a watcher. The event is committed: it stands even if the watcher throws. */
  #show(event: CommittedEvent, cause: string | undefined, watcher: Watcher): void {
    try {
      watcher(event, cause);
    } catch (error) {
      this.onBroken('a watcher', error);
    }
  }
}

/** Returns the states of tables by name, without those that never held a row. */
const byName = (states: readonly TableState[]): TableState[] =>
  states.filter(({ next }) => next > 0).sort((a, b) => (a.name < b.name ? -1 : 1));

/** Returns the same states, by name, with jobs in the order of their ids. */
const inOrder = (states: readonly TableState[]): TableState[] =>
  byName(states.map((state) => (state.name === JOBS.name ? jobsInOrder(state) : state)));

/** Returns writes by table, newest first. */
function changesByTable(changes: Iterable<Write>): Map<Table<Row>, Write[]> {
  const by = new Map<Table<Row>, Write[]>();
  for (const change of changes) {
    const known = by.get(change.table);
    if (known) known.push(change);
    else by.set(change.table, [change]);
  }
  return by;
}

/** Returns the state of a table before some writes, which are given newest first. */
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
