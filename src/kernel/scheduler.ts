import * as z from 'zod';
import { AnyRecord, IdOf, Instant } from './shapes.ts';
import { type Row, rowShape, type Table, table } from './table.ts';
import type { World } from './world.ts';

/** Something that will happen later: data, never a closure, so it can be listed, saved and fired early. */
export interface Job extends Row {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Virtual milliseconds; `null` is held until somebody runs it. */
  readonly dueAt: number | null;
  /** Set when its handler broke; such a job is kept for a person to see and run again. */
  readonly broken?: string | undefined;
}

/** Its kind says what its payload must be. */
const JobRow = rowShape<Job>()(() =>
  z.strictObject({
    id: IdOf('Job'),
    kind: z.string(),
    payload: AnyRecord(),
    dueAt: Instant().nullable(),
    broken: z.string().optional(),
  }),
);

export const JOBS = table('jobs', { row: JobRow });

/**
 * What a kind of job does. It may wait for the outside world first; what it returns then writes, in one step
 * with the job's own removal.
 */
export type JobHandler = (world: World, job: Job) => undefined | (() => void) | Promise<undefined | (() => void)>;

export interface JobRun {
  id: string;
  kind: string;
  at: string;
  payload: Readonly<Record<string, unknown>>;
}

/** Jobs that one `advance` may run; beyond it something schedules itself for ever. */
const LOOP_LIMIT = 100_000;
/** Jobs that wait for the outside world at once; those that do not wait are never held up by them. */
const IN_FLIGHT = 32;
const LONGEST_TIMER = 2 ** 31 - 1;

interface Due {
  at: number;
  order: number;
  id: string;
}

const before = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Fires due jobs, oldest first. One unref'd timer a sandbox, and none while nothing is due. */
export class Scheduler {
  readonly #world: World;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  #heap: Due[] = [];
  #order = 0;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #running = new Map<string, Promise<void>>();
  /** Kinds whose jobs were seen to wait for the outside world. */
  readonly #slow = new Set<string>();
  /** Due jobs of such kinds that found too many under way, in their order. */
  readonly #parked = new Set<Due>();
  #advancing = false;
  #closed = false;
  #epoch = 0;

  constructor(world: World, handlers: ReadonlyMap<string, JobHandler>) {
    this.#world = world;
    this.#handlers = handlers;
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
    const dueAt = delayMs === Number.POSITIVE_INFINITY ? null : this.#world.clock.now() + delayMs;
    const job = this.jobs.insert({ id, kind, payload, dueAt });
    if (dueAt !== null) this.#push({ at: dueAt, order: this.#order, id: job.id });
    this.arm();
    return job;
  }

  cancel(id: string): void {
    this.jobs.remove(id);
  }

  /** Whether a job is under way at present. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Let a held job go: it is due now, and stays the same job. */
  release(id: string): void {
    const job = this.jobs.get(id);
    if (!job || job.dueAt !== null) return;
    const at = this.#world.clock.now();
    this.jobs.put({ ...job, dueAt: at });
    this.#push({ at, order: this.#order, id });
    this.arm();
  }

  /** Wake when the next job is due. Due ones run soon, never inside the caller. */
  arm(): void {
    if (this.#closed || this.#advancing || this.#timer) return;
    const next = this.#peek();
    if (!next) return;
    const { clock } = this.#world;
    const wait = next.at - clock.now();
    if (wait <= 0) this.#timer = setImmediate(() => this.#wake());
    else if (clock.mode === 'live') {
      this.#timer = setTimeout(() => this.#wake(), Math.min(Math.ceil(wait / clock.speed), LONGEST_TIMER)).unref();
    }
  }

  /** The clock or the jobs were changed from outside: look again. */
  rearm(): void {
    this.#disarm();
    this.arm();
  }

  /** Forget timers and runs in flight, and queue the jobs that the world holds now. */
  reload(): void {
    this.#epoch += 1;
    this.#running = new Map();
    // An advance under way belongs to the life before; it may still wait for a receiver that hangs.
    this.#advancing = false;
    this.requeue();
  }

  /** Queue the jobs that the world holds now; runs in flight go on. */
  requeue(): void {
    this.#disarm();
    this.#heap = [];
    this.#parked.clear();
    for (const job of this.jobs.rows()) {
      if (job.dueAt !== null && !job.broken) this.#push({ at: job.dueAt, order: this.#order, id: job.id });
    }
    this.arm();
  }

  close(): void {
    this.#closed = true;
    this.#epoch += 1;
    this.#disarm();
  }

  /** Run one job now, due or not. Resolves with `undefined` when there is no such job. */
  async run(id: string): Promise<JobRun | undefined> {
    const job = this.jobs.get(id);
    if (!job) return undefined;
    const done = this.#shown(job);
    await (this.#running.get(id) ?? this.#start(job));
    return done;
  }

  /**
   * Move the clock to a moment and run everything due on the way, in due order, the clock standing at each
   * job's own time. Returns what ran.
   */
  async advanceTo(target: number): Promise<JobRun[]> {
    const { clock } = this.#world;
    const ran: JobRun[] = [];
    while (this.#advancing) await Promise.race([...this.#running.values(), tick()]);
    const epoch = this.#epoch;
    this.#advancing = true;
    this.#disarm();
    for (const due of this.#parked) this.#push(due);
    this.#parked.clear();
    try {
      for (;;) {
        if (epoch !== this.#epoch) break;
        const next = this.#peek();
        if (next && next.at <= target && (next.at <= clock.now() || this.#running.size === 0)) {
          if (this.#running.size >= IN_FLIGHT) {
            await Promise.race(this.#running.values());
            continue;
          }
          if (ran.length >= LOOP_LIMIT)
            throw new Error(`stopped after ${LOOP_LIMIT} jobs: one schedules itself for ever`);
          this.#pop();
          clock.moveTo(next.at);
          const job = this.jobs.get(next.id) as Job;
          ran.push(this.#shown(job));
          this.#start(job);
          continue;
        }
        if (this.#running.size === 0) break;
        await Promise.race(this.#running.values());
      }
      if (epoch === this.#epoch) clock.moveTo(target);
    } finally {
      if (epoch === this.#epoch) {
        this.#advancing = false;
        this.arm();
      }
    }
    return ran;
  }

  /** Resolves when nothing is due or running at the present moment. */
  async settle(): Promise<void> {
    for (;;) {
      const next = this.#peek();
      if (this.#running.size === 0 && !(next && next.at <= this.#world.clock.now())) return;
      await Promise.race([...this.#running.values(), tick()]);
    }
  }

  #shown(job: Job): JobRun {
    return { id: job.id, kind: job.kind, at: this.#world.clock.iso(), payload: job.payload };
  }

  #disarm(): void {
    if (this.#timer) {
      clearImmediate(this.#timer as NodeJS.Immediate);
      clearTimeout(this.#timer as NodeJS.Timeout);
    }
    this.#timer = undefined;
  }

  #wake(): void {
    this.#timer = undefined;
    if (this.#closed || this.#advancing) return;
    const now = this.#world.clock.now();
    for (;;) {
      const next = this.#peek();
      if (!next || next.at > now) break;
      this.#pop();
      const job = this.jobs.get(next.id) as Job;
      if (this.#running.size >= IN_FLIGHT && this.#slow.has(job.kind)) this.#parked.add(next);
      else this.#start(job);
    }
    this.arm();
  }

  /** There is room again: as many of those that found none as fit may go. */
  #unpark(): void {
    let room = IN_FLIGHT - this.#running.size;
    for (const due of this.#parked) {
      if (room <= 0) return;
      this.#parked.delete(due);
      if (!this.#stands(due)) continue;
      this.#push(due);
      room -= 1;
    }
  }

  #start(job: Job): Promise<void> {
    const epoch = this.#epoch;
    const running = this.#running;
    let run: Promise<void> | undefined;
    // The same id may be scheduled again, and run again, before this run is quite over.
    const over = (): void => {
      if (run && running.get(job.id) === run) running.delete(job.id);
    };
    const finish = (write: undefined | (() => void)): void => {
      over();
      if (epoch !== this.#epoch || !this.jobs.get(job.id)) return;
      this.#world.transact(() => {
        this.jobs.remove(job.id);
        write?.();
      }, this.#world.takeCause(job.id));
    };
    const broken = (error: unknown): void => {
      if (epoch !== this.#epoch || !this.jobs.get(job.id)) return;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.jobs.put({ ...job, broken: text });
      this.#world.onBroken(`job ${job.kind} ${job.id}`, error);
    };
    try {
      const handler = this.#handlers.get(job.kind);
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      const result = handler(this.#world, job);
      if (!(result instanceof Promise)) {
        finish(result);
        return Promise.resolve();
      }
      run = result
        .then(finish)
        .catch(broken)
        .finally(() => {
          over();
          if (running === this.#running) this.#unpark();
          this.arm();
        });
      this.#slow.add(job.kind);
      running.set(job.id, run);
      return run;
    } catch (error) {
      broken(error);
      return Promise.resolve();
    }
  }

  /** The next job that still stands; entries of removed, moved or running jobs are dropped on the way. */
  #peek(): Due | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (!top) return undefined;
      if (this.#stands(top)) return top;
      this.#pop();
    }
  }

  #stands({ id, at }: Due): boolean {
    const job = this.jobs.get(id);
    return job !== undefined && job.dueAt === at && !job.broken && !this.#running.has(id);
  }

  #push(due: Due): void {
    this.#order += 1;
    const heap = this.#heap;
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(due, heap[parent] as Due)) break;
      heap[i] = heap[parent] as Due;
      i = parent;
    }
    heap[i] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Due, heap[child] as Due)) child += 1;
      if (!before(heap[child] as Due, last)) break;
      heap[i] = heap[child] as Due;
      i = child;
    }
    heap[i] = last;
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
