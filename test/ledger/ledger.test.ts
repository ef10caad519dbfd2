import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { JOBS } from '../../src/engine/scheduler.ts';
import { World } from '../../src/engine/world.ts';
import { BALANCES, balanceOf, countable, type Line, POSTINGS, post } from '../../src/ledger/ledger.ts';

const make = () =>
  new World({
    id: 'w',
    seed: '1',
    keySeed: '1',
    profile: PROFILES.spec,
    parts: { tables: [BALANCES, JOBS, POSTINGS], handlers: new Map(), outbox: () => {}, reactions: [] },
  });

const account = fc.constantFrom('a', 'b', 'c', 'outside:world');
const amount = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(2 ** 52, Number.MAX_SAFE_INTEGER));
const part = fc.constantFrom('available' as const, 'held' as const, undefined);
const move = fc.record({
  from: account,
  to: account,
  amount,
  currency: fc.constantFrom('USD', 'EUR'),
  fromPart: part,
  toPart: part,
});

const side = (name: string, currency: string, value: number, which: Line['part']): Line => ({
  account: name.startsWith('outside') ? name : `${name} ${currency}`,
  currency,
  amount: value,
  ...(which === undefined ? {} : { part: which }),
});

describe('the ledger', () => {
  test('per currency postings sum to zero, no account goes below zero, and a balance is the sum of its lines', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const world = make();
        for (const { from, to, amount: value, currency, fromPart, toPart } of moves) {
          const lines = [side(from, currency, -value, fromPart), side(to, currency, value, toPart)];
          const before = JSON.stringify(world.snapshot().tables);
          const fits = countable(world, lines);
          try {
            world.transact(() => post(world, { reason: 'test', cause: 'test', lines }));
            expect(fits).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
            if ((error as Failure).code === 'AMOUNT_OUT_OF_RANGE') expect(fits).toBe(false);
            expect(JSON.stringify(world.snapshot().tables)).toBe(before);
          }
        }
        const sums = new Map<string, bigint>();
        const holds = new Map<string, { available: bigint; held: bigint }>();
        for (const { lines } of world.rows(POSTINGS).rows())
          for (const line of lines) {
            sums.set(line.currency, (sums.get(line.currency) ?? 0n) + BigInt(line.amount));
            const held = holds.get(line.account) ?? { available: 0n, held: 0n };
            held[line.part ?? 'available'] += BigInt(line.amount);
            holds.set(line.account, held);
          }
        for (const sum of sums.values()) expect(sum).toBe(0n);
        for (const { id, available, held } of world.rows(BALANCES).rows()) {
          expect({ available: BigInt(available), held: BigInt(held) }).toEqual(holds.get(id));
          if (!id.startsWith('outside:')) expect(Math.min(available, held)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('a posting whose lines do not balance in each currency throws', () => {
    const world = make();
    const bad = (lines: Line[]) => () => post(world, { reason: 'x', cause: 'x', lines });
    expect(bad([{ account: 'outside:a', currency: 'USD', amount: 1 }])).toThrow('does not balance');
    expect(
      bad([
        { account: 'outside:a', currency: 'USD', amount: 1 },
        { account: 'outside:b', currency: 'EUR', amount: -1 },
      ]),
    ).toThrow('does not balance');
  });

  test('a posting of more than an account holds is refused with 400 INSUFFICIENT_BALANCE (spec 5.1 rule 9)', () => {
    const world = make();
    const lines = [
      { account: 'a', currency: 'USD', amount: -1 },
      { account: 'outside:b', currency: 'USD', amount: 1 },
    ];
    expect(() => world.transact(() => post(world, { reason: 'x', cause: 'x', lines }))).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_BALANCE', status: 400 }),
    );
    expect(balanceOf(world, 'a')).toEqual({ available: 0, held: 0 });
  });
});
