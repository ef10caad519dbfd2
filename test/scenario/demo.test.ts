import { describe, expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';

const ENDPOINT = 'http://127.0.0.1:9/hooks';

describe('the future of scenario demo (W16)', () => {
  test('scenario demo has events after ten minutes, an hour, a day, three days and a week', async () => {
    const it = await kit({ scenario: 'demo' });
    const moves: Record<string, string[]> = {};
    for (const by of ['10m', '50m', '23h', '2d', '4d']) {
      const { body } = await it.control('POST', '/clock', { advance: by });
      moves[by] = body.ran.map(({ does }: { does: string }) => does);
    }
    expect(moves).toEqual({
      '10m': ['expire the quote of 480.00 EUR for Lighthouse Ceramics Ltd'],
      '50m': ['complete the payment of 450.00 USD by Amara Nwosu'],
      '23h': [
        'complete the payment of 215.00 EUR by Anselm Krüger',
        'fail (account cannot receive) the payment of 80.00 USD by Tomás Herrera',
        'begin to refund (transaction failed) the payment of 80.00 USD by Tomás Herrera',
        'refund the payment of 80.00 USD by Tomás Herrera',
      ],
      '2d': [
        'complete the payment of 524.00 USD by Copperleaf Coffee Roasters LLC',
        'have the bank return (payout returned) the payment of 524.00 USD by Copperleaf Coffee Roasters LLC',
        'begin to refund (transaction failed) the payment of 524.00 USD by Copperleaf Coffee Roasters LLC',
        'refund the payment of 524.00 USD by Copperleaf Coffee Roasters LLC',
      ],
      '4d': ['release what is left of the card payment of 260.00 USD by Kestrel Outdoor Inc'],
    });
    expect((await it.control('GET', '/ledger/check')).body.ok).toBe(true);
  });

  test('the first event of a completed payout in scenario demo is tried again, because its first try fails on purpose', async () => {
    const it = await kit({ scenario: 'demo', webhookUrl: ENDPOINT });
    await it.control('POST', '/clock', { advance: '40m' });
    const { data } = (await it.control('GET', '/webhooks')).body;
    const [completed] = data.filter(({ type }: { type: string }) => type === 'OUTGOING_PAYMENT.COMPLETED');
    expect(completed.attempts[0]).toMatchObject({ status: 503 });
  });

  test('a payout of an agent in scenario demo waits for approval, and two customers wait for a decision', async () => {
    const it = await kit({ scenario: 'demo' });
    const { data } = (await it.get('/agents/approvals')).body;
    expect(data).toMatchObject([{ status: 'PENDING_APPROVAL' }]);
    const pending = (await it.get('/customers')).body.data.filter(
      (one: { kycStatus: string }) => one.kycStatus === 'PENDING',
    );
    expect(pending.length).toBe(2);
  });
});

describe('a payment of a scenario that goes on by itself', () => {
  const account = {
    label: 'bank',
    customer: 'ada',
    currency: 'USD' as const,
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789501',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Keller' },
    },
  };
  const customers = [
    { label: 'ada', customerType: 'INDIVIDUAL' as const, fullName: 'Ada Keller', accounts: { USD: 50000 } },
  ];
  const payment = {
    customer: 'ada',
    currency: 'USD' as const,
    amount: 1000,
    to: 'bank',
    status: 'PROCESSING' as const,
  };
  const start = (more: object) =>
    kit({ scenario: { customers, externalAccounts: [account], transactions: [{ ...payment, ...more }] } });

  test.each([
    ['COMPLETED', { in: '6h' }],
    ['COMPLETED', { in: 'PT6H', ago: '2d' }],
    ['FAILED', { in: '6h', outcome: 'FAILED' }],
    ['FAILED', { in: '6h', outcome: 'RETURNED' }],
  ] as const)(
    'a PROCESSING payment of a scenario is %s six hours after the start, and not before: %j',
    async (status, more) => {
      const it = await start(more);
      const read = async () => (await it.get('/transactions')).body.data[0].status;
      await it.control('POST', '/clock', { advance: '5h' });
      expect(await read()).toBe('PROCESSING');
      await it.control('POST', '/clock', { advance: '70m' });
      expect(await read()).toBe(status);
    },
  );

  test('a PROCESSING payment of a scenario goes on when its scenario says, whatever the policies say', async () => {
    const it = await kit({
      scenario: {
        policies: { 'transaction.settle': 'hold' },
        customers,
        externalAccounts: [account],
        transactions: [{ ...payment, in: '1h' }],
      },
    });
    await it.control('POST', '/clock', { advance: '2h' });
    expect((await it.get('/transactions')).body.data[0].status).toBe('COMPLETED');
  });

  test('a PROCESSING payment of a scenario that was decided by hand does not go on later', async () => {
    const it = await start({ in: '6h' });
    const [{ id }] = (await it.get('/transactions')).body.data;
    expect((await it.control('POST', `/transactions/${id}/outcome`, { outcome: 'FAILED' })).status).toBe(200);
    const { body } = await it.control('POST', '/clock', { advance: '1d' });
    expect(body.ran.filter(({ does }: { does: string }) => does.startsWith('complete'))).toEqual([]);
    expect((await it.get(`/transactions/${id}`)).body.status).toBe('FAILED');
  });

  test.each([
    [{ status: 'COMPLETED', in: '6h' }, 'transactions.0.in: only a PROCESSING payment goes on by itself'],
    [{ outcome: 'FAILED' }, 'transactions.0.outcome: say when, with in'],
    [{ in: '366d' }, 'transactions.0.in: is too long: at most 365 days'],
    [{ in: '999999999d' }, 'transactions.0.in: is too long: at most 365 days'],
  ])('a payment of a scenario is refused with %j', async (more, message) => {
    await expect(start(more)).rejects.toThrow(message);
  });
});
