import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Key, KeyIndex, type Keys } from '../../src/engine/index-list.ts';
import {
  above,
  aboveIn,
  below,
  belowIn,
  copyOf,
  type Positions,
  rankIn,
  sizeOf,
  sliceOf,
  withOne,
  withoutOne,
} from '../../src/engine/positions.ts';
import { RowStore } from '../../src/engine/row-store.ts';
import { effort } from '../kit/effort.ts';

/** Near each other, so that runs and bits come about, or far apart. */
const seq = fc.oneof(
  { weight: 6, arbitrary: fc.nat(3000) },
  { weight: 2, arbitrary: fc.nat(12) },
  { weight: 1, arbitrary: fc.integer({ min: 2 ** 27, max: 2 ** 29 }) },
  { weight: 1, arbitrary: fc.constantFrom(31, 32, 1023, 1024, 2 ** 28 - 1, 2 ** 28, 2 ** 31, 2 ** 32 - 1) },
);
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.constant(true), from: seq, length: fc.constant(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ add: fc.boolean(), from: fc.nat(2000), length: fc.integer({ min: 1, max: 400 }) }),
  },
  { weight: 2, arbitrary: fc.record({ add: fc.constant(false), from: seq, length: fc.constant(1) }) },
);

describe('positions', () => {
  test('positions answer like a sorted list, as runs, numbers and bits alike, and a copy stays as it was', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), fc.array(seq, { maxLength: 12 }), (changes, asked) => {
        let positions: Positions | undefined;
        const plain = new Set<number>();
        let copy: { of: Positions; was: readonly number[] } | undefined;
        for (const { add, from, length } of changes) {
          for (let at = from; at < from + length && at < 2 ** 32; at += 1) {
            positions = add ? withOne(positions, at) : withoutOne(positions, at);
            if (add) plain.add(at);
            else plain.delete(at);
          }
          const sorted = [...plain].sort((a, b) => a - b);
          expect(sizeOf(positions)).toBe(sorted.length);
          expect(sliceOf(positions)).toEqual(sorted);
          for (const at of [0, from, from + 1, ...asked]) {
            expect(above(positions, at)).toBe(sorted.find((one) => one >= at) ?? -1);
            expect(below(positions, at)).toBe(sorted.findLast((one) => one < at) ?? -1);
            expect(rankIn(positions, at)).toBe(sorted.filter((one) => one < at).length);
          }
          const middle = sorted.length >> 1;
          expect(sliceOf(positions, middle, middle + 3)).toEqual(sorted.slice(middle, middle + 3));
          if (copy) expect(sliceOf(copy.of)).toEqual(copy.was);
          copy = positions === undefined ? undefined : { of: positions, was: sorted };
          if (positions !== undefined) positions = copyOf(positions);
        }
      }),
      { numRuns: effort(50, 150) },
    );
  });

  test('two lists of positions are walked as one, in either direction', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(400), { maxLength: 300 }), fc.nat(400), (all, from) => {
        const pick = (rest: number) =>
          all
            .filter((one) => one % 2 === rest)
            .reduce<Positions | undefined>((list, one) => withOne(list, one), undefined);
        const two = [pick(0), pick(1)] as const;
        expect(aboveIn(two, from)).toBe(
          Math.min(...all.filter((one) => one >= from), 1000) % 1000 || (all.includes(0) && from === 0 ? 0 : -1),
        );
        expect(belowIn(two, from)).toBe(Math.max(-1, ...all.filter((one) => one < from)));
      }),
    );
  });
});

interface Thing {
  readonly keys: readonly Key[];
}
const key: fc.Arbitrary<Key> = fc.oneof(
  fc.nat(600).map((n) => `Customer:0195a7c2-41aa-7d10-9c3e-${String(n).padStart(12, '0')}`),
  fc.nat(40),
  fc.boolean(),
  fc.constantFrom('', 'a', 'aa', 'aaa', '1', 'true', 'é', '😀'),
);
const deed = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('put' as const), seq: fc.nat(900), keys: fc.array(key, { maxLength: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('many' as const),
      from: fc.nat(900),
      count: fc.integer({ min: 1, max: 700 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), seq: fc.nat(900) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), goOn: fc.boolean() }) },
);

/** An index beside the rows it reads, and beside a map that says the same as simply as can be. */
class Beside {
  store = new RowStore<Thing>();
  index = new KeyIndex<Thing>(
    (row) => row.keys,
    (at) => this.store.at(at),
  );
  plain = new Map<Key, Set<number>>();

  put(at: number, keys: readonly Key[] | undefined): void {
    const before = this.store.at(at);
    const distinct = keys && [...new Set(keys)];
    this.index.remove(before?.keys as Keys, at);
    for (const one of before?.keys ?? []) this.plain.get(one)?.delete(at);
    this.store.set(at, distinct && { keys: distinct });
    this.index.add(distinct as Keys, at);
    for (const one of distinct ?? []) this.plain.set(one, (this.plain.get(one) ?? new Set()).add(at));
  }

  fork(): Beside {
    const other = new Beside();
    other.store = this.store.fork();
    other.index = this.index.fork((at) => other.store.at(at));
    other.plain = new Map([...this.plain].map(([one, seqs]) => [one, new Set(seqs)]));
    return other;
  }

  check(): void {
    for (const [one, seqs] of this.plain) expect(sliceOf(this.index.get(one))).toEqual([...seqs].sort((a, b) => a - b));
    for (const one of ['none', -1, 'Customer:', 1.5]) expect(this.index.get(one)).toBeUndefined();
    expect(this.store.size).toBe([...this.store.rows(10_000)].length);
  }
}

describe('KeyIndex', () => {
  test('a key index answers like a map of sets, with few keys or many, and forks are independent', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
        let now = new Beside();
        const others: Beside[] = [];
        for (const d of deeds) {
          if (d.do === 'put') now.put(d.seq, d.keys);
          else if (d.do === 'remove') now.put(d.seq, undefined);
          else if (d.do === 'many')
            for (let i = 0; i < d.count; i += 1) now.put(d.from + i, [`key ${d.from + i}`, i % 3, i % 7 === 0]);
          else {
            const other = now.fork();
            others.push(d.goOn ? now : other);
            if (d.goOn) now = other;
          }
        }
        now.check();
        for (const other of others) other.check();
      }),
      { numRuns: effort(40, 100) },
    );
  });
});
