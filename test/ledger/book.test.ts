import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import { JOBS } from '../../src/engine/scheduler.ts';
import { atOnce } from '../../src/engine/slices.ts';
import { World } from '../../src/engine/world.ts';
import { audit } from '../../src/ledger/audit.ts';
import { type Book, bookOf } from '../../src/ledger/book.ts';
import { BALANCES, type Line, POSTINGS, type Posting, post } from '../../src/ledger/ledger.ts';
import { movesOf } from '../../src/ledger/moves.ts';

const make = () =>
  new World({
    id: 'w',
    seed: '1',
    keySeed: '1',
    profile: PROFILES.spec,
    parts: { tables: [BALANCES, JOBS, POSTINGS], handlers: new Map(), outbox: () => {}, reactions: [] },
  });

const usd = (account: string, amount: number, part?: 'held'): Line => ({
  account,
  currency: 'USD',
  amount,
  ...(part ? { part } : {}),
});

/** Puts money into account `a`, so much each time. */
function paid(world: World, ...amounts: readonly number[]): Posting[] {
  return amounts.map((amount) =>
    world.transact(() =>
      post(world, { reason: 'pay', cause: 'c', lines: [usd('outside:x:USD', -amount), usd('a', amount)] }),
    ),
  );
}

/** A posting put in place past the rules of `post`. */
const forge = (world: World, id: string, lines: Line[]): Posting =>
  world.transact(() =>
    world.rows(POSTINGS).insert({ id: `Posting:${id}`, at: world.clock.iso(), reason: 'forged', cause: 'c', lines }),
  );

function readBook(world: World): Book {
  const book = bookOf(world);
  atOnce(book.read());
  return book;
}

/** What is broken, by the name of the rule, and the postings and accounts that it names. */
const broken = (world: World, known: (account: string) => string | undefined = () => 'USD') =>
  Object.fromEntries(
    audit(world, readBook(world), known)
      .filter(({ ok }) => !ok)
      .map((one) => [one.name, one.broken.map(({ posting, account }) => [posting, account])]),
  );

describe('the book of a ledger', () => {
  test('the book of a ledger knows what an account held after every posting, however many there are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 300 }), (amounts) => {
        const world = make();
        const postings = paid(world, ...amounts);
        const book = readBook(world);
        const account = book.accounts.get('a');
        if (!account) throw new Error('the book has no account a');
        let sum = 0;
        for (const [i, posting] of postings.entries()) {
          sum += amounts[i] ?? 0;
          expect(book.after(account, posting.id)).toEqual({ available: sum, held: 0 });
        }
        expect(account).toMatchObject({ available: sum, held: 0, entries: amounts.length });
        expect(book.course(account, 10).at(-1)).toMatchObject({ available: sum, held: 0 });
      }),
      { numRuns: 30 },
    );
  });

  test('the book of a ledger lists the entries of an account from any number on, with change and balance', () => {
    const world = make();
    paid(world, ...Array.from({ length: 130 }, () => 2));
    world.transact(() => post(world, { reason: 'hold', cause: 'c', lines: [usd('a', -60), usd('a', 60, 'held')] }));
    const book = readBook(world);
    const account = book.accounts.get('a');
    if (!account) throw new Error('the book has no account a');
    expect(book.entries(account, 127, 131).map(({ change, after }) => [change, after])).toEqual([
      [
        { available: 2, held: 0 },
        { available: 256, held: 0 },
      ],
      [
        { available: 2, held: 0 },
        { available: 258, held: 0 },
      ],
      [
        { available: 2, held: 0 },
        { available: 260, held: 0 },
      ],
      [
        { available: -60, held: 60 },
        { available: 200, held: 60 },
      ],
    ]);
  });

  test('the book of a ledger reads each posting once, and later postings when it is read again', () => {
    const world = make();
    paid(world, 5, 6);
    const book = readBook(world);
    expect(book.size).toBe(2);
    paid(world, 7);
    expect(readBook(world)).toBe(book);
    expect([book.size, book.accounts.get('a')?.available]).toEqual([3, 18]);
  });

  test('the book of a ledger drops a posting whose transaction was rolled back', () => {
    const world = make();
    paid(world, 5);
    const before = readBook(world);
    expect(() =>
      world.transact(() => {
        paid(world, 6);
        readBook(world);
        throw new Error('refused');
      }),
    ).toThrow('refused');
    const book = readBook(world);
    expect(book === before).toBe(false);
    expect([book.size, book.accounts.get('a')?.available]).toEqual([1, 5]);
  });
});

describe('the rules of a ledger', () => {
  test('the rules of a ledger all hold for ordinary postings', () => {
    const world = make();
    paid(world, 5, 6, 7);
    expect(broken(world)).toEqual({});
  });

  test('the audit of a ledger names the posting whose lines do not sum to zero', () => {
    const world = make();
    paid(world, 5);
    forge(world, 'lopsided', [usd('outside:x:USD', -3), usd('a', 4)]);
    expect(broken(world)).toEqual({
      balanced: [['Posting:lopsided', undefined]],
      balances: [
        ['Posting:lopsided', 'outside:x:USD'],
        ['Posting:lopsided', 'a'],
      ],
    });
  });

  test('the audit of a ledger names the posting that took an account of the sandbox below zero, though it recovered', () => {
    const world = make();
    forge(world, 'overdrawing', [usd('a', -3), usd('outside:x:USD', 3)]);
    forge(world, 'recovering', [usd('outside:x:USD', -3), usd('a', 3)]);
    world.transact(() => {
      for (const id of ['a', 'outside:x:USD']) world.rows(BALANCES).insert({ id, available: 0, held: 0 });
    });
    expect(broken(world)).toEqual({ covered: [['Posting:overdrawing', 'a']] });
  });

  test('the audit of a ledger names the account whose balance is not the sum of its lines, and its newest posting', () => {
    const world = make();
    const [, newest] = paid(world, 5, 6);
    world.transact(() => world.rows(BALANCES).put({ id: 'a', available: 12, held: 0 }));
    expect(broken(world)).toEqual({ balances: [[newest?.id, 'a']], zero: [[newest?.id, 'a']] });
  });

  test('the audit of a ledger names a posting to an account in a second currency, and one to an unknown account', () => {
    const world = make();
    paid(world, 5);
    world.transact(() =>
      post(world, {
        reason: 'pay',
        cause: 'c',
        lines: [
          { account: 'outside:x:EUR', currency: 'EUR', amount: -1 },
          { account: 'a', currency: 'EUR', amount: 1 },
        ],
      }),
    );
    const [first, second] = [...world.rows(POSTINGS).rows()];
    const found = broken(world, (account) => (account === 'a' ? undefined : 'USD'));
    expect(found['currency']).toEqual([[second?.id, 'a']]);
    expect(found['known']).toEqual([[first?.id, 'a']]);
  });
});

describe('a posting as moves', () => {
  test('a posting is shown as moves from payer to payee, currency by currency', () => {
    const lines = [
      usd('outside:transit:USD', -100),
      usd('outside:fees:USD', 3),
      usd('outside:exchange:USD', 97),
      { account: 'outside:exchange:EUR', currency: 'EUR', amount: -90 },
      { account: 'outside:payout:EUR', currency: 'EUR', amount: 90 },
    ];
    expect(movesOf({ lines })).toEqual([
      { from: 'outside:transit:USD', to: 'outside:fees:USD', amount: 3, currency: 'USD' },
      { from: 'outside:transit:USD', to: 'outside:exchange:USD', amount: 97, currency: 'USD' },
      { from: 'outside:exchange:EUR', to: 'outside:payout:EUR', amount: 90, currency: 'EUR' },
    ]);
  });

  test('a move within one account names the held side, and a move without a counterpart has one side only', () => {
    expect(movesOf({ lines: [usd('a', -5), usd('a', 5, 'held')] })).toEqual([
      { from: 'a', to: 'a', toPart: 'held', amount: 5, currency: 'USD' },
    ]);
    expect(movesOf({ lines: [usd('a', -5), usd('b', 3)] })).toEqual([
      { from: 'a', to: 'b', amount: 3, currency: 'USD' },
      { from: 'a', amount: 2, currency: 'USD' },
    ]);
  });
});
