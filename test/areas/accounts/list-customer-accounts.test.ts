import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../../src/contract/money.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

const person = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02' };

describe('GET /customers/internal-accounts, 200', () => {
  test('a customer has one account per configured currency, of the type of its money and empty at first (spec 2.1 rule 2)', async () => {
    const { post, get } = await kit();
    const { id } = (await post('/customers', person)).body;
    const { body } = await get('/customers/internal-accounts', { customerId: id });
    expect(body).toMatchObject({ hasMore: false, totalCount: 3 });
    expect(body).not.toHaveProperty('nextCursor');
    const shown = Object.fromEntries(
      body.data.map((a: { type: string; balance: { currency: { code: string } } }) => [a.balance.currency.code, a]),
    );
    for (const [code, type, decimals] of [
      ['USD', 'INTERNAL_FIAT', 2],
      ['USDC', 'INTERNAL_CRYPTO', 6],
      ['USDB', 'EMBEDDED_WALLET', 6],
    ] as const)
      expect(shown[code]).toMatchObject({
        id: expect.stringMatching(/^InternalAccount:[0-9a-f-]{36}$/),
        customerId: id,
        type,
        status: 'ACTIVE',
        balance: { amount: 0, currency: { code, decimals } },
        totalBalance: { amount: 0, currency: { code, decimals } },
        createdAt: '2026-01-05T09:00:00.000Z',
      });
  });

  test('internal accounts of customers say how to fund them, the same way every time', async () => {
    const { post, get } = await kit();
    await post('/customers', person);
    const first = (await get('/customers/internal-accounts')).body;
    expect((await get('/customers/internal-accounts')).body).toEqual(first);
    const byCode = (code: string) =>
      first.data.find((a: { balance: { currency: { code: string } } }) => a.balance.currency.code === code);
    expect(byCode('USD').fundingPaymentInstructions).toMatchObject([
      {
        isPlatformAccount: false,
        accountOrWalletInfo: {
          accountType: 'USD_ACCOUNT',
          paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
          reference: expect.stringMatching(/^FUND-/),
        },
      },
    ]);
    expect(
      byCode('USDC').fundingPaymentInstructions.map(
        (way: { accountOrWalletInfo: { accountType: string } }) => way.accountOrWalletInfo.accountType,
      ),
    ).toEqual(['SOLANA_WALLET', 'BASE_WALLET', 'POLYGON_WALLET', 'ETHEREUM_WALLET']);
    expect(byCode('USDB').fundingPaymentInstructions).toEqual([]);
  });

  test('every currency that the service knows can be configured and has its internal accounts listed', async () => {
    const codes = [...CURRENCIES.keys()];
    const { post, get } = await kit({ scenario: { platform: { currencies: codes.map((code) => ({ code })) } } });
    await post('/customers', { customerType: 'BUSINESS' });
    const { body } = await get('/customers/internal-accounts', { limit: 100 });
    expect(new Set(body.data.map((a: { balance: { currency: { code: string } } }) => a.balance.currency.code))).toEqual(
      new Set(codes),
    );
    expect((await get('/platform/internal-accounts')).body.data).toHaveLength(codes.length);
  });

  test('the list of customer accounts filters by customer, currency and type, alone and together, and never shows an account of the platform', async () => {
    const { post, get } = await kit();
    const a = (await post('/customers', person)).body.id;
    const b = (await post('/customers', { customerType: 'BUSINESS' })).body.id;
    const total = async (query: Record<string, string>) =>
      (await get('/customers/internal-accounts', query)).body.totalCount;
    expect(await total({})).toBe(6);
    expect(await total({ customerId: a })).toBe(3);
    expect(await total({ currency: 'USDC' })).toBe(2);
    expect(await total({ type: 'EMBEDDED_WALLET' })).toBe(2);
    expect(await total({ type: 'EMBEDDED_WALLET', currency: 'USD' })).toBe(0);
    expect(await total({ customerId: b, currency: 'USD', type: 'INTERNAL_FIAT' })).toBe(1);
    expect(await total({ customerId: 'platform' })).toBe(0);
    expect(await total({ customerId: 'Customer:none' })).toBe(0);
    expect(await total({ currency: 'EUR' })).toBe(0);
  });

  test('pages of the list of customer accounts hold every account once (spec 2.7)', async () => {
    const { post, get } = await kit();
    for (let i = 0; i < 4; i += 1) await post('/customers', { customerType: 'BUSINESS' });
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await get('/customers/internal-accounts', { limit: 5, ...(cursor ? { cursor } : {}) });
      ids.push(...body.data.map((a: { id: string }) => a.id));
      expect(body.totalCount).toBe(12);
      cursor = body.nextCursor;
    } while (cursor);
    expect(new Set(ids).size).toBe(12);
    expect(ids).toHaveLength(12);
  });
});

describe('GET /customers/internal-accounts, 400', () => {
  test.each([
    [{ type: 'WALLET' }, ['type']],
    [{ currency: 'usd' }, ['currency']],
    [{ limit: 0 }, ['limit']],
    [{ limit: 101 }, ['limit']],
    [{ limit: 'ten' }, ['limit']],
    [{ cursor: 'abc' }, ['cursor']],
    [{ cursor: '', limit: -1, type: 'x' }, ['type', 'cursor', 'limit']],
  ])(
    'the list of customer accounts refuses the query %j with 400 INVALID_INPUT and names each bad parameter',
    async (query, fields) => {
      const { get } = await kit();
      const answer = refusal(await get('/customers/internal-accounts', query as Record<string, string>));
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      expect(answer.fields.sort()).toEqual(fields.sort());
    },
  );

  test('the list of customer accounts refuses a cursor of another list with 400', async () => {
    const { post, get } = await kit();
    for (let i = 0; i < 2; i += 1) await post('/customers', { customerType: 'BUSINESS' });
    const { nextCursor } = (await get('/customers', { limit: 1 })).body;
    expect(refusal(await get('/customers/internal-accounts', { cursor: nextCursor }))).toMatchObject({ status: 400 });
  });
});

describe('GET /customers/internal-accounts, 401 and 403', () => {
  test('the list of customer accounts is refused with 401 without credentials, and with 403 without VIEW', async () => {
    const { call } = await kit({ scenario: { credentials: [{ id: 'm', secret: 's', permissions: ['MANAGE'] }] } });
    expect((await call('GET', '/customers/internal-accounts', undefined, { as: null })).status).toBe(401);
    expect((await call('GET', '/customers/internal-accounts')).status).toBe(403);
  });
});
