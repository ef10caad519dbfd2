import * as z from 'zod';
import { AnyRecord, IdOf, Instant } from '../contract/shapes.ts';
import { Alarm } from './alarm.ts';
import type { Clock } from './clock.ts';
import { type Due, DueQueue, Waiting } from './due-queue.ts';
import { Signal, tick } from './signal.ts';
import { lazyRow, type RowOf, type Table, table } from './table.ts';

/** Its kind says what its payload must be. */
const JobRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Job'),
    kind: z.string(),
    payload: AnyRecord(),
    /** Virtual milliseconds; `null` is held until somebody runs it. */
    dueAt: Instant().nullable(),
    /** Set when its handler broke; such a job is kept for a person to see and run again. */
    broken: z.string().optional(),
  }),
);

/** Something that will happen later: data, never a closure, so it can be listed, saved and fired early. */
export type Job = RowOf<typeof JobRow>;

export const JOBS = table('jobs', { row: JobRow, many: 'Scheduled jobs' });

/** A job that is not over: it is due again after so many virtual milliseconds, with another payload if one is given. */
export interface Again {
  readonly again: number;
  readonly payload?: Job['payload'];
}

/** The end of a job: at once, or with what writes in one step with its end. */
export type JobAnswer = undefined | Again | (() => void) | (() => Again | undefined);

/** The handler of a kind of job in a world of type `W`; it may wait for the outside world first. */
export type Handler<W> = (world: W, job: Job) => JobAnswer | Promise<JobAnswer>;

/** A change in a job's life: one was scheduled; one ran to its end or was cancelled. */
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

/** Times that a job may schedule the very same work at one moment of virtual time; beyond it, it never ends. */
const MOST_REPEATS = 1000;
/** Jobs that may lead to one another at one moment of virtual time, whatever they are. */
const MOST_DEPTH = 1_000_000;
/** Jobs that wait for the outside world at once; those that do not wait are never held up by them. */
const IN_FLIGHT = 32;
/** Jobs that run in one turn of the event loop: calls are answered between two turns. */
const SLICE = 200;
/** Of those that wait for the outside world fewer: to sign and send takes a tenth of a millisecond each. */
const SLOW_SLICE = 16;
/** Real milliseconds after which a live clock is looked at again: a machine that slept has timers that did not run. */
const LONGEST_TIMER = 30_000;

/** A job at work, and where it stands among those that led to one another. */
interface Cause {
  readonly job: Job;
  readonly due: Due;
}

/** Fires due jobs, oldest first. One unref'd timer per sandbox, for the soonest job, and none while nothing is due. */
export class Scheduler<W extends SchedulerWorld> {
  readonly #world: W;
  readonly #handlers: ReadonlyMap<string, Handler<W>>;
  readonly #queue = new DueQueue();
  readonly #alarm = new Alarm();
  readonly #running = new Map<string, Promise<void>>();
  /** Kinds whose promises are work of this process, done a little at a time. */
  readonly #own: ReadonlySet<string>;
  /** Kinds whose jobs were seen to wait for the outside world, and how many of them are under way. */
  #slow: Set<string> | undefined;
  #outside = 0;
  /** Due jobs of such kinds that found too many under way, in their order. */
  readonly #parked = new Waiting();
  /** Fires when a run ends, a slice of jobs was run, or this life ends. */
  readonly #progress = new Signal();
  /** The job at work at present. */
  #cause: Cause | undefined;
  /** Advances one after the other; each waits for the one before. */
  #advances: Promise<unknown> = Promise.resolve();
  #advancing = false;
  #onAdvance: readonly (() => void)[] = [];
  /** Advances that have begun. */
  advances = 0;
  /** Called as a job begins to run; what it returns is called at the end of the run, with the error of one that broke. */
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

  /** The jobs of a world, as a table. */
  get jobs(): Table<Job, never> {
    return this.#world.rows(JOBS);
  }

  /**
   * Schedule a job after a virtual delay in milliseconds; `Infinity` holds it. An id of its own is for work whose moment is
   * the outside world's: drawn from the seed, it would make the ids of whatever comes next a matter of luck.
   */
  add(kind: string, payload: Job['payload'], delayMs = 0, id = this.#world.newId('Job')): Job {
    if (!this.#handlers.has(kind)) throw new Error(`no handler for jobs of kind ${kind}`);
    const job = this.#insert({ id, kind, payload }, delayMs);
    this.#world.publish({ what: 'scheduled', id, kind });
    return job;
  }

  #insert(work: Pick<Job, 'id' | 'kind' | 'payload'>, delayMs: number): Job {
    const dueAt = delayMs === Number.POSITIVE_INFINITY ? null : this.#world.clock.now() + delayMs;
    const job = this.jobs.insert({ ...work, dueAt });
    if (dueAt !== null) this.#push(job, dueAt);
    this.arm();
    return job;
  }

  cancel(id: string): void {
    this.jobs.remove(id);
    this.#world.publish({ what: 'ended', id });
  }

  /** Returns whether a job is under way at present. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Let a held job go: it is due now, and stays the same job. */
  release(id: string): void {
    const job = this.jobs.get(id);
    if (!job || job.dueAt !== null) return;
    const at = this.#world.clock.now();
    this.#push(this.jobs.put({ ...job, dueAt: at }), at);
    this.arm();
  }

  /** Wake when the soonest job is due, whatever else waits for later. Due ones run soon, never inside the caller. */
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

  /** The clock or the jobs were changed from outside: look again. */
  rearm(): void {
    this.#alarm.clear();
    this.arm();
  }

  /** Queue the jobs that the world holds now; runs in flight go on. */
  requeue(): void {
    this.#alarm.clear();
    this.#queue.clear();
    this.#parked.clear();
    for (const job of this.jobs.rows()) {
      if (job.dueAt !== null && !job.broken) this.#push(job, job.dueAt);
    }
    this.arm();
  }

  /** Run nothing until it is woken: its world is still being made. */
  sleep(): void {
    this.#asleep = true;
    this.#alarm.clear();
  }

  wake(): void {
    this.#asleep = false;
    this.arm();
  }

  /** Run nothing any more; what is under way writes nothing, and an advance ends where it stands. */
  close(): void {
    this.#closed = true;
    this.#alarm.clear();
    for (const listener of this.#onClose) listener();
    this.#onClose.clear();
    this.#progress.fire();
  }

  /** Run one job now, due or not. Resolves with `undefined` when there is no such job; 409 `CONFLICT` if its life ends. */
  async run(id: string): Promise<JobRun | undefined> {
    const job = this.jobs.get(id);
    if (!job) return undefined;
    const done = this.#shown(job);
    await (this.#running.get(id) ?? this.#start(job));
    this.#world.assertOpen();
    return done;
  }

  /** Move the clock by virtual milliseconds, counted from where it stands when earlier advances have ended. */
  advanceBy(ms: number): Promise<JobRun[]> {
    return this.#inTurn(() => this.#world.clock.now() + ms);
  }

  /**
   * Move the clock to a moment and run everything due on the way, in due order, the clock standing at each
   * job's own time. Returns what ran. 409 `CONFLICT` when another life begins; the end of the process ends it early.
   */
  advanceTo(target: number): Promise<JobRun[]> {
    return this.#inTurn(() => target);
  }

  /**
   * Moves from one due job to the next, for so many virtual milliseconds at most, until `enough` holds or nothing is due in that
   * time. What is due at the same moment runs, too; the clock stays there. Returns what ran. 409 `CONFLICT` as `advanceTo`.
   */
  skip(ms: number, enough: () => boolean = () => false): Promise<JobRun[]> {
    return this.#inTurn(() => this.#world.clock.now() + ms, enough);
  }

  /** Resolves when no advance is under way. */
  still(): Promise<void> {
    return this.#advances.then(() => {});
  }

  /** Called whenever an advance begins, and at once if one is under way. Returns how to stop. */
  onAdvance(listener: () => void): () => void {
    this.#onAdvance = [...this.#onAdvance, listener];
    if (this.#advancing) listener();
    return () => {
      this.#onAdvance = this.#onAdvance.filter((one) => one !== listener);
    };
  }

  /** Called once when this is closed, and at once if it is already. Returns how to stop. */
  onClose(listener: () => void): () => void {
    if (this.#closed) listener();
    else this.#onClose.add(listener);
    return () => void this.#onClose.delete(listener);
  }

  /** Resolves when nothing is due or running at the present moment. */
  async settle(): Promise<void> {
    while (!this.#closed) {
      const next = this.#peek();
      const due = next !== undefined && next.at <= this.#world.clock.now();
      if (this.#running.size === 0 && !due) return;
      await this.#progress.next();
    }
  }

  #inTurn(target: () => number, enough?: () => boolean): Promise<JobRun[]> {
    const turn = this.#advances.then(() => this.#advance(target, enough));
    this.#advances = turn.catch(() => {});
    return turn;
  }

  async #advance(target: () => number, enough?: () => boolean): Promise<JobRun[]> {
    const { clock } = this.#world;
    const ran: JobRun[] = [];
    if (!this.#closed) {
      const end = target();
      this.#advancing = true;
      this.advances += 1;
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
    return ran;
  }

  /** Run what is due up to a moment, in slices; time does not move on while a run of the present moment is under way. */
  async #runUntil(target: number, ran: JobRun[], enough?: () => boolean): Promise<void> {
    const { clock } = this.#world;
    let rested = Number.NaN;
    while (!this.#closed) {
      const next = this.#peek();
      const until = enough?.() ? clock.now() : target;
      const isNext = next !== undefined && next.at <= until && (next.at <= clock.now() || this.#running.size === 0);
      if (!isNext && this.#running.size === 0) return;
      if (!isNext || this.#outside >= IN_FLIGHT) {
        await this.#progress.next();
        continue;
      }
      // A receiver in this process may call back at once: its calls come before time moves on.
      if (enough && next.at > clock.now() && rested !== clock.now()) {
        rested = clock.now();
        await tick();
        continue;
      }
      this.#queue.take();
      clock.moveTo(next.at);
      const job = this.jobs.get(next.id) as Job;
      ran.push(this.#shown(job));
      this.#start(job, next);
      if (ran.length % SLICE === 0) await tick();
    }
  }

  #shown(job: Job): JobRun {
    return { id: job.id, kind: job.kind, at: this.#world.clock.iso(), payload: job.payload };
  }

  /**
   * Runs all that is due at the present moment, before a call looks at the world: when jobs run by themselves depends on how busy the
   * process is, and what a call finds must not. Work that waits for the outside world only begins. Where it is much, others may go
   * on between its slices, and the promise resolves when it is done.
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

  /** Run what is due, a slice of it at most; of what waits for the outside world, begin so many. */
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

  /** There is room again: as many of those that found none as fit may go. */
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

  #start(job: Job, due: Due = { at: 0, order: 0, id: job.id, depth: 0, repeats: 0 }): Promise<void> {
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
      // It is under way no more before it ends: what goes again at once has to be found.
      const over = (end: () => void): void => {
        running.delete(job.id);
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

  /** End a job with what it writes. One that goes again keeps its id, and queues behind what is due at that moment already. */
  #end({ id, kind, payload }: Job, answer: JobAnswer): void {
    this.jobs.remove(id);
    const next = typeof answer === 'function' ? (answer() as Again | undefined) : answer;
    if (next?.again === undefined) this.#world.publish({ what: 'ended', id });
    else this.#insert({ id, kind, payload: next.payload ?? payload }, next.again);
  }

  /** Do work that a job leads to: what it schedules has that job as its cause. */
  #ledBy<T>(cause: Cause, work: () => T): T {
    const outer = this.#cause;
    this.#cause = cause;
    try {
      return work();
    } finally {
      this.#cause = outer;
    }
  }

  /** The next job that still stands; entries of removed, moved or running jobs are dropped on the way. */
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

  /** Queue a job; what another job schedules for the moment of its own writes is counted, so that a circle ends. */
  #push(job: Job, at: number): void {
    const led = this.#cause && at <= this.#world.clock.now() ? this.#cause : undefined;
    const same =
      led !== undefined && led.job.kind === job.kind && JSON.stringify(led.job.payload) === JSON.stringify(job.payload);
    const depth = led ? led.due.depth + 1 : 0;
    this.#queue.add({ at, id: job.id, depth, repeats: led && same ? led.due.repeats + 1 : 0 });
  }
}
