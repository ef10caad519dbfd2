import { describe, expect, test } from 'vitest';
import { ANY_FAILURE, FAILURES } from '../../src/areas/transactions/schema.ts';
import { kit } from '../kit/sandbox.ts';

const ada = {
  label: 'ada',
  customerType: 'INDIVIDUAL',
  platformCustomerId: 'ada',
  fullName: 'Ada Keller',
  phoneNumber: '+12065550147',
  email: 'ada@example.com',
  accounts: { USD: 100_000, USDB: 0 },
};
const bank = {
  label: 'bank',
  customer: 'ada',
  currency: 'MXN',
  accountInfo: {
    accountType: 'MXN_ACCOUNT',
    clabeNumber: '646180157000004501',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
  },
};
const out = { customer: 'ada', currency: 'USD', amount: 1000, to: 'bank' };
const world = (more: object) => kit({ scenario: ['default', { customers: [ada], externalAccounts: [bank], ...more }] });

describe('payments of the past', () => {
  test('payments of the past are dated, ordered by time whatever the order of the file, and send no events', async () => {
    const it = await world({
      transactions: [
        { ...out, ago: 'PT1H', description: 'second' },
        { ...out, ago: 'P2D', description: 'first' },
        { type: 'INCOMING', customer: 'ada', currency: 'USD', amount: 500, uma: '$pat@wallet.example' },
      ],
    });
    const { data } = (await it.get('/transactions')).body;
    expect(data.map((t: { createdAt: string; description?: string }) => [t.createdAt, t.description])).toEqual([
      ['2026-01-05T09:00:00.000Z', undefined],
      ['2026-01-05T08:00:00.000Z', 'second'],
      ['2026-01-03T09:00:00.000Z', 'first'],
    ]);
    expect((await it.get('/transactions', { startDate: '2026-01-04T00:00:00Z' })).body.totalCount).toBe(2);
    expect(it.events()).toEqual([]);
    expect(it.sandbox.world.clock.state()).toEqual({ now: '2026-01-05T09:00:00.000Z', mode: 'held', speed: 1 });
    const [customer] = (await it.get('/customers')).body.data;
    expect(customer.createdAt < data[2].createdAt).toBe(true);
  });

  test('a UMA address of a payment of the past is kept in lower case, as the API keeps every one', async () => {
    const uma = '$Pat@Wallet.example';
    const it = await world({
      transactions: [{ type: 'INCOMING', customer: 'ada', currency: 'USD', amount: 500, uma }],
    });
    const { data } = (await it.get('/transactions', { senderAccountIdentifier: uma })).body;
    expect(data.map((t: { source: object }) => t.source)).toEqual([
      { sourceType: 'UMA_ADDRESS', umaAddress: '$pat@wallet.example', currency: 'USD' },
    ]);
  });

  test('a payment of the past in another currency has the rate and the fees that a quote would have', async () => {
    const it = await world({
      transactions: [{ ...out, amount: 10_000 }],
      platform: {
        currencies: [{ code: 'USD' }, { code: 'USDB' }],
        fees: [
          {
            feeType: 'CROSS_CURRENCY_TRANSACTION',
            sourceCurrency: 'USD',
            variableFeeBps: 100,
            fixedFee: { amount: 50, currency: 'USD' },
          },
        ],
      },
    });
    const [past] = (await it.get('/transactions')).body.data;
    const [account] = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data;
    const quote = await it.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: account.id },
      destination: { destinationType: 'ACCOUNT', accountId: past.destination.accountId, currency: 'MXN' },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    });
    expect(quote.status, quote.text).toBe(201);
    expect(past).toMatchObject({
      status: 'COMPLETED',
      sentAmount: { amount: 10_000 },
      receivedAmount: { amount: quote.body.totalReceivingAmount },
      fees: quote.body.feesIncluded,
      exchangeRate: quote.body.exchangeRate,
    });
  });

  test.each([
    ['COMPLETED', 99_000],
    ['PROCESSING', 99_000],
    ['PENDING', 99_000],
    ['FAILED', 100_000],
    ['RETURNED', 100_000],
  ])('a payment of the past that is %s leaves %i in its account', async (status, left) => {
    const it = await world({ transactions: [{ ...out, status }] });
    const [past] = (await it.get('/transactions')).body.data;
    expect(past.status).toBe(status === 'RETURNED' ? 'FAILED' : status);
    const [account] = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data;
    expect(account.balance.amount).toBe(left);
  });

  test.each(['OUTGOING', 'INCOMING'] as const)(
    'a failed %s payment of the past has its usual or its given reason, and a reason of the other direction is refused (H7)',
    async (direction) => {
      const past = direction === 'OUTGOING' ? out : { type: 'INCOMING', customer: 'ada', currency: 'USD', amount: 500 };
      const known: readonly string[] = FAILURES[direction];
      for (const reason of [undefined, ...ANY_FAILURE]) {
        const made = world({ transactions: [{ ...past, status: 'FAILED', ...(reason ? { reason } : {}) }] });
        if (reason !== undefined && !known.includes(reason)) {
          await expect(made).rejects.toThrow(`transactions.0.reason: no reason of an ${direction} payment`);
          continue;
        }
        const { data } = (await (await made).get('/transactions')).body;
        expect(data.map((t: { status: string }) => t.status)).toEqual(['FAILED']);
        expect(known).toContain(data[0].failureReason);
        if (reason) expect(data[0].failureReason).toBe(reason);
      }
    },
  );

  test('a payment of the past that is PROCESSING can be decided', async () => {
    const it = await world({ transactions: [{ ...out, status: 'PROCESSING' }] });
    const [{ id }] = (await it.get('/transactions')).body.data;
    expect((await it.control('POST', `/transactions/${id}/outcome`, { outcome: 'FAILED' })).status).toBe(200);
    await it.settle();
    expect((await it.get(`/transactions/${id}`)).body.status).toBe('FAILED');
  });

  test('an incoming payment of the past that is PENDING can be approved', async () => {
    const it = await world({
      transactions: [
        {
          type: 'INCOMING',
          customer: 'ada',
          currency: 'USD',
          amount: 500,
          uma: '$pat@wallet.example',
          status: 'PENDING',
        },
      ],
    });
    const [{ id }] = (await it.get('/transactions')).body.data;
    expect((await it.post(`/transactions/${id}/approve`)).status).toBe(200);
    await it.settle();
    expect((await it.get(`/transactions/${id}`)).body.status).toBe('COMPLETED');
  });

  test('generated payments are spread over the days before the start, with the payments of the file among them', async () => {
    const it = await world({ generate: { transactions: 10, days: 10 }, transactions: [{ ...out, ago: 'P5DT1H' }] });
    const dates = (await it.get('/transactions')).body.data.map((t: { createdAt: string }) => t.createdAt);
    expect(dates).toHaveLength(11);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(dates.at(-1)).toBe('2025-12-26T09:00:00.000Z');
    expect(dates).toContain('2025-12-31T08:00:00.000Z');
  });

  test.each([
    ['an unknown recipient', { ...out, to: 'nobody' }, 'transactions.0.to: no external account has the label nobody'],
    [
      'an unknown payer',
      { ...out, customer: 'bank' },
      'transactions.0.customer: bank is the label of an external account, not of a customer',
    ],
    [
      'no recipient',
      { customer: 'ada', currency: 'USD', amount: 1 },
      'transactions.0: say where it went, with to or uma',
    ],
    [
      'an amount beyond the balance',
      { ...out, amount: 100_001 },
      /transactions\.0: .* holds 1,000.00 USD, less than 1,000.01 USD/,
    ],
    [
      'a status that no payment of its direction has',
      { ...out, status: 'REJECTED' },
      'transactions.0.status: no OUTGOING payment is ever REJECTED',
    ],
    [
      'a currency without an account',
      { ...out, currency: 'EUR' },
      'transactions.0.currency: there is no account in EUR',
    ],
    [
      'a duration that is too long (X12)',
      { ...out, ago: '999999999999999999d' },
      /transactions\.0\.ago: reaches back before 1970; at most 20457 days, for the clock starts at 2026-01-05/,
    ],
    [
      'a text that is not a duration',
      { ...out, ago: 'yesterday' },
      /transactions\.0\.ago: must be a duration such as 2h, 90s, 1h30m, 7d or PT15M/,
    ],
  ])('a payment of the past with %s is refused', async (_, past, message) => {
    await expect(world({ transactions: [past] })).rejects.toThrow(message);
  });
});

describe('customers of a scenario', () => {
  const PINNED = 'Customer:0196b0de-0000-7000-8000-000000000001';

  test('a scenario pins the id of a customer, whatever the seed; a second customer with that id is refused', async () => {
    for (const seed of [1, 2]) {
      const it = await kit({ seed, scenario: ['default', { customers: [{ ...ada, id: PINNED }] }] });
      expect((await it.get(`/customers/${PINNED}`)).body.fullName).toBe('Ada Keller');
    }
    await expect(
      kit({
        scenario: [
          'default',
          {
            customers: [
              { ...ada, id: PINNED },
              { customerType: 'INDIVIDUAL', id: PINNED, fullName: 'Ben' },
            ],
          },
        ],
      }),
    ).rejects.toThrow('customers.1.id: Customer:0196b0de-0000-7000-8000-000000000001 is taken');
    await expect(kit({ scenario: ['default', { customers: [{ ...ada, id: 'Customer:1' }] }] })).rejects.toThrow(
      'customers.0 (ada).id: must look like Customer:<uuid>',
    );
  });

  test.each(['APPROVED', 'PENDING', 'REJECTED'])(
    'a customer of a scenario may start with verification at %s',
    async (kycStatus) => {
      const it = await kit({ scenario: ['default', { customers: [{ ...ada, kycStatus }] }] });
      const [customer] = (await it.get('/customers')).body.data;
      expect(customer.kycStatus).toBe(kycStatus);
      expect(it.events()).toEqual([]);
      if (kycStatus !== 'PENDING') return;
      await it.control('POST', `/customers/${customer.id}/decision`, { decision: 'APPROVED' });
      expect((await it.get(`/customers/${customer.id}`)).body.kycStatus).toBe('APPROVED');
    },
  );

  test('a customer of a scenario may have a wallet with more credentials; SMS_OTP without a phone number is refused', async () => {
    const google = {
      type: 'OAUTH',
      iss: 'https://accounts.google.com',
      aud: 'app',
      sub: '42',
      email: 'ada@mail.example',
    };
    const it = await kit({
      scenario: ['default', { customers: [{ ...ada, credentials: [{ type: 'SMS_OTP' }, google] }] }],
    });
    const [wallet] = (await it.get('/customers/internal-accounts', { currency: 'USDB' })).body.data;
    const { data } = (await it.get('/auth/credentials', { accountId: wallet.id })).body;
    expect(data.map((c: { type: string; nickname: string }) => [c.type, c.nickname]).sort()).toEqual([
      ['EMAIL_OTP', 'ada@example.com'],
      ['OAUTH', 'ada@mail.example'],
      ['SMS_OTP', '+12065550147'],
    ]);
    const { phoneNumber: _, ...mute } = ada;
    await expect(
      kit({ scenario: ['default', { customers: [{ ...mute, credentials: [{ type: 'SMS_OTP' }] }] }] }),
    ).rejects.toThrow('customers.0 (ada).credentials: SMS_OTP needs a phoneNumber');
  });

  test('a scenario gives the platform opening balances', async () => {
    const it = await kit({ scenario: ['default', { platform: { accounts: { USD: 700 } } }] });
    const { data } = (await it.get('/platform/internal-accounts', { currency: 'USD' })).body;
    expect(data[0].balance.amount).toBe(700);
  });
});

test('scenario demo begins with 127 payments of the past in seven statuses, none later than its start, and its books add up', async () => {
  const it = await kit({ scenario: 'demo' });
  const { data, totalCount } = (await it.get('/transactions', { limit: 100 })).body;
  expect(totalCount).toBe(127);
  expect(new Set(data.map((t: { status: string }) => t.status))).toEqual(
    new Set(['AUTHORIZED', 'COMPLETED', 'FAILED', 'PENDING', 'PROCESSING', 'REJECTED', 'SETTLED']),
  );
  const { invariants } = (await it.control('GET', '/ledger/check')).body;
  expect(invariants.length).toBeGreaterThan(3);
  expect(invariants.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  expect(data.every((t: { createdAt: string }) => t.createdAt <= '2026-01-05T09:00:00.000Z')).toBe(true);
});

describe('the ends of time', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a payment before 1970',
      () =>
        kit({
          now: '1971-01-01T00:00:00Z',
          scenario: [
            'default',
            { customers: [ada], externalAccounts: [bank], transactions: [{ ...out, ago: 'P365D' }] },
          ],
        }),
      /transactions\.0\.ago: reaches back before 1970/,
    ],
    [
      'a payment of a thousand years ago',
      () => world({ transactions: [out, { ...out, ago: 'P365000D' }] }),
      /transactions\.1\.ago: reaches back before 1970/,
    ],
    [
      'made-up payments before 1970',
      () => kit({ now: '1970-01-05T00:00:00Z', scenario: ['default', { generate: { transactions: 1, days: 4 } }] }),
      /generate\.days: reaches back before 1970/,
    ],
    ['a clock before 1970', () => kit({ now: '1969-12-31T00:00:00Z' }), /clock\.now: 1969-12-31/],
    ['a clock after its end', () => kit({ now: '9999-01-01T00:00:00Z' }), /clock\.now: 9999-01-01/],
  ])('a scenario with %s is refused, and the refusal names its place', async (_, start, says) => {
    await expect(start()).rejects.toThrow(says);
  });

  test('a scenario works at the first and at the last possible moment', async () => {
    const first = await kit({
      now: '1970-01-02T00:00:01Z',
      scenario: ['default', { customers: [ada], externalAccounts: [bank], transactions: [{ ...out, ago: 'PT1S' }] }],
    });
    expect((await first.get('/transactions')).body.data[0].createdAt).toBe('1970-01-02T00:00:00.000Z');
    const last = await kit({ now: '9998-12-31T23:59:59Z', scenario: ['default', { customers: [ada] }] });
    expect((await last.get('/customers')).body.totalCount).toBe(1);
  });

  test('an opening balance is refused for a customer who has not agreed to the required terms', async () => {
    await expect(world({ platform: { requireEndUserTerms: true } })).rejects.toThrow(
      /customers\.0 \(ada\)\.accounts\.USD: there is no account in USD yet: platform\.requireEndUserTerms/,
    );
  });
});
