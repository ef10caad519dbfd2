import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import type { JobHandler } from '../../src/declare/job.ts';
import { Clock } from '../../src/engine/clock.ts';
import { type Again, JOBS, soonestFirst } from '../../src/engine/scheduler.ts';
import { type Snapshot, World } from '../../src/engine/world.ts';

const START = Date.UTC(2026, 0, 5, 9);

/** A world whose jobs of kind `try` do what they are told, and which notes when each job ran. */
function worldOf(tries: JobHandler, snapshot?: Snapshot, ran: string[] = []) {
  const broken: string[] = [];
  const noted: JobHandler = (world, job) => {
    ran.push(`${job.payload['n']} at ${world.clock.now() - START}`);
    return job.kind === 'try' ? tries(world, job) : undefined;
  };
  const world = new World({
    id: 'w',
    seed: '1',
    keySeed: '1',
    profile: PROFILES.spec,
    clock: new Clock({ now: START, mode: 'held' }),
    parts: {
      handlers: new Map([
        ['try', noted],
        ['note', noted],
      ]),
      outbox: () => {},
      tables: [JOBS],
      reactions: [],
    },
    snapshot,
  });
  world.onBroken = (_, error) => broken.push((error as Error).message);
  return { world, ran, broken };
}

const counting = ({ payload }: { payload: Readonly<Record<string, unknown>> }): Again | undefined =>
  payload['n'] === 3 ? undefined : { again: 10, payload: { n: (payload['n'] as number) + 1 } };

describe('repeated jobs', () => {
  test.each<[string, JobHandler]>([
    ['its handler', (_, job) => counting(job)],
    ['its write', (_, job) => () => counting(job)],
    ['a handler that waits', async (_, job) => counting(job)],
    ['the write of a handler that waits', async (_, job) => () => counting(job)],
  ])(
    'a job that is repeated by %s keeps its id, and is due later with the payload that it returned',
    async (_, tries) => {
      const { world, ran } = worldOf(tries);
      const id = world.schedule('try', { n: 1 }, 5);
      await world.scheduler.advanceTo(START + 5);
      expect([...world.scheduler.jobs.rows()]).toEqual([{ id, kind: 'try', payload: { n: 2 }, dueAt: START + 15 }]);
      expect((await world.scheduler.advanceTo(START + 100)).map((run) => run.id)).toEqual([id, id]);
      expect(ran).toEqual(['1 at 5', '2 at 15', '3 at 25']);
      expect(world.scheduler.jobs.size).toBe(0);
    },
  );

  test('a repeated job keeps its payload unless it returns another one, and is held when its pause is Infinity', async () => {
    const { world } = worldOf(() => ({ again: Number.POSITIVE_INFINITY }));
    const id = world.schedule('try', { n: 1 }, 0);
    await world.scheduler.settle();
    expect(world.scheduler.jobs.get(id)).toEqual({ id, kind: 'try', payload: { n: 1 }, dueAt: null });
  });

  test('a repeated job runs before one that was made after it and is due at the same moment, after a restore as before', async () => {
    const tries: JobHandler = (_, job) => (job.payload['n'] === 1 ? { again: 10, payload: { n: 2 } } : undefined);
    const { world, ran } = worldOf(tries);
    world.schedule('try', { n: 1 }, 0);
    world.schedule('note', { n: 'other' }, 10);
    await world.scheduler.settle();
    const between = world.snapshot();
    await world.scheduler.advanceTo(START + 10);
    const again = worldOf(tries, between, ran).world;
    await again.scheduler.advanceTo(START + 10);
    expect(ran).toEqual(['1 at 0', '2 at 10', 'other at 10', '2 at 10', 'other at 10']);
  });

  test.each<[string, JobHandler]>([
    ['a handler that returns at once', () => ({ again: 0 })],
    ['a handler that waits first', async () => ({ again: 0 })],
  ])('a job that repeats without end at one moment (%s) breaks by name, and time continues (L6)', async (_, tries) => {
    const { world, ran, broken } = worldOf(tries);
    world.schedule('try', { n: 1 }, 0);
    world.schedule('note', { n: 'afterwards' }, 5);
    await world.scheduler.advanceTo(START + 10);
    expect(broken).toEqual([`jobs of kind try schedule themselves without end at ${new Date(START).toISOString()}`]);
    expect(ran).toHaveLength(1001);
    expect(ran.at(-1)).toBe('afterwards at 5');
  });

  test('a repeated job whose write throws stays as it was, to be run again', async () => {
    const { world } = worldOf(() => (): Again => {
      throw new Error('oops');
    });
    const id = world.schedule('try', { n: 1 }, 5);
    await world.scheduler.advanceTo(START + 5);
    expect(world.scheduler.jobs.get(id)).toMatchObject({ payload: { n: 1 }, dueAt: START + 5 });
  });
});

describe('notifications of a transaction', () => {
  /** Hears a world: what happened, and because of what. */
  const hearing = (world: World) => {
    const heard: string[] = [];
    world.watch((event, cause) => {
      const about =
        event.what === 'magic'
          ? event.sentence
          : event.what === 'event'
            ? event.event.type
            : event.what === 'entered'
              ? event.state
              : event.id;
      heard.push(`${event.what} ${about} because of ${cause}`);
    });
    return heard;
  };

  test('watchers are notified after a transaction, in order, with the id of the request or the job that wrote', async () => {
    const { world } = worldOf((w) => () => w.emit('TEST', 'x', {}));
    const heard = hearing(world);
    const id = world.transact(() => {
      world.magic('a suffix');
      const job = world.transact(() => world.schedule('try', { n: 1 }, 5), 'an inner transaction');
      expect(heard).toEqual([]);
      return job;
    }, 'req_1');
    await world.scheduler.advanceTo(START + 5);
    expect(heard).toEqual([
      'magic a suffix because of req_1',
      `scheduled ${id} because of req_1`,
      `event TEST because of ${id}`,
      `ended ${id} because of ${id}`,
    ]);
  });

  test('watchers are not notified of a transaction that is undone, nor of an undone inner one', () => {
    const { world } = worldOf(() => undefined);
    const heard = hearing(world);
    const refuse = (): never => {
      throw new Error('refused');
    };
    expect(() =>
      world.transact(() => {
        world.magic('undone');
        world.schedule('try', { n: 1 }, 5);
        refuse();
      }, 'req_1'),
    ).toThrow('refused');
    world.transact(() => {
      world.magic('outer');
      expect(() =>
        world.transact(() => {
          world.magic('inner');
          refuse();
        }),
      ).toThrow('refused');
    }, 'req_2');
    expect(heard).toEqual(['magic outer because of req_2']);
  });

  test('watchers are notified of the end of a cancelled job, and not when a job repeats', async () => {
    const { world } = worldOf(() => ({ again: 10 }));
    const heard = hearing(world);
    const id = world.schedule('try', { n: 1 }, 0);
    await world.scheduler.advanceTo(START + 25);
    world.transact(() => world.scheduler.cancel(id), 'req_1');
    expect(heard).toEqual([`scheduled ${id} because of undefined`, `ended ${id} because of req_1`]);
  });

  test('what an advance lists and a state holds is the same, in whatever order the outside world answers', async () => {
    /** Six jobs that are tried three times; the first try of each releases another. `picks` says which is answered next. */
    const outcome = async (picks: readonly number[]): Promise<string> => {
      const open: (() => void)[] = [];
      const { world } = worldOf(async (here, { payload: { n, next, tries = 1 } }) => {
        await new Promise<void>((resolve) => open.push(resolve));
        return () => {
          if (next) here.schedule('try', { n: `behind ${n}` }, 0, next as string);
          return (tries as number) < 3 ? { again: 10, payload: { n, tries: (tries as number) + 1 } } : undefined;
        };
      });
      for (let n = 0; n < 6; n += 1) {
        const next = world.newId('Job');
        world.schedule('try', { n: String(n), next }, 0);
      }
      const seen: unknown[] = [];
      let picked = 0;
      for (let i = 0; i < 4; i += 1) {
        let isOver = false;
        const advance = world.scheduler.advanceBy(10).then((ran) => {
          isOver = true;
          seen.push(ran);
        });
        while (!isOver) {
          await new Promise((resolve) => setImmediate(resolve));
          if (open.length > 0) open.splice((picks[picked++ % picks.length] as number) % open.length, 1)[0]?.();
        }
        await advance;
        seen.push(world.snapshot().tables, [...world.scheduler.jobs.rows()].sort(soonestFirst));
      }
      return JSON.stringify(seen);
    };
    const inOrder = await outcome([0]);
    expect(inOrder).toContain('behind 5');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(11), { minLength: 1, maxLength: 36 }), async (picks) => {
        expect(await outcome(picks)).toBe(inOrder);
      }),
      { numRuns: 50 },
    );
  });
});
