import { setImmediate as realTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import type { JobHandler } from '../../src/declare/job.ts';
import { Alarm } from '../../src/engine/alarm.ts';
import { Clock } from '../../src/engine/clock.ts';
import { JOBS } from '../../src/engine/scheduler.ts';
import { type Snapshot, World } from '../../src/engine/world.ts';

/** Resolves with whether a lone immediate of this process runs at all: the loop has turned once more when it is given up. */
const immediateRuns = (): Promise<boolean> =>
  new Promise((resolve) => {
    const giveUp = () => setTimeout(resolve, 1, false);
    setTimeout(giveUp, 1000);
    setImmediate(resolve, true);
  });

test('an alarm that is set and cleared many times leaves the immediates of the process alone (L2)', async () => {
  const rung: number[] = [];
  const alarm = new Alarm();
  for (let i = 0; i < 100; i += 1) {
    alarm.set(i, i % 2 === 0 ? 60_000 : 0, () => rung.push(i));
    if (i % 3 === 0) alarm.clear();
  }
  alarm.set(200, 0, () => rung.push(200));
  expect(await immediateRuns()).toBe(true);
  expect(rung).toEqual([200]);
  alarm.set(300, 60_000, () => rung.push(300));
  alarm.clear();
  expect(await immediateRuns()).toBe(true);
  expect([rung, alarm.at]).toEqual([[200], Number.POSITIVE_INFINITY]);
});

test('an alarm whose time has come rings in its turn, among work that is due already', async () => {
  const rung: string[] = [];
  const [late, now, given] = [new Alarm(), new Alarm(), new Alarm()];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  late.set(1, 1000, () => rung.push('late'));
  given.set(1, 1000, () => rung.push('given up'));
  now.set(0, 0, () => rung.push('now'));
  vi.advanceTimersByTime(1000);
  expect([rung, late.at]).toEqual([[], 1]);
  given.clear();
  // A machine under load may use up a turn's time with one of them.
  while (rung.length < 2) await realTurn();
  expect([rung, late.at]).toEqual([['now', 'late'], Number.POSITIVE_INFINITY]);
});

/** A world whose clock runs, as it does without any flag. */
function liveWorld(
  mode: 'live' | 'held' = 'live',
  handlers: Readonly<Record<string, JobHandler>> = {},
  { ran = [], snapshot }: { ran?: string[]; snapshot?: Snapshot } = {},
) {
  const note: JobHandler = (_, job) => () => ran.push(job.payload['name'] as string);
  const world = new World({
    id: 'w',
    seed: '1',
    keySeed: '1',
    profile: PROFILES.spec,
    clock: new Clock({ mode }),
    parts: {
      tables: [JOBS],
      handlers: new Map(Object.entries({ note, ...handlers })),
      outbox: () => {},
      reactions: [],
    },
    snapshot,
  });
  return { world, ran };
}

test('a job that is due now runs on a live clock while an earlier job waits for minutes (L1)', async () => {
  const { world, ran } = liveWorld();
  world.schedule('note', { name: 'in five minutes' }, 300_000);
  world.schedule('note', { name: 'now' }, 0);
  await world.scheduler.settle();
  expect(ran).toEqual(['now']);
  // A machine that pauses between the two makes the second the later one.
  const due = new Map<string, number>();
  for (const [name, ms] of [
    ['soon', 30],
    ['sooner', 10],
  ] as const) {
    const id = world.schedule('note', { name }, ms);
    due.set(name, Number(world.scheduler.jobs.get(id)?.dueAt));
  }
  while (ran.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(ran).toEqual(['now', ...[...due].sort(([, a], [, b]) => a - b).map(([name]) => name)]);
  world.close();
});

test.each([
  ['held and released', (world: World) => world.clock.setMode(world.clock.mode === 'live' ? 'held' : 'live')],
  ['sped up and slowed down', (world: World) => world.clock.setSpeed(1 + Math.floor(world.clock.speed % 3))],
])('a clock that is %s again and again stops no immediate and no job (L1, L2)', async (_, change) => {
  const { world, ran } = liveWorld();
  for (let i = 0; i < 50; i += 1) {
    world.schedule('note', { name: 'later' }, 300_000);
    world.schedule('note', { name: 'now' }, 0);
    change(world);
  }
  expect(await immediateRuns()).toBe(true);
  world.schedule('note', { name: 'last' }, 0);
  await world.scheduler.settle();
  expect(ran.at(-1)).toBe('last');
  world.close();
  expect(await immediateRuns()).toBe(true);
});

test('two advances at the same time happen one after the other, each from where the other left the clock (L5)', async () => {
  const { world, ran } = liveWorld('held');
  const start = world.clock.now();
  world.schedule('note', { name: 'first hour' }, 1_800_000);
  world.schedule('note', { name: 'second hour' }, 5_400_000);
  const [first, second] = await Promise.all([
    world.scheduler.advanceBy(3_600_000),
    world.scheduler.advanceBy(3_600_000),
  ]);
  expect([first.length, second.length, world.clock.now() - start]).toEqual([1, 1, 7_200_000]);
  expect(ran).toEqual(['first hour', 'second hour']);
});

test('callers that wait for an outside reply use no turn of the event loop (L5)', async () => {
  let answer = (): void => {};
  const slow: JobHandler = () => new Promise((resolve) => (answer = () => resolve(undefined)));
  const { world } = liveWorld('held', { slow });
  world.schedule('slow', {}, 0);
  const waiting = [world.scheduler.advanceBy(1000), world.scheduler.advanceBy(1000), world.scheduler.settle()];
  await new Promise((resolve) => setTimeout(resolve, 20));
  const turns = vi.spyOn(globalThis, 'setImmediate');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(turns).not.toHaveBeenCalled();
  turns.mockRestore();
  answer();
  await Promise.all(waiting);
  world.close();
});

test('worlds that end and continue in the next world stop no immediate and no job (L1, L2)', async () => {
  let { world, ran } = liveWorld();
  for (let i = 0; i < 50; i += 1) {
    world.schedule('note', { name: 'later' }, 300_000);
    world.schedule('note', { name: 'now' }, 0);
    const next = liveWorld('live', {}, { ran, snapshot: world.snapshot() }).world;
    world.close();
    world = next;
  }
  expect(await immediateRuns()).toBe(true);
  world.schedule('note', { name: 'last' }, 0);
  await world.scheduler.settle();
  expect(ran.at(-1)).toBe('last');
  world.close();
  expect(await immediateRuns()).toBe(true);
});

test("a sleeping world runs no job, also after a change of its clock's speed, until it is woken", async () => {
  const { world, ran } = liveWorld();
  world.schedule('note', { name: 'before' }, 0);
  world.scheduler.sleep();
  world.schedule('note', { name: 'asleep' }, 0);
  world.clock.setSpeed(2);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(ran).toEqual([]);
  world.scheduler.wake();
  await world.scheduler.settle();
  expect(ran).toEqual(['before', 'asleep']);
  world.close();
});

test('an advance of a world that ends is refused with 409, and the next world can be advanced at once (L5)', async () => {
  const hangs: JobHandler = () => new Promise(() => {});
  const { world } = liveWorld('held', { hangs });
  world.schedule('hangs', {}, 10);
  const ended = [world.scheduler.advanceBy(1000), world.scheduler.advanceBy(1000)];
  await new Promise((resolve) => setTimeout(resolve, 5));
  const next = liveWorld('held').world;
  world.close('was reset');
  for (const advance of ended)
    await expect(advance).rejects.toMatchObject({
      status: 409,
      message: 'the sandbox was reset while this was under way',
    });
  expect(await next.scheduler.advanceBy(5)).toEqual([]);
  next.close();
});

test('a scheduler that closes ends an advance where it stands', async () => {
  const hangs: JobHandler = () => new Promise(() => {});
  const { world } = liveWorld('held', { hangs });
  world.schedule('hangs', {}, 10);
  const ended = [world.scheduler.advanceBy(1000), world.scheduler.advanceBy(1000)];
  await new Promise((resolve) => setTimeout(resolve, 5));
  world.scheduler.close();
  expect((await Promise.all(ended)).map((ran) => ran.length)).toEqual([1, 0]);
});
