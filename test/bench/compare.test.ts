import { expect, test } from 'vitest';

const part = (name: string) => import(new URL(`../../bench/${name}.mjs`, import.meta.url).href);
const { beside, certain, inTurns } = await part('statistics');
const { chosen, comparePair, verdict } = await part('pairs');
const { isGood } = await part('rows');

/** A build whose measure gives these values, one after the other, and notes when it was asked. */
const builds = (order: string[], values: Record<string, number[]>) => ({
  open: async (build: string) => ({
    measure: async () => {
      order.push(build);
      return values[build]?.shift();
    },
    close: () => order.push(`close ${build}`),
  }),
});

test('two builds are measured in turns, each first every second time, and closed at the end', async () => {
  const order: string[] = [];
  const found = await comparePair(builds(order, { old: [100, 100, 50], now: [90, 80, 60] }), 'old', 'now', 3);
  expect(order).toEqual(['old', 'now', 'now', 'old', 'old', 'now', 'close old', 'close now']);
  expect(found).toMatchObject({ value: 80, reference: 100, ratio: 0.9, spread: [0.8, 1.2], verdict: 'too few' });
});

test('a ratio is the median over pairs, so that a pair on a busy machine does not count', () => {
  expect(
    beside([
      [10, 20],
      [1000, 2000],
      [10, 90],
    ]).ratio,
  ).toBe(2);
});

test('an interval is certain from six pairs on: of nine ratios, the second and the last but one bound the median', () => {
  expect(certain([1, 2, 3, 4, 5])).toBeUndefined();
  expect(certain([6, 1, 2, 3, 4, 5])).toEqual([1, 6]);
  expect(certain([9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual([2, 8]);
});

test('a build counts as better or worse only where the whole interval does', () => {
  expect(verdict(undefined)).toBe('too few');
  expect(verdict([0.9, 0.98])).toBe('better');
  expect(verdict([1.02, 1.3])).toBe('worse');
  expect(verdict([0.9, 1.2])).toBe('not sure');
  expect(verdict([0.995, 1.005])).toBe('not sure');
});

test('the measures to compare are chosen by part or by a word of their name, and keep their own order', () => {
  const measures = { 'GET one': { part: 'requests' }, 'POST one': { part: 'requests' }, idle: { part: 'memory' } };
  expect(Object.keys(chosen(measures, []))).toEqual(['GET one', 'POST one', 'idle']);
  expect(Object.keys(chosen(measures, ['memory', 'get']))).toEqual(['GET one', 'idle']);
  expect(() => chosen(measures, ['get', 'nothing'])).toThrow(
    'nothing is compared by the name nothing; there are requests, memory',
  );
});

test('measuring in turns keeps each pair in the order reference, ours', async () => {
  let next = 0;
  const counting = (name: string) => async () => `${name}${next++}`;
  expect(await inTurns(2, counting('a'), counting('b'))).toEqual([
    ['a0', 'b1'],
    ['a3', 'b2'],
  ]);
});

test('a row of the bench is judged by its ratio or its value, against its upper or lower bound', () => {
  expect(isGood({ judged: 'ratio', atMost: 1.35 }, { value: 200, ratio: 1.35 })).toBe(true);
  expect(isGood({ judged: 'ratio', atLeast: 0.5 }, { value: 200, ratio: 0.49 })).toBe(false);
  expect(isGood({ judged: 'value', atMost: 60 }, { value: 61, ratio: 0.1 })).toBe(false);
  expect(isGood({}, { value: 1 })).toBeUndefined();
});
