import { describe, expect, test } from 'vitest';
import { CARD_PAYMENTS } from '../../src/areas/transactions/index.ts';
import { POSTINGS } from '../../src/ledger/ledger.ts';
import { cardKit } from '../kit/cards.ts';
import { moneyKit } from '../kit/money.ts';

/** Ana has 500 USD, and pays 200 of them to her bank in euros. */
async function paid() {
  const it = await moneyKit({ now: '2026-01-05T09:00:00Z', holdClock: true });
  const own = await it.funded('USD', 50_000);
  const bank = it.bank('EUR');
  const quote = await it.quote(
    { sourceType: 'ACCOUNT', accountId: own.id },
    { destinationType: 'ACCOUNT', accountId: bank.id, currency: 'EUR' },
  );
  await it.post(`/quotes/${quote.body.id}/execute`);
  await it.settle();
  return { ...it, own, quote: quote.body };
}

describe('GET /_emulator/ledger', () => {
  test('the ledger lists postings newest first as moves, each with the balances of both accounts after it', async () => {
    const it = await paid();
    const { body } = await it.control('GET', `/ledger?cause=${it.quote.transactionId}`);
    expect(body.totalCount).toBe(2);
    const [settlement, debit] = body.data;
    expect(debit).toMatchObject({
      reason: 'debit',
      at: '2026-01-05T09:00:00.000Z',
      cause: it.quote.transactionId,
      moves: [
        {
          from: it.own.id,
          to: 'outside:transit:USD',
          amount: 20_000,
          currency: 'USD',
          fromBalance: { available: 30_000, held: 0, total: 30_000 },
          toBalance: { available: 20_000, held: 0, total: 20_000 },
        },
      ],
    });
    expect(settlement.moves.map(({ from, to }: { from: string; to: string }) => [from, to])).toContainEqual([
      'outside:exchange:EUR',
      'outside:payout:EUR',
    ]);
    expect(settlement.moves.at(-1).toBalance.total).toBe(it.quote.totalReceivingAmount);
  });

  test('the ledger pages over every posting once, and refuses an unknown cursor with 400', async () => {
    const it = await paid();
    const whole = (await it.control('GET', '/ledger?limit=100')).body;
    const numbers: number[] = [];
    let cursor = '';
    do {
      const { body } = await it.control('GET', `/ledger?limit=2${cursor}`);
      numbers.push(...body.data.map(({ number }: { number: number }) => number));
      cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(numbers).toEqual(whole.data.map(({ number }: { number: number }) => number));
    expect(numbers.at(-1)).toBe(1);
    expect((await it.control('GET', '/ledger?cursor=nonsense')).status).toBe(400);
  });
});

describe('GET /_emulator/ledger/accounts/{id}', () => {
  test('the statement of an account shows its balance, each entry with change and balance after it, and the course', async () => {
    const it = await paid();
    const { body } = await it.control('GET', `/ledger/accounts/${it.own.id}`);
    expect(body).toMatchObject({
      id: it.own.id,
      owner: it.customer.id,
      outside: false,
      currency: 'USD',
      balance: { available: 30_000, held: 0, total: 30_000 },
      entries: {
        totalCount: 2,
        data: [
          { number: 2, reason: 'debit', change: { total: -20_000 }, balance: { total: 30_000 } },
          { number: 1, reason: 'sandbox funding', change: { total: 50_000 }, balance: { total: 50_000 } },
        ],
      },
    });
    expect(body.course.map(({ available }: { available: number }) => available)).toEqual([50_000, 30_000]);
  });

  test('the statement of an unused account is empty, that of an outside account says so, and that of an unknown one is 404', async () => {
    const it = await paid();
    const euros = await it.account('EUR');
    expect((await it.control('GET', `/ledger/accounts/${euros.id}`)).body).toMatchObject({
      balance: { total: 0 },
      entries: { totalCount: 0, data: [] },
      course: [],
    });
    expect((await it.control('GET', '/ledger/accounts/outside:funding:USD')).body).toMatchObject({
      owner: 'funding',
      outside: true,
      balance: { total: -50_000 },
    });
    expect((await it.control('GET', '/ledger/accounts/InternalAccount:none')).status).toBe(404);
  });
});

describe('GET /_emulator/ledger/check', () => {
  test('the check of the ledger shows for each currency that the balances of all sides sum to zero', async () => {
    const it = await paid();
    const { body } = await it.control('GET', '/ledger/check');
    expect(body.ok).toBe(true);
    expect(body.currencies.map(({ currency, sum }: { currency: string; sum: number }) => [currency, sum])).toEqual([
      ['EUR', 0],
      ['USD', 0],
    ]);
    const usd = body.currencies[1].sides;
    expect(usd.find(({ name }: { name: string }) => name === 'customers')).toEqual({
      name: 'customers',
      outside: false,
      accounts: 1,
      available: 30_000,
      held: 0,
      total: 30_000,
    });
    expect(body.invariants.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
      ['balanced', true],
      ['zero', true],
      ['balances', true],
      ['covered', true],
      ['currency', true],
      ['known', true],
      ['cards', true],
    ]);
  });

  test('the check of the ledger names a planted posting that does not balance', async () => {
    const it = await paid();
    it.oddRows();
    const { world } = it.sandbox;
    await it.control('GET', '/ledger/check');
    world.transact(() =>
      world.rows(POSTINGS).insert({
        id: 'Posting:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11',
        at: world.clock.iso(),
        reason: 'planted',
        cause: it.own.id,
        lines: [{ account: it.own.id, currency: 'USD', amount: 7 }],
      }),
    );
    const { body } = await it.control('GET', '/ledger/check');
    expect(body.ok).toBe(false);
    expect(body.invariants[0]).toEqual({
      name: 'balanced',
      says: 'The lines of every posting sum to zero in each currency',
      ok: false,
      count: 1,
      broken: [
        { posting: 'Posting:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11', message: 'its lines sum to 7 USD, not to zero' },
      ],
    });
    expect(body.invariants[2]).toMatchObject({
      name: 'balances',
      ok: false,
      broken: [{ posting: 'Posting:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11', account: it.own.id }],
    });
    world.transact(() => world.rows(POSTINGS).remove('Posting:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'));
    expect((await it.control('GET', '/ledger/check')).body.ok).toBe(true);
  });

  test('the check of the ledger names a card payment whose row and postings disagree about its return (X14)', async () => {
    const it = await cardKit();
    const { world } = it.sandbox;
    const card = await it.card();
    const payment = await it.pay(card, 4200);
    await it.tell(card, 'clearing', { cardTransactionId: payment.id, amount: 4200 });
    expect((await it.tell(card, 'return', { cardTransactionId: payment.id, amount: 1000 })).status).toBe(202);
    const rule = async () => (await it.control('GET', '/ledger/check')).body.invariants.at(-1);
    expect(await rule()).toMatchObject({ name: 'cards', ok: true, count: 0 });
    it.oddRows();
    const row = world.rows(CARD_PAYMENTS).get(payment.id);
    if (row?.type !== 'CARD') throw new Error('there is no such payment');
    world.transact(() => world.rows(CARD_PAYMENTS).put({ ...row, refunded: 1100 }));
    const [posting] = world.rows(POSTINGS).all('cause', payment.id).slice(-1);
    expect(await rule()).toMatchObject({
      ok: false,
      count: 1,
      broken: [
        {
          posting: posting?.id,
          account: it.accounts['USD'].id,
          message: `${payment.id}: its available lines sum to -32.00 USD, and it says -31.00 USD`,
        },
      ],
    });
    world.transact(() => world.rows(CARD_PAYMENTS).put(row));
    expect((await rule()).ok).toBe(true);
  });

  test.each(['demo', 'payouts', 'cards', 'agents', 'wallet', 'stablecoins', 'regulated', 'failures'])(
    'the check of the ledger finds nothing in scenario %s',
    async (scenario) => {
      const it = await moneyKit({ scenario });
      expect(
        (await it.control('GET', '/ledger/check')).body.invariants.filter(({ ok }: { ok: boolean }) => !ok),
      ).toEqual([]);
    },
  );
});
