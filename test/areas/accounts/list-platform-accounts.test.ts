import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

describe('GET /platform/internal-accounts, 200', () => {
  test('the platform has one account per configured currency, without a customer and without a wallet', async () => {
    const { get, post } = await kit();
    await post('/customers', { customerType: 'BUSINESS' });
    const { body } = await get('/platform/internal-accounts');
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toMatchObject([
      { type: 'INTERNAL_FIAT', balance: { amount: 0, currency: { code: 'USD' } } },
      { type: 'INTERNAL_CRYPTO', balance: { amount: 0, currency: { code: 'USDC' } } },
      { type: 'INTERNAL_CRYPTO', balance: { amount: 0, currency: { code: 'USDB' } } },
    ]);
    for (const account of body.data) {
      expect(account).not.toHaveProperty('customerId');
      for (const way of account.fundingPaymentInstructions) expect(way.isPlatformAccount).toBe(true);
    }
  });

  test('the list of platform accounts filters by currency and type, alone and together', async () => {
    const { get } = await kit();
    const count = async (query: Record<string, string>) =>
      (await get('/platform/internal-accounts', query)).body.data.length;
    expect(await count({ currency: 'USD' })).toBe(1);
    expect(await count({ currency: 'EUR' })).toBe(0);
    expect(await count({ type: 'INTERNAL_CRYPTO' })).toBe(2);
    expect(await count({ type: 'INTERNAL_CRYPTO', currency: 'USDC' })).toBe(1);
    expect(await count({ type: 'EMBEDDED_WALLET' })).toBe(0);
  });
});

describe('GET /platform/internal-accounts, 400, 401, 403', () => {
  test('the list of platform accounts refuses bad filters with 400 INVALID_INPUT and names each', async () => {
    const { get } = await kit();
    expect(refusal(await get('/platform/internal-accounts', { currency: '$', type: 'x' }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['currency', 'type'],
    });
  });

  test('the list of platform accounts is refused with 401 without credentials, and with 403 without VIEW', async () => {
    const { call } = await kit({ scenario: { credentials: [{ id: 'm', secret: 's', permissions: ['MANAGE'] }] } });
    expect((await call('GET', '/platform/internal-accounts', undefined, { as: null })).status).toBe(401);
    expect((await call('GET', '/platform/internal-accounts')).status).toBe(403);
  });
});
