import { describe, expect, test } from 'vitest';
import { rateBetween } from '../../../src/areas/rates/index.ts';
import { CURRENCIES } from '../../../src/contract/money.ts';
import { moneyKit } from '../../kit/money.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

const PATH = '/exchange-rates';
interface Row {
  sourceCurrency: { code: string };
  destinationCurrency: { code: string };
  destinationPaymentRail: string;
  sendingAmount: number;
  receivingAmount: number;
}
const lines = (rows: Row[]) =>
  rows.map((r) => `${r.sourceCurrency.code}/${r.destinationCurrency.code} ${r.destinationPaymentRail}`);

describe('GET /exchange-rates, 200', () => {
  test('the list of rates has one all-in row per rail of the destination (spec 8)', async () => {
    const { get } = await kit();
    const { status, body } = await get(PATH, { sourceCurrency: 'USD', destinationCurrency: 'EUR' });
    expect(status).toBe(200);
    const row = {
      sourceCurrency: { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 },
      destinationCurrency: { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
      minSendingAmount: 1,
      maxSendingAmount: 100_000_000_000,
      sendingAmount: 10_000,
      receivingAmount: 9154,
      exchangeRate: 1.092419,
      fees: { fixed: 0, total: 50 },
      updatedAt: '2026-01-05T09:00:00.000Z',
    };
    expect(body.data).toEqual([
      { ...row, destinationPaymentRail: 'SEPA' },
      { ...row, destinationPaymentRail: 'SEPA_INSTANT' },
    ]);
  });

  test.each([
    ['USD', 'INR', 10_000, 828_835, 0.01206513],
    ['USD', 'INR', 1000, 82_884, 0.01206505],
    ['USD', 'VND', 10_000, 2_527_300, 0.00003956792],
    ['EUR', 'GBP', 10_000, 8544, 1.170412],
    ['USDC', 'MXN', 1_000_000, 1781, 0.05614823],
    ['BTC', 'USD', 100_000, 11_945, 0.000008371704],
  ])(
    'the rate from %s to %s converts %d minor units into %d',
    async (sourceCurrency, destinationCurrency, sendingAmount, receives, rate) => {
      const { get } = await kit();
      const { body } = await get(PATH, { sourceCurrency, destinationCurrency, sendingAmount });
      expect(body.data[0]).toMatchObject({ sendingAmount, receivingAmount: receives, exchangeRate: rate });
    },
  );

  test('the rate of a large amount is exact to the minor unit, as a quote counts it', async () => {
    const { get } = await kit();
    const query = { sourceCurrency: 'USD', destinationCurrency: 'GBP', sendingAmount: 8_999_999_999_999_999 };
    const [row] = (await get(PATH, query)).body.data;
    expect([row.receivingAmount, row.fees.total]).toEqual([7_074_449_999_999_999, 45_000_000_000_000]);
    const it = await moneyKit();
    const bank = { destinationType: 'ACCOUNT', accountId: it.bank('GBP').id };
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id };
    const most = (await it.get(PATH, { ...query, sendingAmount: 99_999_999_999 })).body.data[0];
    const { body: quote } = await it.quote(source, bank, { lockedCurrencyAmount: 99_999_999_999 });
    expect([quote.totalReceivingAmount, quote.feesIncluded]).toEqual([most.receivingAmount, most.fees.total]);
  });

  test('platform fees of 100 % leave nothing to arrive', async () => {
    const feeConfigs = [
      {
        feeType: 'CROSS_CURRENCY_TRANSACTION',
        sourceCurrency: 'USD',
        variableFeeBps: 10_000,
        fixedFee: { amount: 0, currency: 'USD' },
      },
    ];
    const { get, patch } = await kit();
    expect((await patch('/config', { feeConfigs })).status).toBe(200);
    const { status, body } = await get(PATH, { sourceCurrency: 'USD', destinationCurrency: 'EUR' });
    const [{ receivingAmount, fees, minSendingAmount, maxSendingAmount }] = body.data;
    expect([status, receivingAmount, fees.total]).toEqual([200, 0, 10_050]);
    expect([minSendingAmount, maxSendingAmount]).toEqual([0, 0]);
  });

  test('the list of rates takes several destinations in one call, and shows each once', async () => {
    const { get, call } = await kit();
    const query = 'sourceCurrency=USD&destinationCurrency=MXN&destinationCurrency=SGD&destinationCurrency=MXN';
    const { body } = await call('GET', `${PATH}?${query}`);
    expect(lines(body.data)).toEqual(['USD/MXN SPEI', 'USD/SGD PAYNOW', 'USD/SGD FAST', 'USD/SGD BANK_TRANSFER']);
    expect(lines((await get(PATH, { destinationCurrency: 'GBP' })).body.data)).toEqual([
      'USD/GBP FASTER_PAYMENTS',
      'USDC/GBP FASTER_PAYMENTS',
      'USDB/GBP FASTER_PAYMENTS',
    ]);
  });

  test('the list of rates without a filter leads from every currency of the platform to every currency that a rail reaches', async () => {
    const { get } = await kit();
    const { data } = (await get(PATH)).body as { data: Row[] };
    expect(new Set(data.map((r) => r.sourceCurrency.code))).toEqual(new Set(['USD', 'USDC', 'USDB']));
    expect(new Set(data.map((r) => r.destinationCurrency.code)).size).toBe(36);
    expect(new Set(lines(data)).size).toBe(data.length);
  });

  test('the list of rates has no row from a currency to itself, or to a currency that no rail reaches', async () => {
    const { get } = await kit();
    for (const destinationCurrency of ['USD', 'ARS', 'USDC'])
      expect((await get(PATH, { sourceCurrency: 'USD', destinationCurrency })).body).toEqual({ data: [] });
  });

  test('an amount of zero, or one that fees use up, arrives as zero and still has a rate', async () => {
    const { get, patch } = await kit();
    const query = { sourceCurrency: 'USD', destinationCurrency: 'EUR' };
    expect((await get(PATH, { ...query, sendingAmount: 0 })).body.data[0]).toMatchObject({
      receivingAmount: 0,
      exchangeRate: 1.086957,
    });
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 0 };
    await patch('/config', { feeConfigs: [{ ...fee, fixedFee: { amount: 50, currency: 'USD' } }] });
    expect((await get(PATH, { ...query, sendingAmount: 40 })).body.data[0]).toMatchObject({
      receivingAmount: 0,
      exchangeRate: 1.086957,
    });
  });

  test('the fee of the platform reduces the amount that arrives (spec 8)', async () => {
    const { get, patch } = await kit();
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30 };
    const config = { feeConfigs: [{ ...fee, fixedFee: { amount: 50, currency: 'USD' } }] };
    expect((await patch('/config', config)).status).toBe(200);
    const { body } = await get(PATH, { sourceCurrency: 'USD', destinationCurrency: 'EUR', sendingAmount: 1000 });
    expect(body.data[0].fees).toEqual({ fixed: 50, total: 50 + 3 + 5 });
    expect(body.data[0].receivingAmount).toBe(867);
  });

  test('the list of rates is refreshed every five minutes, with the same rates', async () => {
    const { get, advance } = await kit();
    const at = async () => (await get(PATH, { sourceCurrency: 'USD', destinationCurrency: 'MXN' })).body.data[0];
    const first = await at();
    await advance('PT4M59S');
    expect(await at()).toEqual(first);
    await advance('PT1S');
    expect(await at()).toEqual({ ...first, updatedAt: '2026-01-05T09:05:00.000Z' });
  });
});

describe('GET /exchange-rates, refused', () => {
  test('the list of rates is refused with 400 INVALID_CURRENCY for an unknown currency code', async () => {
    const { get } = await kit();
    for (const query of [{ sourceCurrency: 'usd' }, { destinationCurrency: 'XYZ' }] as Record<string, string>[])
      expect(refusal(await get(PATH, query))).toEqual({
        status: 400,
        code: 'INVALID_CURRENCY',
        fields: Object.keys(query),
      });
  });

  test('the list of rates is refused with 400 INVALID_INPUT for an invalid amount', async () => {
    const { get } = await kit();
    for (const sendingAmount of ['-1', '1.5', 'x', '9999999999999999'])
      expect(refusal(await get(PATH, { sendingAmount }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['sendingAmount'],
      });
  });

  test('the list of rates is refused with 401 without credentials', async () => {
    const { call } = await kit();
    expect((await call('GET', PATH, undefined, { as: null })).status).toBe(401);
  });
});

describe('rates', () => {
  test.each([...CURRENCIES.values()].map((c) => [c.code, c.perUsd] as const))(
    'one US dollar is worth the fixed amount of %s',
    async (code, perUsd) => {
      const { world } = (await kit()).sandbox;
      expect(rateBetween(world, 'USD', code)).toBeCloseTo(perUsd, 9);
      expect(rateBetween(world, 'USD', code) * rateBetween(world, code, 'USD')).toBeCloseTo(1, 8);
      expect(rateBetween(world, code, code)).toBe(1);
    },
  );

  test('a scenario fixes the rates of its pairs, of their reverse, and of pairs that go through the dollar', async () => {
    const { world } = (await kit({ scenario: { rates: { 'USD/EUR': 0.8, 'MXN/USD': 0.05, 'EUR/GBP': 0.9 } } })).sandbox;
    expect(rateBetween(world, 'USD', 'EUR')).toBe(0.8);
    expect(rateBetween(world, 'EUR', 'USD')).toBe(1.25);
    expect(rateBetween(world, 'USD', 'MXN')).toBe(20);
    expect(rateBetween(world, 'EUR', 'MXN')).toBe(25);
    expect(rateBetween(world, 'EUR', 'GBP')).toBe(0.9);
    expect(rateBetween(world, 'USD', 'GBP')).toBe(0.79);
  });

  test('a rate has ten significant digits and no more', async () => {
    const { world } = (await kit()).sandbox;
    expect(rateBetween(world, 'EUR', 'GBP')).toBe(0.8586956522);
    expect(rateBetween(world, 'USD', 'BTC')).toBe(0.000008330001333);
  });

  test.each([
    [{ rates: { 'USD/XYZ': 1 } }, /XYZ is not a currency/],
    [{ rates: { USDEUR: 1 } }, /rates.USDEUR/],
    [{ rates: { 'USD/EUR': 0 } }, /rates/],
  ])('a scenario with %o is refused', async (scenario, message) => {
    await expect(kit({ scenario })).rejects.toThrow(message);
  });
});

describe('GET /exchange-rates, 400', () => {
  test('an amount that converts to more than a number holds is refused with 400 AMOUNT_OUT_OF_RANGE, whatever the currencies (H2)', async () => {
    const { get } = await kit();
    for (const query of [{}, { sourceCurrency: 'USD' }, { sourceCurrency: 'USD', destinationCurrency: 'VND' }])
      for (const sendingAmount of ['99999999999999', '8999999999999999', '9000000000000000']) {
        const answer = await get(PATH, { ...query, sendingAmount });
        expect(refusal(answer)).toEqual({ status: 400, code: 'AMOUNT_OUT_OF_RANGE', fields: ['sendingAmount'] });
      }
    expect(
      (await get(PATH, { sourceCurrency: 'USD', destinationCurrency: 'VND', sendingAmount: 90_000_000_000 })).status,
    ).toBe(200);
  });
});
