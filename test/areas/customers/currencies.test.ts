import { describe, expect, test } from 'vitest';
import { moneyKit } from '../../kit/money.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from './material.ts';

const nobody = { customerType: 'INDIVIDUAL' };
const named = { fullName: 'Ada Keller', birthDate: '1990-01-02' };

describe('currencies of a customer who names none (S5)', () => {
  test.each(['spec', 'grid'] as const)(
    'scenario default asks nothing of customers for any currency, profile %s',
    async (profile) => {
      const it = await kit({ profile });
      for (const currency of (await it.get('/config')).body.supportedCurrencies)
        expect(currency).not.toHaveProperty('providerRequiredCustomerFields');
      expect((await it.post('/customers', nobody)).body.currencies).toEqual(['USD', 'USDC', 'USDB']);
    },
  );

  test('they are those whose required fields are all there, and one joins when a change supplies them', async () => {
    const it = await kit({ scenario: asking });
    const { body } = await it.post('/customers', nobody);
    expect(body.currencies).toEqual(['USDC', 'USDB']);
    const accounts = (await it.get('/customers/internal-accounts', { customerId: body.id })).body.data;
    expect(accounts, 'accounts are opened in every configured currency all the same').toHaveLength(3);
    const path = `/customers/${body.id}`;
    expect((await it.patch(path, { fullName: 'Ada Keller' })).body.currencies).toEqual(['USDC', 'USDB']);
    expect((await it.patch(path, { birthDate: '1990-01-02' })).body.currencies).toEqual(['USDC', 'USDB', 'USD']);
    expect((await it.get('/customers', { currency: 'USD' })).body.totalCount).toBe(1);
    expect((await it.post('/customers', { ...nobody, ...named })).body.currencies).toEqual(['USD', 'USDC', 'USDB']);
  });

  test('a list that was named stays as it was named', async () => {
    const it = await kit({ scenario: asking });
    const { id } = (await it.post('/customers', { ...nobody, currencies: ['USDC'] })).body;
    expect((await it.patch(`/customers/${id}`, named)).body.currencies).toEqual(['USDC']);
  });

  test('moving money in another currency is 400 until a change supplies what it requires', async () => {
    const it = await moneyKit({ scenario: asking });
    const { id } = (await it.post('/customers', nobody)).body;
    const usd = await it.account('USD', id);
    const bank = it.bank('USD', '501', { customerId: id });
    const missing = { status: 400, code: 'MISSING_MANDATORY_USER_INFO', fields: ['fullName', 'birthDate'] };
    const own = { accountId: usd.id };
    const asked = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100 };
    const calls: [path: string, body: object, done: number][] = [
      [`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 1000 }, 200],
      ['/transfer-in', { source: { accountId: bank.id }, destination: own, amount: 100 }, 201],
      ['/transfer-out', { source: own, destination: { accountId: bank.id }, amount: 100 }, 201],
      [
        '/quotes',
        {
          source: { sourceType: 'ACCOUNT', ...own },
          destination: { destinationType: 'ACCOUNT', accountId: bank.id },
          ...asked,
        },
        201,
      ],
    ];
    for (const [path, body] of calls) expect(refusal(await it.post(path, body)), path).toEqual(missing);
    const usdc = await it.account('USDC', id);
    expect((await it.post(`/sandbox/internal-accounts/${usdc.id}/fund`, { amount: 1000 })).status).toBe(200);
    await it.patch(`/customers/${id}`, named);
    for (const [path, body, done] of calls) expect((await it.post(path, body)).status, path).toBe(done);
  });
});

describe('the domain of a UMA address', () => {
  test('an address of another domain is refused naming the platform and both ways to set its domain (C7)', async () => {
    const it = await kit();
    const { body } = await it.post('/customers', { ...nobody, umaAddress: '$ada@ada.example' });
    expect(body).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' });
    for (const part of ['pay.example', 'PATCH /config', 'platform.umaDomain']) expect(body.message).toContain(part);
    const [request] = (await it.control('GET', '/requests')).body.data;
    const { why } = (await it.control('GET', `/requests/${request.id}`)).body;
    expect(JSON.stringify(why)).toContain('platform.umaDomain');
    expect(JSON.stringify(why)).toContain('PATCH /config');
    await it.patch('/config', { umaDomain: 'ada.example' });
    expect((await it.post('/customers', { ...nobody, umaAddress: '$ada@ada.example' })).status).toBe(201);
  });
});

describe('a replaced list of currencies', () => {
  test('the request log says what it means for customers to come (C11)', async () => {
    const it = await kit();
    const { status, body } = await it.patch('/config', {
      supportedCurrencies: [{ currencyCode: 'USD' }, { currencyCode: 'EUR' }],
    });
    expect([status, body.supportedCurrencies.length]).toEqual([200, 2]);
    const [request] = (await it.control('GET', '/requests')).body.data;
    const said = (await it.control('GET', `/requests/${request.id}`)).text;
    expect(said).toContain('no account in USDC, USDB, hence no embedded wallet');
    expect(said).toContain('every customer is given an account in EUR');
  });
});
