import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { DomainEvent } from '../../src/contract/domain-event.ts';
import { limit } from '../../src/contract/limit.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { on } from '../../src/declare/area.ts';
import type { JobHandler } from '../../src/declare/job.ts';
import { Clock } from '../../src/engine/clock.ts';
import { JOBS, type Job } from '../../src/engine/scheduler.ts';
import { lazyRow, table } from '../../src/engine/table.ts';
import { type Hook, type Reaction, type Snapshot, World } from '../../src/engine/world.ts';
import { effort } from '../kit/effort.ts';

const NoteRow = lazyRow(() => z.strictObject({ id: z.string(), text: z.string() }));
const NOTES = table('notes', {
  row: NoteRow,
  indexes: { text: (n) => n.text },
});
const EVENTS = table('facts', { row: lazyRow(() => z.strictObject({ id: z.string() })) });
const NOW = Date.UTC(2026, 0, 5, 9);

interface Made {
  world: World;
  /** What jobs ran, with the virtual time at which they did. */
  ran: string[];
  broken: string[];
  told: string[];
}

const RENAMED: Hook<[from: string, to: string]> = { name: 'renamed' };

function make(
  handlers: Record<string, JobHandler> = {},
  reactions: readonly Reaction[] = [],
  snapshot?: Snapshot,
): Made {
  const ran: string[] = [];
  const broken: string[] = [];
  const told: string[] = [];
  const note: JobHandler = (world, job) => () => {
    ran.push(`${job.payload['name'] ?? job.kind} at ${world.clock.now() - NOW}`);
  };
  const world = new World({
    id: 'w',
    seed: '1',
    keySeed: '1',
    profile: PROFILES.spec,
    clock: new Clock({ now: NOW, mode: 'held' }),
    parts: {
      tables: [EVENTS, JOBS, NOTES],
      handlers: new Map(Object.entries({ note, ...handlers })),
      outbox: (w: World, fact: DomainEvent) => void w.rows(EVENTS).insert({ id: fact.id }),
      reactions,
    },
    snapshot,
  });
  world.onBroken = (what) => broken.push(what);
  world.watch((happening) => happening.what === 'event' && told.push(happening.event.type));
  onTestFinished(() => world.close());
  return { world, ran, broken, told };
}
const look = (world: World): string => JSON.stringify(world.snapshot());

type Plan =
  | { do: 'insert' | 'put' | 'remove' | 'job' | 'tell'; n: number }
  | { do: 'nest'; plan: Plan[]; fails: boolean };
const { plan } = fc.letrec<{ plan: Plan[]; step: Plan }>((tie) => ({
  step: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      do: fc.constantFrom('insert' as const, 'put' as const, 'remove' as const, 'job' as const, 'tell' as const),
      n: fc.nat(6),
    }),
    fc.record({ do: fc.constant('nest' as const), plan: tie('plan'), fails: fc.boolean() }),
  ),
  plan: fc.array(tie('step'), { maxLength: 8 }),
}));

function perform(world: World, steps: readonly Plan[]): void {
  const notes = world.rows(NOTES);
  for (const step of steps) {
    if (step.do === 'nest') {
      const before = look(world);
      try {
        world.transact(() => {
          perform(world, step.plan);
          if (step.fails) throw new Error('refused');
        });
      } catch {
        expect(look(world)).toBe(before);
      }
      continue;
    }
    const there = [...notes.rows()];
    const some = there[step.n % Math.max(there.length, 1)];
    if (step.do === 'insert') notes.insert({ id: world.newId('Note'), text: String(step.n) });
    else if (step.do === 'put' && some) notes.put({ ...some, text: `${some.text}.` });
    else if (step.do === 'remove' && some) notes.remove(some.id);
    else if (step.do === 'job') world.schedule('note', { name: `j${step.n}` }, step.n * 10);
    else if (step.do === 'tell') world.emit('NOTE', `n${step.n}`, {});
  }
}

describe('World.transact', () => {
  test('a refused transaction, nested or not, leaves rows, ids, jobs and events as they were', () => {
    fc.assert(
      fc.property(plan, plan, (first, second) => {
        const { world, told } = make();
        world.transact(() => perform(world, first));
        const [before, heard] = [look(world), told.length];
        expect(() =>
          world.transact(() => {
            perform(world, second);
            throw new Error('refused');
          }),
        ).toThrow('refused');
        expect(look(world)).toBe(before);
        expect(told).toHaveLength(heard);
        world.close();
      }),
      { numRuns: 200 },
    );
  });

  test('ids that a refused transaction drew are drawn again by the next one', () => {
    const { world } = make();
    const refused: string[] = [];
    expect(() =>
      world.transact(() => {
        refused.push(world.newId('Note'), world.newId('Note'));
        throw new Error('x');
      }),
    ).toThrow();
    expect([world.newId('Note'), world.newId('Note')]).toEqual(refused);
  });

  test('events are emitted at the end of their transaction, in order, and never for a refused part', () => {
    const { world, told } = make();
    world.transact(() => {
      world.emit('ONE', 'a', {});
      try {
        world.transact(() => {
          world.emit('TWO', 'a', {});
          throw new Error('x');
        });
      } catch {}
      world.emit('THREE', 'a', {});
      expect(told).toEqual([]);
    });
    expect(told).toEqual(['ONE', 'THREE']);
    world.withoutEvents(() => world.emit('HISTORY', 'a', {}));
    expect(told).toEqual(['ONE', 'THREE']);
  });

  test('jobs of a refused transaction never run, and earlier ones do', async () => {
    const { world, ran } = make();
    world.schedule('note', { name: 'kept' }, 10);
    expect(() =>
      world.transact(() => {
        world.schedule('note', { name: 'lost' }, 5);
        throw new Error('x');
      }),
    ).toThrow();
    await world.scheduler.advanceTo(NOW + 100);
    expect(ran).toEqual(['kept at 10']);
  });
});

describe('Scheduler', () => {
  test('jobs run in order of due time, then of arrival, with the clock at each job’s own time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 40 }), fc.nat(60), async (delays, until) => {
        const { world, ran } = make();
        for (const [i, delay] of delays.entries()) world.schedule('note', { name: `${i}` }, delay);
        const done = await world.scheduler.advanceTo(NOW + until);
        const right = delays
          .map((delay, i) => ({ delay, i }))
          .filter(({ delay }) => delay <= until)
          .sort((a, b) => a.delay - b.delay || a.i - b.i)
          .map(({ delay, i }) => `${i} at ${delay}`);
        expect(ran).toEqual(right);
        expect(done.map((job) => `${job.payload['name']} at ${Date.parse(job.at) - NOW}`)).toEqual(right);
        expect(world.clock.now()).toBe(NOW + until);
        expect(world.scheduler.jobs.size).toBe(delays.length - right.length);
        world.close();
      }),
      { numRuns: 60 },
    );
  });

  test('a job may schedule others, which run in turn within the same advance', async () => {
    const chain: JobHandler = (world, job) => () => {
      const left = job.payload['left'] as number;
      if (left > 0) world.schedule('chain', { left: left - 1 }, 7);
    };
    const { world } = make({ chain });
    world.schedule('chain', { left: 5 }, 7);
    const done = await world.scheduler.advanceTo(NOW + 1000);
    expect(done.map((job) => Date.parse(job.at) - NOW)).toEqual([7, 14, 21, 28, 35, 42]);
  });

  test.each([
    ['in its writes', (world: World) => () => void world.schedule('forever', {}, 0)],
    [
      'in its handler',
      (world: World) => {
        world.schedule('forever', {}, 0);
        return undefined;
      },
    ],
  ])(
    'a job that schedules itself %s without moving time breaks by name, and the advance goes on (L6)',
    async (_, forever) => {
      const { world, ran } = make({ forever });
      const broken: string[] = [];
      world.onBroken = (what, error) => broken.push(`${what.split(' ')[1]}: ${(error as Error).message}`);
      world.schedule('forever', {}, 0);
      world.schedule('note', { name: 'afterwards' }, 5);
      const done = await world.scheduler.advanceTo(NOW + 10);
      expect(done).toHaveLength(1002);
      expect(ran).toEqual(['afterwards at 5']);
      expect(world.clock.now()).toBe(NOW + 10);
      expect(broken).toEqual([
        `forever: jobs of kind forever schedule themselves without end at ${new Date(NOW).toISOString()}`,
      ]);
    },
  );

  test('a job that schedules itself at its own moment breaks also without an advance (L6)', async () => {
    const forever: JobHandler = (world) => () => void world.schedule('forever', {}, 0);
    const { world, ran } = make({ forever });
    const broken: string[] = [];
    world.onBroken = (what) => broken.push(what.split(' ')[1] as string);
    world.schedule('forever', {}, 0);
    world.schedule('note', { name: 'afterwards' }, 0);
    await world.scheduler.settle();
    expect([broken, ran]).toEqual([['forever'], ['afterwards at 0']]);
  });

  test('an advance runs any number of jobs, and a chain of thousands at one moment (L6)', async () => {
    let ran = 0;
    const count: JobHandler = (world, job) => () => {
      ran += 1;
      const left = job.payload['left'] as number;
      if (left > 0) world.schedule('count', { left: left - 1 }, 0);
    };
    const { world } = make({ count });
    const jobs = effort(11_000, 101_000);
    for (let i = 0; i < jobs; i += 1) world.schedule('count', { left: 0, i }, i % 1000);
    world.schedule('count', { left: 2000 }, 0);
    expect(await world.scheduler.advanceTo(NOW + 1000)).toHaveLength(jobs + 2001);
    expect(ran).toBe(jobs + 2001);
  });

  test('a due job runs without an advance, not inside its caller, and a later one waits for the held clock', async () => {
    const { world, ran } = make();
    world.schedule('note', { name: 'now' }, 0);
    world.schedule('note', { name: 'later' }, 1);
    expect(ran).toEqual([]);
    await world.scheduler.settle();
    expect(ran).toEqual(['now at 0']);
  });

  test('a live clock runs the next job at its speed', async () => {
    const { world, ran } = make();
    world.clock.setMode('live');
    world.clock.setSpeed(1_000_000);
    world.schedule('note', { name: 'week' }, 10_000_000);
    await new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (ran.length === 0) return;
        clearInterval(look);
        resolve();
      }, 2);
    });
    expect(ran).toHaveLength(1);
  });

  test('a held job waits until it is run, and a cancelled one never runs', async () => {
    const { world, ran } = make();
    const held = world.schedule('note', { name: 'held' }, Number.POSITIVE_INFINITY);
    const cancelled = world.schedule('note', { name: 'cancelled' }, 5);
    world.scheduler.cancel(cancelled);
    expect(await world.scheduler.advanceTo(NOW + 1e9)).toEqual([]);
    expect(await world.scheduler.run(held)).toMatchObject({ id: held, kind: 'note' });
    expect(await world.scheduler.run(held)).toBeUndefined();
    expect(ran).toEqual(['held at 1000000000']);
  });

  test('a job that throws is reported, its writes are undone, and it is kept to be run again', async () => {
    let broken = true;
    const fragile: JobHandler = (world) => () => {
      world.rows(NOTES).insert({ id: world.newId('Note'), text: 'half' });
      if (broken) throw new Error('oops');
    };
    const made = make({ fragile });
    const id = made.world.schedule('fragile', {}, 5);
    await made.world.scheduler.advanceTo(NOW + 10);
    expect(made.broken).toEqual([`job fragile ${id}`]);
    expect(made.world.rows(NOTES).size).toBe(0);
    expect((made.world.scheduler.jobs.get(id) as Job).broken).toContain('oops');
    expect(await made.world.scheduler.advanceTo(NOW + 20)).toEqual([]);
    broken = false;
    await made.world.scheduler.run(id);
    expect([made.world.rows(NOTES).size, made.world.scheduler.jobs.size]).toEqual([1, 0]);
  });

  test('a job that waits for an outside reply writes nothing after the end of its world', async () => {
    let answer: () => void = () => {};
    const outside = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow: JobHandler = async (world) => {
      await outside;
      return () => void world.rows(NOTES).insert({ id: 'late', text: 'late' });
    };
    const { world, broken } = make({ slow });
    world.schedule('slow', {}, 0);
    const moving = world.scheduler.advanceTo(NOW + 50);
    await new Promise((resolve) => setImmediate(resolve));
    world.close();
    answer();
    await expect(moving).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([world.rows(NOTES).size, world.scheduler.jobs.size, broken]).toEqual([0, 1, []]);
    expect(world.clock.now()).toBe(NOW);
  });

  test('two advances to a moment happen one after the other when they are called at the same time', async () => {
    const { world, ran } = make();
    for (const delay of [5, 15, 25]) world.schedule('note', { name: `${delay}` }, delay);
    await Promise.all([world.scheduler.advanceTo(NOW + 20), world.scheduler.advanceTo(NOW + 30)]);
    expect(ran).toEqual(['5 at 5', '15 at 15', '25 at 25']);
    expect(world.clock.now()).toBe(NOW + 30);
  });

  test('a job of an unknown kind cannot be scheduled', () => {
    const { world } = make();
    expect(() => world.schedule('nobody', {}, 0)).toThrow('no handler');
  });
});

describe('a world from a snapshot, and its end', () => {
  test('a world from a snapshot is the saved one, and its future is the same', () => {
    fc.assert(
      fc.property(plan, plan, (first, second) => {
        const { world } = make();
        world.transact(() => perform(world, first));
        const saved = look(world);
        const future = (of: World) => {
          of.transact(() => perform(of, second));
          of.clock.moveTo(of.clock.now() + 5);
          return [look(of), of.newId('Note')];
        };
        const other = make({}, [], JSON.parse(saved)).world;
        expect(look(other)).toBe(saved);
        expect(future(other)).toEqual(future(world));
        other.close();
        world.close();
      }),
      { numRuns: 100 },
    );
  });

  test('jobs run at their times in a world from a snapshot', async () => {
    const { world, ran } = make();
    world.schedule('note', { name: 'a' }, 10);
    const saved = world.snapshot();
    await world.scheduler.advanceTo(NOW + 20);
    const next = make({}, [], saved);
    await next.world.scheduler.advanceTo(NOW + 20);
    expect([ran, next.ran]).toEqual([['a at 10'], ['a at 10']]);
  });

  test('a world that has ended refuses every write with 409, in a transaction and outside of one', () => {
    const { world } = make();
    world.rows(NOTES).insert({ id: 'a', text: 'a' });
    const before = look(world);
    world.close('was reset');
    const refused = { code: 'CONFLICT', status: 409, message: 'the sandbox was reset while this was under way' };
    const writes: (() => unknown)[] = [
      () => world.transact(() => 1),
      () => world.rows(NOTES).put({ id: 'a', text: 'b' }),
      () => world.rows(NOTES).remove('a'),
      () => world.schedule('note', {}, 0),
    ];
    for (const write of writes) expect(write).toThrowError(expect.objectContaining(refused));
    expect(JSON.parse(look(world)).tables).toEqual(JSON.parse(before).tables);
    expect(world.over).toMatchObject(refused);
  });
});

describe('the tables of a world', () => {
  test('a table that no area declares cannot be read', () => {
    const { world } = make();
    const other = table('other', { row: NoteRow });
    expect(() => world.rows(other)).toThrow('no area declares the table other');
  });

  test('a restored table that was not read yet is counted, saved again as it is, and found by its indexes', () => {
    const { world } = make();
    world.transact(() => world.rows(NOTES).insert({ id: 'n1', text: 'first' }));
    const saved = world.snapshot();
    const { world: again } = make({}, [], saved);
    expect(again.tables()).toEqual([{ name: 'notes', size: 1 }]);
    expect(again.snapshot()).toEqual(saved);
    expect(again.rows(NOTES).find('text', 'first')?.id).toBe('n1');
  });
});

test('higher areas react to a moment of a lower one in their order, in the same transaction', () => {
  const note = (text: string) =>
    on(RENAMED, (world, from, to) =>
      world.rows(NOTES).insert({ id: world.newId('Note'), text: `${text} ${from} ${to}` }),
    );
  const { world } = make({}, [
    note('first'),
    on({ name: 'renamed' }, () => expect.fail('another moment')),
    note('then'),
  ]);
  const texts = () => [...world.rows(NOTES).rows()].map(({ text }) => text);
  expect(() =>
    world.transact(() => {
      world.react(RENAMED, 'a', 'b');
      throw new Error('refused');
    }),
  ).toThrow('refused');
  expect(texts()).toEqual([]);
  world.transact(() => world.react(RENAMED, 'a', 'b'));
  expect(texts()).toEqual(['first a b', 'then a b']);
});

test('a limit has the value of the scenario, or its default', () => {
  const { world } = make();
  const most = limit('most', 20, 'Most; 20');
  expect(world.limit(most)).toBe(20);
  world.settings = { policies: {}, limits: { most: 0, 'most.USD': 5 } };
  expect([world.limit(most), world.limit(most, 'USD'), world.limit(most, 'EUR')]).toEqual([0, 5, 20]);
});
