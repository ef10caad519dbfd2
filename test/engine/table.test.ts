import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { encodeCursor } from '../../src/engine/page.ts';
import { lazyRow, type RowOf, Table, table, type Write } from '../../src/engine/table.ts';

const ThingRow = lazyRow(() =>
  z.strictObject({
    id: z.string(),
    at: z.string(),
    colour: z.string(),
    tags: z.array(z.string()),
    size: z.number().optional(),
    gone: z.boolean(),
  }),
);
type Thing = RowOf<typeof ThingRow>;
const THINGS = table('things', {
  row: ThingRow,
  indexes: { colour: (t) => t.colour, tags: (t) => t.tags, size: (t) => t.size },
  hidden: (t) => t.gone,
});
const PLAIN = table('plain', { row: lazyRow(() => z.strictObject({ id: z.string() })) });

/** What a table means, said as simply as can be: a list with holes. */
class Naive {
  slots: (Thing | undefined)[] = [];
  live = (): Thing[] => this.slots.filter((row): row is Thing => row !== undefined);
  at = (id: string): number => this.slots.findIndex((row) => row?.id === id);
  put(row: Thing): void {
    this.slots[this.at(row.id)] = row;
  }
  remove(id: string): void {
    const at = this.at(id);
    if (at >= 0) this.slots[at] = undefined;
  }
  ask(q: Ask): { row: Thing; seq: number }[] {
    return this.slots
      .map((row, seq) => ({ row, seq }))
      .filter((found): found is { row: Thing; seq: number } => {
        const { row } = found;
        if (row === undefined || (row.gone && !q.withHidden)) return false;
        if (q.colour !== undefined && row.colour !== q.colour) return false;
        if (q.tag !== undefined && !row.tags.includes(q.tag)) return false;
        if (q.size !== undefined && row.size !== q.size) return false;
        if (q.from !== undefined && row.at < q.from) return false;
        if (q.to !== undefined && row.at > q.to) return false;
        return !q.even || (row.size ?? 0) % 2 === 0;
      });
  }
}

interface Ask {
  colour?: string | undefined;
  tag?: string | undefined;
  size?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  even?: boolean | undefined;
  withHidden?: boolean | undefined;
}

const colours = fc.constantFrom('red', 'green', 'blue');
const tag = fc.constantFrom('a', 'b', 'c');
const look = fc.record({
  colour: colours,
  tags: fc.uniqueArray(tag, { maxLength: 3 }),
  size: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  gone: fc.boolean(),
});
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const moment = fc.integer({ min: 0, max: 60 }).map((n) => String(n).padStart(4, '0'));
const ask: fc.Arbitrary<Ask> = fc.record({
  colour: maybe(colours),
  tag: maybe(tag),
  size: maybe(fc.integer({ min: 0, max: 3 })),
  from: maybe(moment),
  to: maybe(moment),
  even: fc.boolean(),
  withHidden: fc.boolean(),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('insert' as const), look }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('put' as const), which: fc.nat(), look }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), back: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const), ask, limit: fc.integer({ min: 1, max: 4 }) }) },
);

const question = (q: Ask) => ({
  where: { colour: q.colour, tags: q.tag, size: q.size },
  between: { by: (t: Thing) => t.at, from: q.from, to: q.to },
  filter: q.even ? (t: Thing) => (t.size ?? 0) % 2 === 0 : undefined,
  withHidden: q.withHidden,
});

/** The same, twice: once in the table, once in the list; then every way of asking must agree. */
class Pair {
  writes: Write[] = [];
  table = this.#empty().open();
  naive = new Naive();
  before: (Thing | undefined)[][] = [];
  made = 0;

  run(s: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
    const live = this.naive.live();
    if (s.do === 'insert') {
      this.before.push([...this.naive.slots]);
      const row = { id: `t${this.made}`, at: String(this.made).padStart(4, '0'), ...s.look };
      this.made += 1;
      this.naive.slots.push(row);
      this.table.insert(row);
    } else if (s.do === 'put' && live.length > 0) {
      this.before.push([...this.naive.slots]);
      const row = { ...(live[s.which % live.length] as Thing), ...s.look };
      this.naive.put(row);
      this.table.put(row);
    } else if (s.do === 'remove' && live.length > 0) {
      this.before.push([...this.naive.slots]);
      const { id } = live[s.which % live.length] as Thing;
      this.naive.remove(id);
      this.table.remove(id);
    } else if (s.do === 'undo') {
      for (let i = 0; i < s.back && this.writes.length > 0; i += 1) {
        const write = this.writes.pop() as Write;
        this.table.undo(write.seq, write.before as Thing | undefined);
        this.naive.slots = this.before.pop() as (Thing | undefined)[];
      }
    } else if (s.do === 'reload') {
      const saved = JSON.parse(JSON.stringify(this.table.state()));
      this.table = this.#empty();
      this.table.restore(saved);
      this.table.open();
      this.naive.slots = this.naive.slots.map((row) => row && (JSON.parse(JSON.stringify(row)) as Thing));
      expect(JSON.parse(JSON.stringify(this.table.state()))).toEqual(saved);
    } else if (s.do === 'clear') {
      this.table = this.#empty().open();
      this.naive = new Naive();
      this.writes = [];
      this.before = [];
    } else if (s.do === 'ask') this.askBoth(s.ask, s.limit);
  }

  #empty() {
    return new Table<Thing, 'colour' | 'tags' | 'size'>(THINGS, (table, seq, before) => {
      this.writes.push({ table, seq, before });
    });
  }

  askBoth(q: Ask, limit: number): void {
    const right = this.naive.ask(q).reverse();
    expect(this.table.total(question(q))).toBe(right.length);
    expect([...this.table.newest(question(q))]).toEqual(right.map(({ row }) => row));
    for (const oldestFirst of [false, true]) {
      const expected = oldestFirst ? [...right].reverse() : right;
      const seen: Thing[] = [];
      let cursor: string | undefined;
      do {
        const page = this.table.page({ ...question(q), limit, cursor, oldestFirst });
        seen.push(...page.data);
        expect(page.totalCount).toBe(right.length);
        expect(page.hasMore).toBe(seen.length < right.length);
        expect(page.nextCursor).toBe(
          page.hasMore ? encodeCursor('things', expected[seen.length - 1]?.seq ?? -1) : undefined,
        );
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(expected.map(({ row }) => row));
    }
  }

  check(): void {
    const live = this.naive.live();
    expect([...this.table.rows()]).toEqual(live);
    expect(this.table.size).toBe(live.length);
    const shown = live.filter((row) => !row.gone);
    expect(this.table.first()).toEqual(shown[0]);
    for (const row of live) expect(this.table.get(row.id)).toEqual(row);
    expect(this.table.get('none')).toBeUndefined();
    for (const key of ['red', 'green', 'blue']) {
      const rows = shown.filter((row) => row.colour === key);
      expect(this.table.all('colour', key)).toEqual(rows);
      expect(this.table.count('colour', key)).toBe(rows.length);
      expect(this.table.find('colour', key)).toEqual(rows[0]);
    }
    for (const key of ['a', 'b', 'c'])
      expect(this.table.all('tags', key)).toEqual(shown.filter((row) => row.tags.includes(key)));
    for (const key of [0, 1, 2, 3])
      expect(this.table.all('size', key)).toEqual(shown.filter((row) => row.size === key));
  }
}

describe('Table', () => {
  test('a table answers like a list with holes after any changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pair = new Pair();
        for (const s of steps) {
          pair.run(s);
          pair.check();
        }
      }),
      { numRuns: 150 },
    );
  });

  test('a small table and a table restored from its state change independently', () => {
    const thing = (n: number) =>
      ({ id: `t${n}`, at: String(n), colour: 'red', tags: [], size: n, gone: n % 3 === 0 }) as const;
    const few = new Table<Thing, 'colour' | 'tags' | 'size'>(THINGS).open();
    for (let n = 0; n < 5; n += 1) few.insert(thing(n));
    const other = new Table<Thing, 'colour' | 'tags' | 'size'>(THINGS);
    other.restore(few.state());
    other.open();
    for (let n = 5; n < 20; n += 1) other.insert(thing(n));
    other.remove('t1');
    few.put({ ...thing(2), colour: 'blue' });
    expect(few.all('colour', 'red').map(({ id }) => id)).toEqual(['t1', 't4']);
    expect(few.total({ withHidden: true })).toBe(5);
    expect(few.get('t5')).toBeUndefined();
    expect(other.count('colour', 'red')).toBe(12);
    expect(other.find('size', 2)?.colour).toBe('red');
    expect(other.total({ withHidden: true })).toBe(19);
  });

  test('a table over several chunks, with most rows removed, is the same after a restore', () => {
    const rows = new Table(PLAIN).open();
    for (let i = 0; i < 5000; i += 1) rows.insert({ id: `r${i}` });
    for (let i = 0; i < 5000; i += 1) if (i % 1000 !== 7) rows.remove(`r${i}`);
    expect([...rows.rows()].map((row) => row.id)).toEqual(['r7', 'r1007', 'r2007', 'r3007', 'r4007']);
    rows.insert({ id: 'new' });
    const again = new Table(PLAIN);
    again.restore(rows.state());
    again.open();
    expect(again.state()).toEqual(rows.state());
    expect(again.page({ limit: 2 })).toEqual(rows.page({ limit: 2 }));
  });

  test('the total of a time span is the length of its list, also when it ends before it begins (S1)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        maybe(moment),
        maybe(moment),
        fc.boolean(),
        (made, from, to, withHidden) => {
          const pair = new Pair();
          for (let i = 0; i < made; i += 1)
            pair.run({ do: 'insert', look: { colour: 'red', tags: [], size: i % 3, gone: i % 4 === 0 } });
          const asked = { between: { by: (t: Thing) => t.at, from, to }, withHidden };
          expect(pair.table.total(asked)).toBe([...pair.table.newest(asked)].length);
          expect(pair.table.page({ ...asked, limit: 5 }).totalCount).toBe(pair.table.total(asked));
        },
      ),
    );
  });

  test('a row schema is built once, when it is first needed', () => {
    let built = 0;
    const row = lazyRow(() => {
      built += 1;
      return z.strictObject({ id: z.string() });
    });
    expect(built).toBe(0);
    expect(row()).toBe(row());
    expect(built).toBe(1);
  });

  test('the row type of a schema is read-only, with its lists and records', () => {
    const shape = lazyRow(() => z.strictObject({ id: z.string(), spots: z.array(z.strictObject({ at: z.string() })) }));
    type Spotted = { readonly id: string; readonly spots: readonly { readonly at: string }[] };
    expectTypeOf<RowOf<typeof shape>>().toEqualTypeOf<Spotted>();
    expectTypeOf(new Table(table('spotted', { row: shape })).get('a')).toEqualTypeOf<Spotted | undefined>();
  });

  test('a duplicate row, or a replacement of a missing row, throws', () => {
    const rows = new Table(PLAIN).open();
    rows.insert({ id: 'a' });
    expect(() => rows.insert({ id: 'a' })).toThrow('exists already');
    expect(() => rows.put({ id: 'b' })).toThrow('no b to replace');
    rows.remove('b');
  });

  test('a cursor that a list did not issue is refused', () => {
    const rows = new Table(PLAIN).open();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.constant(encodeCursor('other', 1))), (cursor) => {
        expect(() => rows.page({ limit: 1, cursor })).toThrow('cursor');
      }),
    );
    expect(rows.page({ limit: 1, cursor: encodeCursor('plain', 9) }).data).toEqual([]);
  });

  test('a cursor beyond the last row is the end of the list, however far beyond', () => {
    const rows = new Table(PLAIN).open();
    for (let i = 0; i < 300; i += 1) rows.insert({ id: `${i}` });
    for (const place of [299, 300, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const cursor = encodeCursor('plain', place);
      expect(rows.page({ limit: 1, cursor, oldestFirst: true }).data).toEqual([]);
      expect(rows.page({ limit: 1, cursor }).data).toEqual([{ id: place === 299 ? '298' : '299' }]);
    }
  });
});
