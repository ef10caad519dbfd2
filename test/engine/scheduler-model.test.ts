import { expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import type { JobHandler } from '../../src/declare/job.ts';
import { Clock } from '../../src/engine/clock.ts';
import { JOBS } from '../../src/engine/scheduler.ts';
import { type Snapshot, World } from '../../src/engine/world.ts';
import { chance } from '../kit/chance.ts';

/** A virtual minute lasts a real millisecond, unless a step changes the speed. */
const MINUTE = 60_000;
/** Looks at the clock, real milliseconds apart, that a due job may take to start: 50 ms of a loop that turns. */
const LOOK_MS = 5;
const MOST_LOOKS = 10;

interface Pending {
  readonly id: string;
  dueAt: number | null;
  readonly order: number;
  released?: boolean;
  running?: boolean;
  /** Looks that found it due and not started. */
  overdue: number;
}

/** What a scheduler should do, as a list that is searched: the world beside it is held against it at every run. */
class Model {
  pending: Pending[] = [];
  readonly wrong: string[] = [];
  ran = 0;
  #order = 0;

  add(id: string, dueAt: number | null): void {
    this.#order += 1;
    this.pending.push({ id, dueAt, order: this.#order, overdue: 0 });
  }

  /** A job starts: it must be pending, due, and no other may be due before it. */
  start(id: string, now: number): void {
    this.ran += 1;
    const job = this.pending.find((p) => p.id === id);
    if (!job || job.running) return void this.wrong.push(`${id} ran, which was not pending`);
    if (job.dueAt === null || job.dueAt > now)
      this.wrong.push(`${id} ran at ${now}, before it was due at ${job.dueAt}`);
    const due = job.dueAt as number;
    for (const other of this.pending) {
      if (other === job || other.running || other.dueAt === null) continue;
      const tie = other.dueAt === due && !other.released && !job.released && other.order < job.order;
      if (other.dueAt < due || tie) this.wrong.push(`${id} ran before ${other.id}, which was due earlier`);
    }
    job.running = true;
  }

  end(id: string): void {
    this.pending = this.pending.filter((p) => p.id !== id);
  }

  look(now: number): void {
    for (const job of this.pending) {
      if (job.running || job.dueAt === null || job.dueAt > now) continue;
      job.overdue += 1;
      if (job.overdue === MOST_LOOKS) this.wrong.push(`${job.id} was due at ${job.dueAt} and still waits at ${now}`);
    }
  }
}

/**
 * One random life of a world on a clock that runs, with its model. In a quiet one nothing but the clock itself makes the
 * scheduler look at its jobs. Returns what went wrong, and how many jobs ran.
 */
async function life(seed: number, quiet: boolean): Promise<{ wrong: string[]; ran: number }> {
  const { below } = chance(seed);
  let model = new Model();
  const quick: JobHandler = (world, job) => {
    model.start(job.id, world.clock.now());
    const current = model;
    return () => current.end(job.id);
  };
  const slow: JobHandler = async (world, job) => {
    model.start(job.id, world.clock.now());
    const current = model;
    await new Promise((resolve) => setTimeout(resolve, job.payload['ms'] as number));
    return () => current.end(job.id);
  };
  const broken: string[] = [];
  const worldFrom = (snapshot?: Snapshot): World => {
    const made = new World({
      id: `life-${seed}`,
      seed: String(seed),
      keySeed: '1',
      profile: PROFILES.spec,
      clock: new Clock(),
      parts: {
        handlers: new Map([
          ['quick', quick],
          ['slow', slow],
        ]),
        outbox: () => {},
        tables: [JOBS],
        reactions: [],
      },
      snapshot,
    });
    made.onBroken = (what, error) => broken.push(`${what}: ${error}`);
    return made;
  };
  let world = worldFrom();
  world.clock.setSpeed(MINUTE);
  const looks = setInterval(() => model.look(world.clock.now()), LOOK_MS);
  const saved: { snapshot: Snapshot; pending: Pending[] }[] = [];
  /** Those of a life that ended are refused. */
  const advances: Promise<unknown>[] = [];
  const any = (): Pending | undefined => model.pending[below(model.pending.length)];
  const schedule = (delayMs: number): void => {
    const isSlow = below(5) === 0 && model.pending.filter((p) => p.running).length < 5;
    const id = world.schedule(isSlow ? 'slow' : 'quick', isSlow ? { ms: below(8) } : {}, delayMs);
    model.add(id, world.scheduler.jobs.get(id)?.dueAt ?? null);
  };
  const steps: [weight: number, step: () => void | Promise<void>][] = [
    [10, () => schedule(below(30) * MINUTE)],
    [4, () => schedule(0)],
    [3, () => schedule(5 * 3_600_000 + below(1000))],
    [2, () => schedule(Number.POSITIVE_INFINITY)],
    [
      3,
      () => {
        const job = any();
        if (!job || job.running) return;
        world.scheduler.cancel(job.id);
        model.end(job.id);
      },
    ],
    [
      2,
      () => {
        const held = model.pending.find((p) => p.dueAt === null);
        if (!held) return;
        world.scheduler.release(held.id);
        held.released = true;
        held.dueAt = world.scheduler.jobs.get(held.id)?.dueAt ?? null;
      },
    ],
    [quiet ? 0 : 2, () => void advances.push(world.scheduler.advanceBy(below(20) * MINUTE).catch(() => {}))],
    [quiet ? 0 : 1, async () => void (await world.scheduler.advanceBy(below(120) * MINUTE))],
    [quiet ? 0 : 2, () => world.clock.setMode(world.clock.mode === 'live' ? 'held' : 'live')],
    [quiet ? 0 : 2, () => world.clock.setSpeed([MINUTE / 10, MINUTE, 2 * MINUTE][below(3)] as number)],
    [1, () => void saved.push({ snapshot: world.snapshot(), pending: model.pending.map((p) => ({ ...p })) })],
    [
      quiet ? 0 : 1,
      () => {
        const back = saved[below(saved.length)];
        if (!back) return;
        // What ran in the life before is judged by the model of that life; this one begins with what was saved.
        const { wrong, ran } = model;
        model = Object.assign(new Model(), { ran });
        model.wrong.push(...wrong);
        world.close();
        world = worldFrom(back.snapshot);
        for (const job of back.pending) model.pending.push({ ...job, running: false, released: true, overdue: 0 });
      },
    ],
    [12, () => new Promise<void>((resolve) => setTimeout(resolve, below(6)))],
    [quiet ? 4 : 1, () => new Promise<void>((resolve) => setTimeout(resolve, 2 * LOOK_MS * MOST_LOOKS))],
  ];
  const total = steps.reduce((sum, [weight]) => sum + weight, 0);
  for (let i = 0; i < (quiet ? 150 : 400); i += 1) {
    let left = below(total);
    const [, step] = steps.find(([weight]) => (left -= weight) < 0) as (typeof steps)[number];
    await step();
  }
  await Promise.all(advances);
  world.clock.setMode('held');
  await world.scheduler.advanceBy(24 * 3_600_000);
  await world.scheduler.settle();
  clearInterval(looks);
  const left = model.pending.filter((p) => p.dueAt !== null).map((p) => `${p.id} never ran`);
  world.close();
  return { wrong: [...model.wrong, ...left, ...broken].map((text) => `seed ${seed}: ${text}`), ran: model.ran };
}

const SEED = Number(process.env['SEED'] ?? 1);

test('random jobs on a live clock run in the order of a model, never early and never 50 ms late (L1)', async () => {
  const lives = await Promise.all(Array.from({ length: 40 }, (_, i) => life(SEED * 1000 + i, i % 2 === 0)));
  expect(lives.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(lives.reduce((sum, { ran }) => sum + ran, 0)).toBeGreaterThan(1000);
});
