import { describe, expect, test } from 'vitest';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });
const CODES = ['USD', 'EUR', 'MXN', 'USDC'].map((code) => ({ code }));

/** Ana with 1000.00 dollars, on a platform with limits. */
async function limited(limits: object) {
  const it = await moneyKit({ scenario: { platform: { currencies: CODES }, limits } });
  return { it, usd: (await it.funded('USD', 100_000)).id as string };
}

const paid = async (it: MoneyKit, from: string, currency: string, amount: number) => {
  const { body } = await it.quote(account(from), to(it.bank(currency).id), { lockedCurrencyAmount: amount });
  return it.post(`/quotes/${body.id}/execute`);
};
const out = (it: MoneyKit, from: string, amount: number) =>
  it.post('/transfer-out', { source: { accountId: from }, destination: { accountId: it.bank('USD').id }, amount });

describe('limits.transactionSize (reference 17)', () => {
  test('a quote or a payout above transactionSize is refused with 400 TRANSACTION_SIZE_LIMIT_EXCEEDED, one at the limit is not', async () => {
    const { it, usd } = await limited({ transactionSize: { USD: 20_000 } });
    const quote = (amount: number) => it.quote(account(usd), to(it.bank('EUR').id), { lockedCurrencyAmount: amount });
    expect((await quote(20_000)).status).toBe(201);
    const refused = await quote(20_001);
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED' });
    expect(refused.body.details).toEqual({ limit: 20_000, amount: 20_001 });
    expect((await out(it, usd, 20_000)).status).toBe(201);
    expect(refusal(await out(it, usd, 20_001))).toMatchObject({
      status: 400,
      code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED',
    });
  });

  test('a limit of one corridor leaves the others alone, and counts what is sent when the receiving side is locked', async () => {
    const { it, usd } = await limited({ transactionSize: { 'USD/EUR': 10_000 } });
    const quote = (currency: string, more: object) => it.quote(account(usd), to(it.bank(currency).id), more);
    expect((await quote('MXN', {})).status).toBe(201);
    const receiving = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 9_200 };
    expect(refusal(await quote('EUR', receiving)).code).toBe('TRANSACTION_SIZE_LIMIT_EXCEEDED');
    expect((await quote('EUR', { ...receiving, lockedCurrencyAmount: 9_000 })).status).toBe(201);
  });
});

describe('limits.dailyVolume (reference 9.9, 17)', () => {
  test('an execution above dailyVolume is refused with 429 DAILY_VOLUME_LIMIT_EXCEEDED and moves nothing, until the next UTC day', async () => {
    const { it, usd } = await limited({ dailyVolume: { USD: 30_000 } });
    expect((await paid(it, usd, 'EUR', 20_000)).status).toBe(200);
    const refused = await paid(it, usd, 'MXN', 10_001);
    expect(refusal(refused)).toMatchObject({ status: 429, code: 'DAILY_VOLUME_LIMIT_EXCEEDED' });
    expect(refused.body.details).toEqual({ limit: 30_000, amount: 10_001, day: '2026-01-05' });
    expect(refusal(await out(it, usd, 10_001))).toMatchObject({ status: 429, code: 'DAILY_VOLUME_LIMIT_EXCEEDED' });
    const immediate = { lockedCurrencyAmount: 10_001, immediatelyExecute: true };
    expect(refusal(await it.quote(account(usd), to(it.bank('EUR').id), immediate))).toMatchObject({
      status: 429,
      code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
    });
    expect((await out(it, usd, 10_000)).status).toBe(201);
    expect(await it.balance(usd)).toBe(70_000);
    await it.advance('PT14H59M59S');
    expect(refusal(await out(it, usd, 1)).status).toBe(429);
    await it.advance('PT1S');
    expect((await out(it, usd, 30_000)).status).toBe(201);
  });

  test('a payment that was refused does not count towards dailyVolume, a payment that comes back does', async () => {
    const { it, usd } = await limited({ dailyVolume: { 'USD/USD': 90_000 } });
    await out(it, usd, 80_000);
    expect(refusal(await out(it, usd, 10_000 + 10_001)).code).toBe('DAILY_VOLUME_LIMIT_EXCEEDED');
    expect((await out(it, usd, 10_000)).status).toBe(201);
    const other = await limited({ dailyVolume: { USD: 5000 } });
    const bad = other.it.bank('USD', '004').id;
    const body = { source: { accountId: other.usd }, destination: { accountId: bad }, amount: 5000 };
    await other.it.post('/transfer-out', body);
    await other.it.settle();
    expect(await other.it.balance(other.usd)).toBe(100_000);
    expect((await out(other.it, other.usd, 1)).status).toBe(429);
  });

  test('a payment whose funds were pushed is not refused: it fails with LIMIT_EXCEEDED and is refunded', async () => {
    const { it } = await limited({ dailyVolume: { USDC: 1_000_000 } });
    const source = {
      sourceType: 'REALTIME_FUNDING',
      currency: 'USDC',
      cryptoNetwork: 'BASE',
      customerId: it.customer.id,
    };
    const { body } = await it.quote(source, to(it.bank('MXN').id), { lockedCurrencyAmount: 1_000_001 });
    expect((await it.post('/sandbox/send', { quoteId: body.id, currencyCode: 'USDC' })).status).toBe(200);
    await it.settle();
    expect(await it.transaction(body.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'LIMIT_EXCEEDED',
      refund: { status: 'COMPLETED' },
    });
    expect(await it.balance((await it.account('USDC')).id)).toBe(1_000_001);
  });
});

test('a limit of an unknown currency is refused as an error of the scenario', async () => {
  const scenario = { limits: { dailyVolume: { 'USD/XXX': 5 } } };
  await expect(moneyKit({ scenario })).rejects.toThrow(/limits.dailyVolume/);
});
