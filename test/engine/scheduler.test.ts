import { expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import type { JobHandler } from '../../src/declare/job.ts';
import { Clock } from '../../src/engine/clock.ts';
import { JOBS } from '../../src/engine/scheduler.ts';
import { type Snapshot, World } from '../../src/engine/world.ts';

const START = Date.UTC(2026, 0, 5, 9);

/** A world whose slow jobs wait until they are told that the outside world has answered. */
function slowWorld(snapshot?: Snapshot, waits?: JobHandler) {
  const started: string[] = [];
  const ended: string[] = [];
  const answers: (() => void)[] = [];
  const slow: JobHandler = async (_, job) => {
    started.push(String(job.payload['n']));
    await new Promise<void>((resolve) => answers.push(resolve));
    return () => ended.push(String(job.payload['n']));
  };
  const quick: JobHandler = (_, job) => () => ended.push(String(job.payload['n']));
  const world = new World({
    id: 'w',
    seed: '1',
    keySeed: '1',
    profile: PROFILES.spec,
    clock: new Clock({ now: START, mode: 'held' }),
    parts: {
      tables: [JOBS],
      handlers: new Map([
        ['slow', waits ?? slow],
        ['quick', quick],
      ]),
      outbox: () => {},
      reactions: [],
    },
    snapshot,
  });
  const turns = async (count = 20) => {
    for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Whatever is under way is answered, until nothing is. */
  const answerAll = async () => {
    for (await turns(); answers.length > 0; await turns()) for (const answer of answers.splice(0)) answer();
  };
  return { world, started, ended, answers, turns, answerAll };
}
/** What jobs wrote that were cancelled by then. */
const wrote: string[] = [];
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));

test('jobs that wait for an outside reply never hold up other jobs', async () => {
  const { world, started, ended, turns, answerAll } = slowWorld();
  for (const n of numbers(40)) world.schedule('slow', { n }, 0);
  world.schedule('quick', { n: 'quick' }, 0);
  await turns();
  expect(started).toEqual(numbers(32));
  expect(ended).toEqual(['quick']);
  world.schedule('quick', { n: 'quick again' }, 0);
  await turns();
  expect(ended).toEqual(['quick', 'quick again']);
  await answerAll();
  expect(started).toEqual(numbers(40));
  expect(world.scheduler.jobs.size).toBe(0);
  world.close();
});

test('a job that is cancelled while it waits for a free slot takes none, and the others run in order', async () => {
  const { world, started, turns, answers, answerAll } = slowWorld();
  const ids = numbers(40).map((n) => world.schedule('slow', { n }, 0));
  await turns();
  for (const i of [32, 33]) world.scheduler.cancel(ids[i] as string);
  answers.splice(0, 1)[0]?.();
  await turns();
  expect(started).toEqual([...numbers(32), '34']);
  await answerAll();
  expect(started).toEqual(numbers(40).filter((n) => n !== '32' && n !== '33'));
  await world.scheduler.settle();
  expect(world.scheduler.jobs.size).toBe(0);
  world.close();
});

test('an advance and a restore run the jobs that waited for a free slot', async () => {
  const { world, started, turns, answerAll } = slowWorld();
  for (const n of numbers(40)) world.schedule('slow', { n }, 0);
  await turns();
  const snapshot = world.snapshot();
  const advanced = world.scheduler.advanceTo(START + 1000);
  await answerAll();
  // They were due before, and when they run depends on how fast the others are answered.
  expect(await advanced).toEqual([]);
  expect(started).toEqual(numbers(40));
  world.close();
  const next = slowWorld(snapshot);
  await next.answerAll();
  expect(next.started).toEqual(numbers(40));
  expect(next.world.scheduler.jobs.size).toBe(0);
  next.world.close();
});

test.each<[string, JobHandler]>([
  ['answers with writes', async () => () => void wrote.push('written')],
  ['would repeat', async () => ({ again: 0 })],
  ['writes and would repeat', async () => () => ({ again: wrote.push('written') })],
  ['fails', () => Promise.reject(new Error('nobody answers'))],
])(
  'a job that is cancelled while it waits for an outside reply writes nothing and stays removed when it %s',
  async (_, answer) => {
    wrote.length = 0;
    let reply = (): void => {};
    const broken: unknown[] = [];
    const { world, turns } = slowWorld(undefined, async (...job) => {
      await new Promise<void>((resolve) => {
        reply = resolve;
      });
      return answer(...job);
    });
    world.onBroken = (_what, error) => broken.push(error);
    const id = world.schedule('slow', {}, 0);
    await turns();
    expect(world.scheduler.isRunning(id)).toBe(true);
    world.transact(() => world.scheduler.cancel(id));
    reply();
    await world.scheduler.settle();
    expect([world.scheduler.isRunning(id), world.scheduler.jobs.size]).toEqual([false, 0]);
    expect([wrote, broken]).toEqual([[], []]);
    world.close();
  },
);

test('a listener of advances that unsubscribes leaves the others, and one that subscribes during an advance is called', async () => {
  const { world } = slowWorld();
  const heard: string[] = [];
  const listen = (name: string) => world.scheduler.onAdvance(() => heard.push(name));
  const [leave, stay] = [listen('first'), listen('second')];
  await world.scheduler.advanceBy(1);
  leave();
  leave();
  await world.scheduler.advanceBy(1);
  expect(heard.splice(0)).toEqual(['first', 'second', 'second']);
  const under = world.scheduler.advanceBy(1);
  await Promise.resolve();
  listen('third');
  await under;
  expect(heard.splice(0)).toEqual(['second', 'third']);
  stay();
  await world.scheduler.advanceBy(1);
  expect(heard).toEqual(['third']);
  world.close();
});
