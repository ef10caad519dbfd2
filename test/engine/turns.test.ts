import { setImmediate as realTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Turns } from '../../src/engine/turns.ts';

/** A queue whose time only work moves on, and what was done in which turn of the event loop. */
function queue() {
  let ms = 0;
  const turns = new Turns(() => ms);
  const done: string[][] = [[]];
  const work = (name: string, takes: number) => () => {
    done.at(-1)?.push(name);
    ms += takes;
  };
  const nextTurn = async () => {
    await realTurn();
    done.push([]);
  };
  return { turns, done, work, nextTurn };
}

test('work that fits into a turn is done in one turn, in the order in which it was requested', async () => {
  const { turns, done, work, nextTurn } = queue();
  for (const name of ['a', 'b', 'c']) turns.soon(work(name, 1));
  expect(done).toEqual([[]]);
  await nextTurn();
  expect(done).toEqual([['a', 'b', 'c'], []]);
});

test('work that a turn has no room for is first in the next turn, before repeated work', async () => {
  const { turns, done, work, nextTurn } = queue();
  const again = (name: string) => () => {
    work(name, 3)();
    turns.soon(again(name));
  };
  for (const name of ['a', 'b', 'c']) turns.soon(again(name));
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
  expect(done.slice(0, 4)).toEqual([
    ['a', 'b'],
    ['c', 'a'],
    ['b', 'c'],
    ['a', 'b'],
  ]);
});

test('a turn takes no more work after long work, and all work is done in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(10), { maxLength: 30 }), async (lengths) => {
      const { turns, done, work, nextTurn } = queue();
      for (const [i, takes] of lengths.entries()) turns.soon(work(`${i}`, takes));
      for (let turn = 0; turn < lengths.length; turn += 1) await nextTurn();
      expect(done.flat()).toEqual(lengths.map((_, i) => `${i}`));
      for (const names of done) {
        const before = names.slice(0, -1).reduce((sum, name) => sum + (lengths[Number(name)] as number), 0);
        expect(before).toBeLessThan(4);
      }
    }),
  );
});

test('cancelled work is not done, and work that throws holds nothing else up', async () => {
  const { turns, done, work, nextTurn } = queue();
  const broken = new Promise((resolve) => {
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => {
      for (const other of others) process.on('uncaughtException', other);
      resolve(error.message);
    });
  });
  const giveUp = turns.soon(work('given up', 1));
  turns.soon(() => {
    throw new Error('broken');
  });
  turns.soon(work('after it', 1));
  giveUp();
  expect(await broken).toBe('broken');
  await nextTurn();
  expect(done.flat()).toEqual(['after it']);
});

test('fake timers do not stop turns', async () => {
  const { turns, done, work, nextTurn } = queue();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  turns.soon(work('a', 1));
  await nextTurn();
  expect(done).toEqual([['a'], []]);
});

test('work that is first in a turn is done before work that waited longer, whatever room the turn has', async () => {
  const { turns, done, work, nextTurn } = queue();
  for (const name of ['a', 'b']) turns.soon(work(name, 5));
  turns.first(work('answers', 9));
  for (let turn = 0; turn < 2; turn += 1) await nextTurn();
  expect(done.slice(0, 2)).toEqual([['answers', 'a'], ['b']]);
});
