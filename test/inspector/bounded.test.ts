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

describe('a bounded walk over a table', () => {
  test('a walk over an endless table ends after the rows that a page looks at, even if none passes', () => {
    const { rows, seen } = endless();
    expect(chosen(rows, () => false, 50)).toEqual([]);
    expect(seen.looked).toBe(LOOKED_AT);
  });

  test('a walk over an endless table ends when its page is full', () => {
    const { rows, seen } = endless();
    expect(chosen(rows, (n) => n % 2 === 0, 3)).toEqual([2, 4, 6]);
    expect(seen.looked).toBe(6);
  });

  test('a walk for no rows at all looks at none', () => {
    const { rows, seen } = endless();
    expect([chosen(rows, () => true, 0), [...atMost(rows, 0)]]).toEqual([[], []]);
    expect(seen.looked).toBe(0);
  });
});
