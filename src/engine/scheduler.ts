import * as z from 'zod';
import { AnyRecord, IdOf, Instant } from '../contract/shapes.ts';
import { Alarm } from './alarm.ts';
import type { Clock } from './clock.ts';
import { byDue, type Due, DueQueue, Waiting } from './due-queue.ts';
import { Signal, tick } from './signal.ts';
import { lazyRow, type Row, type RowOf, type Table, type TableState, table } from './table.ts';

/** The kind of a job determines what its payload must be. */
const JobRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Job'),
    kind: z.string(),
    payload: AnyRecord(),
    /** Virtual milliseconds; `null` for a job held until a person runs it. */
    dueAt: Instant().nullable(),
    /** The error of a handler that failed; such a job is kept, for a person to see and run again. */
    broken: z.string().optional(),
  }),
);

/** Something that will happen later. It is data, never a closure, so it can be listed, saved and fired early. */
export type Job = RowOf<typeof JobRow>;

export const JOBS = table('jobs', { row: JobRow, many: 'Scheduled jobs' });

const dueOf = ({ dueAt }: Job): number => dueAt ?? Number.POSITIVE_INFINITY;

/** Compares two jobs for sorting: soonest first, held ones last, and at one moment in the order of their ids. */
export const soonestFirst = (a: Job, b: Job): number => dueOf(a) - dueOf(b) || (a.id < b.id ? -1 : 1);

/**
 * Returns the state of the table of jobs in the order of their ids: their order in the table is that in which the
 * outside world answered, and decides nothing.
 */
export function jobsInOrder(state: TableState): TableState {
  const { name, next, rows } = state;
  const isOrdered = next === rows.length && rows.every(({ id }, i) => i === 0 || (rows[i - 1] as Row).id < id);
  return isOrdered ? state : { name, next: rows.length, rows: rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

/**
 * Reschedules a job that is not finished: due again after this many virtual milliseconds, with a new payload if one is
 * given.
 */
export interface Again {
  readonly again: number;
  readonly payload?: Job['payload'];
}

/** The result of a handler: the end of the job, or a function that writes in one step with its end. */
export type JobAnswer = undefined | Again | (() => void) | (() => Again | undefined);

/** Handles a kind of job in a world of type `W`; it may first wait for the outside world. */
export type Handler<W> = (world: W, job: Job) => JobAnswer | Promise<JobAnswer>;

/** A change in a job's life: it was scheduled, or it ended or was cancelled. */
export type JobEvent =
  | { readonly what: 'scheduled'; readonly id: string; readonly kind: string }
  | { readonly what: 'ended'; readonly id: string };

/** The part of a world that its scheduler needs. */
export interface SchedulerWorld {
  readonly clock: Clock;
  rows(token: typeof JOBS): Table<Job, never>;
  newId(type: string): string;
  assertOpen(): void;
  transact(work: () => void, cause: string): void;
  publish(event: JobEvent): void;
  onBroken(what: string, error: unknown): void;
}

export interface JobRun {
  id: string;
  kind: string;
  at: string;
  payload: Readonly<Record<string, unknown>>;
}

/**
 * The number of times that a job may schedule the very same work at one moment of virtual time; above that it counts as
 * endless.
 */
const MOST_REPEATS = 1000;
/** The longest chain of jobs, of whatever kinds, at one moment of virtual time. */
const MOST_DEPTH = 1_000_000;
/** The most advances that lead nowhere until a clock that runs is at rest, and the most that wait for the outside world in vain. */
const MOST_ROUNDS = 100;
const MOST_WAITS = 3;
/** The most jobs that wait for the outside world at once; other jobs are never delayed by them. */
const IN_FLIGHT = 32;
/** The most jobs that run in one turn of the event loop: calls are handled between two turns. */
const SLICE = 200;
/** The same for jobs that wait for the outside world: signing and sending take a tenth of a millisecond each. */
const SLOW_SLICE = 16;
/** Real milliseconds until a live clock is checked again: while a machine sleeps, its timers do not run. */
const LONGEST_TIMER = 30_000;

/** A running job, and its place in the chain of jobs that led to it. */
interface Cause {
  readonly job: Job;
  readonly due: Due;
}

/** A job that an advance ran, and its place among the others. */
interface Ran {
  readonly due: Due;
  readonly run: JobRun;
}

/** Runs due jobs, oldest first. One unref'd timer per sandbox, for the earliest job, and none if no job is due. */
export class Scheduler<W extends SchedulerWorld> {
  readonly #world: W;
  readonly #handlers: ReadonlyMap<string, Handler<W>>;
  readonly #queue = new DueQueue();
  readonly #alarm = new Alarm();
  readonly #running = new Map<string, Promise<void>>();
  /** Kinds whose promises are work of this process, done in slices. */
  readonly #own: ReadonlySet<string>;
  /** Kinds whose jobs have been seen to wait for the outside world, and the number of such jobs under way. */
  #slow: Set<string> | undefined;
  #outside = 0;
  /** Due jobs of such kinds that found too many under way, in order. */
  readonly #parked = new Waiting();
  /** Fires when a job ends, a slice of jobs has run, or this life ends. */
  readonly #progress = new Signal();
  /** The job that is running now. */
  #cause: Cause | undefined;
  /** Advances run one after another; each waits for the one before. */
  #advances: Promise<unknown> = Promise.resolve();
  #advancing = false;
  /** The running jobs for which the advance under way does not wait; the next one waits for them again. */
  readonly #loose = new Set<string>();
  /** The virtual time at which the advance under way ends at the latest; that of a rest ends no attempt. */
  heading = 0;
  /** True if that advance looks for something, and may stop before. */
  seeks = false;
  #onAdvance: readonly (() => void)[] = [];
  /** The number of advances that have begun. */
  advances = 0;
  /**
   * Called when a job begins to run; the function that it returns is called when the run ends, with the error if it
   * failed.
   */
  onRun: ((job: Job) => (error?: unknown) => void) | undefined = undefined;
  readonly #onClose = new Set<() => void>();
  #asleep = false;
  #closed = false;

  constructor(world: W, handlers: ReadonlyMap<string, Handler<W>>, own: ReadonlySet<string> = new Set()) {
    this.#world = world;
    this.#handlers = handlers;
    this.#own = own;
    world.clock.watch(() => this.rearm());
  }

  /** The table of jobs. */
  get jobs(): Table<Job, never> {
    return this.#world.rows(JOBS);
  }

  /**
   * Schedules a job after a virtual delay in milliseconds; `Infinity` holds it. Pass an `id` for work triggered by the
   * outside world: drawn from the seed, it would make all later ids depend on timing.
   */
  add(kind: string, payload: Job['payload'], delayMs = 0, id = this.#world.newId('Job')): Job {
    if (!this.#handlers.has(kind)) throw new Error(`no handler for jobs of kind ${kind}`);
    const job = this.#insert({ id, kind, payload }, delayMs);
    this.#world.publish({ what: 'scheduled', id, kind });
    return job;
  }

  #insert(work: Pick<Job, 'id' | 'kind' | 'payload'>, delayMs: number): Job {
    const dueAt = delayMs === Number.POSITIVE_INFINITY ? null : this.#world.clock.now() + Math.round(delayMs);
    const job = this.jobs.insert({ ...work, dueAt });
    if (dueAt !== null) this.#push(job, dueAt);
    this.arm();
    return job;
  }

  cancel(id: string): void {
    this.jobs.remove(id);
    this.#world.publish({ what: 'ended', id });
  }

  /**
   * Lets the advance under way go on beside a running job, which ends whenever the outside world lets it. Returns false
   * if others wait for its place: then it has to end.
   */
  letGo(id: string): boolean {
    if (this.#outside >= IN_FLIGHT) return false;
    if (this.#running.has(id)) this.#loose.add(id);
    this.#progress.fire();
    return true;
  }

  /** Returns whether a job is running. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Releases a held job: it is due now, and stays the same job. */
  release(id: string): void {
    const job = this.jobs.get(id);
    if (!job || job.dueAt !== null) return;
    const at = this.#world.clock.now();
    this.#push(this.jobs.put({ ...job, dueAt: at }), at);
    this.arm();
  }

  /** Sets the timer for the earliest job. Due jobs run soon, but never inside the caller. */
  arm(): void {
    if (this.#closed || this.#asleep || this.#advancing) return;
    const next = this.#peek();
    if (!next || this.#alarm.at <= next.at) return;
    const { clock } = this.#world;
    const wait = next.at - clock.now();
    if (wait > 0 && clock.mode === 'held') return;
    const real = Math.min(Math.ceil(Math.max(wait, 0) / clock.speed), LONGEST_TIMER);
    this.#alarm.set(next.at, real, () => this.#wake());
  }

  /** Checks again after the clock or the jobs were changed from outside. */
  rearm(): void {
    this.#alarm.clear();
    this.arm();
  }

  /** Rebuilds the queue from the jobs that the world holds now; running jobs continue. */
  requeue(): void {
    this.#alarm.clear();
    this.#queue.clear();
    this.#parked.clear();
    for (const job of this.jobs.rows()) {
      if (job.dueAt !== null && !job.broken) this.#push(job, job.dueAt);
    }
    this.arm();
  }

  /** Runs nothing until it is woken: its world is still being built. */
  sleep(): void {
    this.#asleep = true;
    this.#alarm.clear();
  }

  wake(): void {
    this.#asleep = false;
    this.arm();
  }

  /** Stops for good: running jobs write nothing any more, and an advance ends where it is. */
  close(): void {
    this.#closed = true;
    this.#alarm.clear();
    for (const listener of this.#onClose) listener();
    this.#onClose.clear();
    this.#progress.fire();
  }

  /**
   * Runs one job now, due or not. Resolves with undefined if there is no such job; 409 CONFLICT if this life ends
   * first.
   */
  async run(id: string): Promise<JobRun | undefined> {
    const job = this.jobs.get(id);
    if (!job) return undefined;
    const done = this.#shown(job);
    await (this.#running.get(id) ?? this.#start(job));
    this.#world.assertOpen();
    return done;
  }

  /** Moves the clock by virtual milliseconds, counted from its time after earlier advances. */
  advanceBy(ms: number): Promise<JobRun[]> {
    return this.#inTurn(() => this.#world.clock.now() + ms);
  }

  /**
   * Moves the clock to a moment and runs everything due on the way, in due order, with the clock at each job's own
   * time. Returns the jobs that ran, but for work in the outside world that was due before. 409 CONFLICT if another life
   * begins; the end of the process ends it early.
   */
  advanceTo(target: number): Promise<JobRun[]> {
    return this.#inTurn(() => target);
  }

  /**
   * Moves from one due job to the next, by at most `ms` virtual milliseconds, until `enough` holds or no job is due in
   * that time. Other jobs due at that moment run, too; the clock stays there. Returns the jobs that ran. 409 CONFLICT
   * as `advanceTo`.
   */
  skip(ms: number, enough: () => boolean = () => false): Promise<JobRun[]> {
    return this.#inTurn(() => this.#world.clock.now() + ms, enough);
  }

  /** Resolves when no advance is under way. */
  still(): Promise<void> {
    return this.#advances.then(() => {});
  }

  /**
   * Calls a listener whenever an advance begins, and at once if one is under way. Returns a function that removes it.
   */
  onAdvance(listener: () => void): () => void {
    this.#onAdvance = [...this.#onAdvance, listener];
    if (this.#advancing) listener();
    return () => {
      this.#onAdvance = this.#onAdvance.filter((one) => one !== listener);
    };
  }

  /**
   * Calls a listener once when this scheduler is closed, or at once if it already is. Returns a function that removes
   * it.
   */
  onClose(listener: () => void): () => void {
    if (this.#closed) listener();
    else this.#onClose.add(listener);
    return () => void this.#onClose.delete(listener);
  }

  /** Resolves when nothing is due or running at the present moment. */
  async settle(): Promise<void> {
    while (!this.#closed && (this.#running.size > 0 || this.#isDue)) await this.#progress.next();
  }

  /**
   * Runs what is due at the present moment, as an advance does that leads nowhere, and what this makes due at once. A
   * clock that runs fast never comes to rest: it is left to itself then. 409 CONFLICT as `advanceTo`.
   */
  async rest(): Promise<void> {
    let waits = 0;
    for (let round = 0; round < MOST_ROUNDS && waits < MOST_WAITS; round += 1) {
      await this.#inTurn(() => this.#world.clock.now(), undefined, Number.NEGATIVE_INFINITY);
      if (this.#closed || !this.#isDue) return;
      if (this.#loose.size > 0) waits += 1;
    }
  }

  get #isDue(): boolean {
    const next = this.#peek();
    return next !== undefined && next.at <= this.#world.clock.now();
  }

  #inTurn(target: () => number, enough?: () => boolean, heading?: number): Promise<JobRun[]> {
    const turn = this.#advances.then(() => this.#advance(target, enough, heading));
    this.#advances = turn.catch(() => {});
    return turn;
  }

  async #advance(target: () => number, enough?: () => boolean, heading?: number): Promise<JobRun[]> {
    const { clock } = this.#world;
    const ran: Ran[] = [];
    if (!this.#closed) {
      const end = target();
      this.#advancing = true;
      this.heading = heading ?? end;
      this.seeks = enough !== undefined;
      this.advances += 1;
      this.#loose.clear();
      this.#alarm.clear();
      for (let due = this.#parked.take(); due; due = this.#parked.take()) this.#queue.put(due);
      for (const listener of this.#onAdvance) listener();
      try {
        await this.#runUntil(end, ran, enough);
        if (!this.#closed && !enough) clock.moveTo(end);
      } finally {
        this.#advancing = false;
        this.rearm();
        this.#progress.fire();
      }
    }
    this.#world.assertOpen();
    // A job behind one that waits for the outside world starts whenever that one ends.
    return ran.sort((a, b) => byDue(a.due, b.due)).map(({ run }) => run);
  }

  /**
   * Runs what is due up to a moment, in slices; time does not move on while a job of the present moment is running, until
   * that one is let go.
   */
  async #runUntil(target: number, ran: Ran[], enough?: () => boolean): Promise<void> {
    const { clock } = this.#world;
    const start = clock.now();
    let rested = Number.NaN;
    let started = 0;
    while (!this.#closed) {
      const next = this.#peek();
      const until = enough?.() ? clock.now() : target;
      const isFree = this.#running.size === this.#loose.size;
      const isNext = next !== undefined && next.at <= until && (next.at <= clock.now() || isFree);
      if (!isNext && isFree) return;
      if (!isNext || this.#outside >= IN_FLIGHT) {
        await this.#progress.next();
        continue;
      }
      // A receiver in this process may call back at once: its calls are handled before time moves on.
      if (enough && next.at > clock.now() && rested !== clock.now()) {
        rested = clock.now();
        await tick();
        continue;
      }
      this.#queue.take();
      clock.moveTo(next.at);
      const job = this.jobs.get(next.id) as Job;
      const run = this.#shown(job);
      const outside = this.#outside;
      this.#start(job, next);
      // Whether it had to wait until now depends on how fast the outside world answered another one.
      const isLate = next.at <= start && this.#outside > outside;
      if (!isLate) ran.push({ due: next, run });
      started += 1;
      if (started % SLICE === 0) await tick();
    }
  }

  #shown(job: Job): JobRun {
    return { id: job.id, kind: job.kind, at: this.#world.clock.iso(), payload: job.payload };
  }

  /**
   * Runs all jobs due now before a call reads the world. Otherwise the result of a call would depend on how busy the
   * process is. Work that waits for the outside world is only started. A long backlog is run in slices; the promise
   * resolves when it is done.
   */
  catchUp(): Promise<void> | undefined {
    const now = this.#world.clock.now();
    const isBehind = (): boolean => {
      if (this.#closed || this.#asleep || this.#advancing) return false;
      const next = this.#peek();
      return next !== undefined && next.at <= now;
    };
    if (!isBehind()) return undefined;
    this.#wake(Number.POSITIVE_INFINITY);
    return isBehind() ? this.#catchUpLater(isBehind) : undefined;
  }

  async #catchUpLater(isBehind: () => boolean): Promise<void> {
    do {
      await tick();
      this.#wake(Number.POSITIVE_INFINITY);
    } while (isBehind());
  }

  /** Runs due jobs, one slice at most; starts at most `mostSlow` of those that wait for the outside world. */
  #wake(mostSlow = SLOW_SLICE): void {
    if (this.#closed || this.#asleep || this.#advancing) return;
    const now = this.#world.clock.now();
    const most = this.#running.size + mostSlow;
    for (let i = 0; i < SLICE && this.#running.size < most; i += 1) {
      const next = this.#peek();
      if (!next || next.at > now) break;
      this.#queue.take();
      const job = this.jobs.get(next.id) as Job;
      if (this.#outside >= IN_FLIGHT && this.#slow?.has(job.kind)) this.#parked.add(next);
      else this.#start(job, next);
    }
    this.arm();
    this.#progress.fire();
  }

  /** Requeues as many parked jobs as there is room for now. */
  #unpark(): void {
    let room = IN_FLIGHT - this.#outside;
    while (room > 0) {
      const due = this.#parked.take();
      if (!due) return;
      if (!this.#stands(due)) continue;
      this.#queue.put(due);
      room -= 1;
    }
  }

  #start(job: Job, due: Due = { at: 0, id: job.id, depth: 0, repeats: 0 }): Promise<void> {
    const running = this.#running;
    const ended = this.onRun?.(job);
    const stands = (): boolean => !this.#closed && this.jobs.get(job.id) !== undefined;
    const broken = (error: unknown): void => {
      ended?.(error);
      if (!stands()) return;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.jobs.put({ ...job, broken: text });
      this.#world.onBroken(`job ${job.kind} ${job.id}`, error);
    };
    const finish = (answer: JobAnswer): void => {
      if (stands()) this.#world.transact(() => this.#ledBy({ job, due }, () => this.#end(job, answer)), job.id);
      ended?.();
    };
    try {
      const handler = this.#handlers.get(job.kind);
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      if (due.repeats >= MOST_REPEATS || due.depth >= MOST_DEPTH)
        throw new Error(`jobs of kind ${job.kind} schedule themselves without end at ${this.#world.clock.iso()}`);
      const result = this.#ledBy({ job, due }, () => handler(this.#world, job));
      if (!(result instanceof Promise)) {
        finish(result);
        return Promise.resolve();
      }
      const isOutside = !this.#own.has(job.kind);
      // The job stops running before it ends, so that one rescheduled for now can be found.
      const over = (end: () => void): void => {
        running.delete(job.id);
        this.#loose.delete(job.id);
        if (isOutside) this.#outside -= 1;
        try {
          end();
        } catch (error) {
          broken(error);
        }
        this.#unpark();
        this.arm();
        this.#progress.fire();
      };
      const run = result.then(
        (answer) => over(() => finish(answer)),
        (error) => over(() => broken(error)),
      );
      if (isOutside) {
        (this.#slow ??= new Set()).add(job.kind);
        this.#outside += 1;
      }
      running.set(job.id, run);
      return run;
    } catch (error) {
      broken(error);
      return Promise.resolve();
    }
  }

  /**
   * Ends a job with what it writes. A rescheduled job keeps its id, and with it its place among jobs due at one moment.
   */
  #end({ id, kind, payload }: Job, answer: JobAnswer): void {
    this.jobs.remove(id);
    const next = typeof answer === 'function' ? (answer() as Again | undefined) : answer;
    if (next?.again === undefined) this.#world.publish({ what: 'ended', id });
    else this.#insert({ id, kind, payload: next.payload ?? payload }, next.again);
  }

  /** Runs work on behalf of a job: the jobs that it schedules have that job as their cause. */
  #ledBy<T>(cause: Cause, work: () => T): T {
    const outer = this.#cause;
    this.#cause = cause;
    try {
      return work();
    } finally {
      this.#cause = outer;
    }
  }

  /** Returns the next job that is still valid; drops entries of removed, moved or running jobs on the way. */
  #peek(): Due | undefined {
    for (;;) {
      const top = this.#queue.first;
      if (!top) return undefined;
      if (this.#stands(top)) return top;
      this.#queue.take();
    }
  }

  #stands({ id, at }: Due): boolean {
    const job = this.jobs.get(id);
    return job !== undefined && job.dueAt === at && !job.broken && !this.#running.has(id);
  }

  /** Queues a job. Jobs that another job schedules for the present moment are counted, so that a cycle ends. */
  #push(job: Job, at: number): void {
    const led = this.#cause && at <= this.#world.clock.now() ? this.#cause : undefined;
    const same =
      led !== undefined && led.job.kind === job.kind && JSON.stringify(led.job.payload) === JSON.stringify(job.payload);
    const depth = led ? led.due.depth + 1 : 0;
    this.#queue.put({ at, id: job.id, depth, repeats: led && same ? led.due.repeats + 1 : 0 });
  }
}
