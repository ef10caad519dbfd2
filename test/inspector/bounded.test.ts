import { describe, expect, test } from 'vitest';
import { atMost, chosen, LOOKED_AT } from '../../src/inspector/frame/bounded.ts';

/** Rows without end, and how many of them were looked at. */
function endless() {
  const seen = { looked: 0 };
  const rows = (function* () {
    for (;;) yield (seen.looked += 1);
  })();
  return { rows, seen };
}

describe('a walk over a table that may be of any size', () => {
  test('ends with the rows that a page looks at, though nothing passes', () => {
    const { rows, seen } = endless();
    expect(chosen(rows, () => false, 50)).toEqual([]);
    expect(seen.looked).toBe(LOOKED_AT);
  });

  test('ends when a page is full', () => {
    const { rows, seen } = endless();
    expect(chosen(rows, (n) => n % 2 === 0, 3)).toEqual([2, 4, 6]);
    expect(seen.looked).toBe(6);
  });

  test('of nothing at all looks at nothing', () => {
    const { rows, seen } = endless();
    expect([chosen(rows, () => true, 0), [...atMost(rows, 0)]]).toEqual([[], []]);
    expect(seen.looked).toBe(0);
  });
});
