import { expect, test } from 'vitest';

const { judged } = await import(new URL('../../bench/ceilings.mjs', import.meta.url).href);

test('a count that grew by more than its share is reported with its old value, its new value and its bound', () => {
  const { grown } = judged({ 'bytes of a row': 1040, files: 34 }, { 'bytes of a row': 1000, files: 34 }, 3);
  expect(grown).toEqual(['bytes of a row: from 1,000 to 1,040, at most 1,030 (3 % more, bench/counts.json)']);
});

test('a count that is within its share, that fell, or that is new passes', () => {
  const { grown, lines } = judged({ same: 103, smaller: 50, fresh: 7 }, { same: 100, smaller: 100 }, 3);
  expect(grown).toEqual([]);
  expect(lines.map((line: string) => line.replaceAll(/ +/g, ' '))).toEqual([
    '✓ same 103 3.0 %',
    '✓ smaller 50 -50.0 %',
    '✓ fresh 7 new',
  ]);
});

test('a count that is no longer taken fails until it is removed from the file', () => {
  expect(judged({}, { gone: 1 }, 3).grown).toEqual(['gone: no longer counted']);
});
