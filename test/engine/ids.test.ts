import * as fc from 'fast-check';
import { customRandom } from 'nanoid';
import { describe, expect, test } from 'vitest';
import { Ids } from '../../src/engine/ids.ts';

const call = fc.oneof(
  fc.record({
    do: fc.constant('next' as const),
    type: fc.constantFrom('Customer', 'Webhook'),
    ms: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ do: fc.constant('bytes' as const), count: fc.nat(5000) }),
  fc.record({ do: fc.constant('text' as const), length: fc.nat(20) }),
  fc.record({ do: fc.constant('fraction' as const) }),
);
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

const START = Date.UTC(2026, 0, 5);
const run = (ids: Ids, c: Call): unknown => {
  if (c.do === 'next') return ids.next(c.type, START + c.ms);
  if (c.do === 'bytes') return Buffer.from(ids.bytes(c.count)).toString('hex');
  if (c.do === 'text') return ids.text('abcdefgh', c.length);
  return ids.fraction();
};

describe('Ids', () => {
  test('drawn texts are those that nanoid makes of the same bytes', () => {
    const alphabets = fc.constantFrom('ab', '0123456789abcdef', '0123456789abcdefghjkmnpqrstvwxyz');
    fc.assert(
      fc.property(fc.string(), alphabets, fc.nat(128), fc.nat(64), (seed, alphabet, length, count) => {
        const [ids, other] = [new Ids(seed), new Ids(seed)];
        expect(ids.text(alphabet, length)).toBe(customRandom(alphabet, length, (size) => other.bytes(size))());
        expect(ids.hex(count)).toBe(Buffer.from(other.bytes(count)).toString('hex'));
        expect(ids.state()).toEqual(other.state());
      }),
    );
  });

  test('the same seed and the same calls draw the same ids, and another seed draws others', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(call, { minLength: 1, maxLength: 20 }), (seed, calls) => {
        const [a, b] = [new Ids(seed), new Ids(seed)];
        expect(calls.map((c) => run(a, c))).toEqual(calls.map((c) => run(b, c)));
        expect(new Ids(`${seed}.`).hex(16)).not.toBe(new Ids(seed).hex(16));
      }),
    );
  });

  test('ids that were drawn after a mark are drawn again after a return to it', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 15 }), fc.array(call, { maxLength: 15 }), (before, after) => {
        const ids = new Ids('seed');
        for (const c of before) run(ids, c);
        const [mark, state] = [ids.mark(), ids.state()];
        const drawn = after.map((c) => run(ids, c));
        ids.restore(mark);
        expect(after.map((c) => run(ids, c))).toEqual(drawn);
        const other = new Ids(state.seed);
        other.restore(state);
        expect(after.map((c) => run(other, c))).toEqual(drawn);
      }),
    );
  });

  test('ids sort in the order of their creation, also within a millisecond and on a clock that stands still', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 50 }), (pauses) => {
        const ids = new Ids('seed');
        let now = START;
        const made = pauses.map((pause) => ids.next('Customer', (now += pause)));
        expect([...made].sort()).toEqual(made);
        expect(new Set(made).size).toBe(made.length);
      }),
    );
    const ids = new Ids('seed');
    const made = Array.from({ length: 10_000 }, () => ids.next('Customer', START));
    expect([...made].sort()).toEqual(made);
  });

  test('an id is <Type>:<uuid> with a UUID of version 7 that holds its millisecond (spec 2)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 42 }), (ms) => {
        const id = new Ids('seed').next('Customer', ms);
        expect(id).toMatch(/^Customer:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.slice(9, 22).replace('-', ''), 16)).toBe(ms);
      }),
    );
  });

  test('drawn fractions lie in [0, 1) and average near 0.5', () => {
    const ids = new Ids('seed');
    const drawn = Array.from({ length: 4000 }, () => ids.fraction());
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
    expect(drawn.reduce((a, b) => a + b, 0) / drawn.length).toBeCloseTo(0.5, 1);
  });
});
