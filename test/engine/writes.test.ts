import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Table, table, type Write } from '../../src/engine/table.ts';
import { Writes } from '../../src/engine/writes.ts';

const TABLES = ['doors', 'keys'].map((name) => new Table(table(name, { row: (() => {}) as never })));
const write = fc.record({
  table: fc.constantFrom(...TABLES),
  seq: fc.nat(),
  before: fc.option(fc.record({ id: fc.string() }), { nil: undefined }),
});
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('add', 'append'), writes: fc.array(write, { maxLength: 120 }) }),
  fc.record({ do: fc.constantFrom('take', 'drop'), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ do: fc.constant('clear') }),
);

const listed = (writes: Writes): Write[] => Array.from({ length: writes.count }, (_, i) => writes.at(i));
function of(writes: readonly Write[]): Writes {
  const made = new Writes();
  for (const { table, seq, before } of writes) made.add(table, seq, before);
  return made;
}

test('a list of writes equals a plain list under adds, appends, takes, drops and clears', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const writes = new Writes();
      let plain: Write[] = [];
      for (const one of steps) {
        if ('writes' in one) {
          if (one.do === 'append') writes.append(of(one.writes));
          else for (const { table, seq, before } of one.writes) writes.add(table, seq, before);
          plain.push(...one.writes);
        } else if ('part' in one) {
          const place = Math.floor(one.part * plain.length);
          if (one.do === 'drop') {
            writes.drop(place);
            plain = plain.slice(place);
          } else expect(listed(writes.take(place))).toEqual(plain.splice(place));
        } else {
          writes.clear();
          plain = [];
        }
        expect(listed(writes)).toEqual(plain);
      }
    }),
  );
});

test('joined writes lead back and forth between the same states as the single ones', () => {
  const change = fc.record({
    at: fc.nat({ max: 5 }),
    row: fc.option(fc.record({ id: fc.string() }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const at = TABLES[0] as unknown as Write['table'];
      const slots: Write['before'][] = Array.from({ length: 6 }, (_, i) => (i % 2 ? { id: `${i}` } : undefined));
      const first = [...slots];
      const writes = new Writes();
      for (const { at: seq, row } of changes) {
        writes.add(at, seq, slots[seq]);
        slots[seq] = row;
      }
      const last = [...slots];
      writes.join();
      const after: [number, Write['before']][] = [];
      for (const { seq, before } of listed(writes).reverse()) {
        after.push([seq, slots[seq]]);
        slots[seq] = before;
      }
      expect(slots).toEqual(first);
      for (const [seq, row] of after.reverse()) slots[seq] = row;
      expect(slots).toEqual(last);
    }),
  );
});
