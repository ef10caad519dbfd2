import { describe, expect, test } from 'vitest';
import { ANY_FAILURE, FAILURES } from '../../src/areas/transactions/schema.ts';
import { type MoneyKit, moneyKit } from '../kit/money.ts';

const HELD = {
  scenario: {
    platform: { currencies: ['USD', 'EUR'].map((code) => ({ code })) },
    policies: { 'transaction.process': 'hold', 'transaction.settle': 'hold' },
  },
};

async function payout(it: MoneyKit) {
  const { id } = await it.funded('USD', 10_000);
  const { body } = await it.post('/transfer-out', {
    source: { accountId: id },
    destination: { accountId: it.bank('USD').id },
    amount: 3000,
  });
  return { account: id, id: body.id };
}
const decide = (it: MoneyKit, id: string, outcome: string, reason?: string) =>
  it.control('POST', `/transactions/${id}/outcome`, { outcome, ...(reason ? { reason } : {}) });

describe('POST /_emulator/transactions/{id}/outcome', () => {
  test('a held payout is completed and then returned by decisions, and is refunded once', async () => {
    const it = await moneyKit(HELD);
    const { account, id } = await payout(it);
    await it.advance('P1D');
    expect((await decide(it, id, 'COMPLETED')).body.status).toBe('COMPLETED');
    expect((await decide(it, id, 'FAILED')).status).toBe(409);
    expect((await decide(it, id, 'RETURNED')).body).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      refund: { status: 'COMPLETED' },
    });
    expect((await decide(it, id, 'RETURNED')).status).toBe(409);
    expect(await it.balance(account)).toBe(10_000);
    expect(it.story()).toEqual([
      'OUT.PENDING',
      'OUT',
      'BALANCE 7000',
      'OUT.PROCESSING',
      'OUT.COMPLETED',
      'OUT.FAILED',
      'OUT.REFUND_PENDING',
      'BALANCE 10000',
      'OUT.REFUND_COMPLETED',
    ]);
  });

  test('a payout from an external source that was not collected fails by decision without a refund, or completes by decision', async () => {
    const it = await moneyKit(HELD);
    const executed = async () => {
      const source = { sourceType: 'ACCOUNT', accountId: it.bank('USD', '002').id };
      const { body } = await it.quote(source, { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id });
      await it.post(`/quotes/${body.id}/execute`);
      return body.transactionId;
    };
    const failed = (await decide(it, await executed(), 'FAILED', 'LIMIT_EXCEEDED')).body;
    expect(failed).toMatchObject({ status: 'FAILED', failureReason: 'LIMIT_EXCEEDED' });
    expect(failed.refund).toBeUndefined();
    expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'OUT.PROCESSING', 'OUT.FAILED']);
    const paid = await executed();
    expect((await decide(it, paid, 'COMPLETED')).body.status).toBe('COMPLETED');
    expect((await decide(it, paid, 'RETURNED')).body.refund.status).toBe('COMPLETED');
    expect((await it.control('GET', '/ledger/check')).body.ok).toBe(true);
  });

  test('a decision fails a payment with the reason that it names, and held jobs have no effect on it any more', async () => {
    const it = await moneyKit(HELD);
    const { account, id } = await payout(it);
    expect((await decide(it, id, 'FAILED', 'LIMIT_EXCEEDED')).body.failureReason).toBe('LIMIT_EXCEEDED');
    for (const { id: job } of (await it.control('GET', '/jobs')).body.data)
      await it.control('POST', `/jobs/${job}/run`);
    expect((await it.transaction(id)).status).toBe('FAILED');
    expect(await it.balance(account)).toBe(10_000);
  });

  test.each(['OUTGOING', 'INCOMING'] as const)(
    'a decision fails an %s payment with each of its own reasons, and is refused with 400 for every other (H7)',
    async (direction) => {
      for (const reason of ANY_FAILURE) {
        const it = await moneyKit(HELD);
        const { id } =
          direction === 'OUTGOING'
            ? await payout(it)
            : (
                await it.post('/transfer-in', {
                  source: { accountId: it.bank('USD').id },
                  destination: { accountId: (await it.account('USD')).id },
                  amount: 500,
                })
              ).body;
        const known: readonly string[] = FAILURES[direction];
        const answer = await decide(it, id, 'FAILED', reason);
        expect([reason, answer.status]).toEqual([reason, known.includes(reason) ? 200 : 400]);
        const { failureReason } = await it.transaction(id);
        expect([reason, failureReason]).toEqual([reason, known.includes(reason) ? reason : undefined]);
      }
    },
  );

  test('a decision is refused with 409 for a payment that was not executed, and with 404 for an unknown one', async () => {
    const it = await moneyKit(HELD);
    const { body } = await it.quote(
      { sourceType: 'ACCOUNT', accountId: (await it.account('USD')).id },
      { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id },
    );
    expect((await decide(it, body.transactionId, 'COMPLETED')).status).toBe(409);
    expect((await decide(it, 'Transaction:x', 'COMPLETED')).status).toBe(404);
  });

  test('a decision completes or fails an incoming payment, and its return is refused with 409', async () => {
    const it = await moneyKit(HELD);
    const { id: account } = await it.account('USD');
    const collect = async () =>
      (
        await it.post('/transfer-in', {
          source: { accountId: it.bank('USD').id },
          destination: { accountId: account },
          amount: 100,
        })
      ).body.id;
    expect((await decide(it, await collect(), 'COMPLETED')).body.status).toBe('COMPLETED');
    expect((await decide(it, await collect(), 'FAILED')).body.status).toBe('FAILED');
    expect((await decide(it, await collect(), 'RETURNED')).status).toBe(409);
    expect(await it.balance(account)).toBe(100);
  });
});

describe('GET /_emulator/transactions/{id}', () => {
  test('a transaction shows its plan, its finished and next steps, and every posting', async () => {
    const it = await moneyKit(HELD);
    const { id } = await payout(it);
    const { body } = await it.control('GET', `/transactions/${id}`);
    expect(body).toMatchObject({ plan: 'out success', done: [], next: ['process', 'complete'] });
    expect(body.transaction).toEqual(await it.transaction(id));
    expect(body.postings).toHaveLength(1);
  });

  test('a transaction shows which magic value, or what else, chose its outcome', async () => {
    const it = await moneyKit({ scenario: { platform: { currencies: [{ code: 'USD' }, { code: 'EUR' }] } } });
    const usd = (await it.funded('USD', 100_000)).id;
    const because = async (id: string) => (await it.control('GET', `/transactions/${id}`)).body.because;
    const out = async (suffix: string) => {
      const bank = it.bank('USD', suffix);
      const sent = { source: { accountId: usd }, destination: { accountId: bank.id }, amount: 100 };
      const { body } = await it.post('/transfer-out', sent);
      return { id: body.id as string, bank: bank.id };
    };
    const good = await out('999');
    expect(await because(good.id)).toBe('no other outcome was requested');
    const bad = await out('004');
    expect(await because(bad.id)).toBe(`the identifier of ${bad.bank} ends in 004`);
    it.sandbox.world.scheduler.sleep();
    const cancelled = await out('004');
    await it.post(`/transactions/${cancelled.id}/cancel`);
    it.sandbox.world.scheduler.wake();
    expect(await because(cancelled.id)).toBe('somebody cancelled it');
    const bank = it.bank('USD', '002');
    const sent = { source: { accountId: bank.id }, destination: { accountId: usd }, amount: 100 };
    const collected = (await it.post('/transfer-in', sent)).body;
    expect(await because(collected.id)).toBe(`the identifier of ${bank.id} ends in 002`);
    const eur = (await it.account('EUR')).id;
    const quote = (
      await it.quote(
        { sourceType: 'ACCOUNT', accountId: it.bank('USD', '003').id },
        { destinationType: 'ACCOUNT', accountId: eur },
      )
    ).body;
    expect(await because(quote.transactionId)).toBeUndefined();
    await it.post(`/quotes/${quote.id}/execute`);
    expect(await because(quote.transactionId)).toMatch(/^the identifier of ExternalAccount:.* ends in 003$/);
    await it.settle();
  });
});
