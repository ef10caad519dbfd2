import { describe, expect, test } from 'vitest';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const FEE = {
  feeType: 'CROSS_CURRENCY_TRANSACTION',
  sourceCurrency: 'USD',
  variableFeeBps: 30,
  fixedFee: { amount: 50, currency: 'USD' },
};
const only = (...codes: readonly (string | object)[]) => ({
  platform: { currencies: codes.map((code) => (typeof code === 'string' ? { code } : code)) },
});

/** Platforms with limits of every kind, and the corridor that they concern. */
const PLATFORMS: Readonly<Record<string, readonly [scenario: object, from: string, to: string]>> = {
  'nothing configured': [only('USD', 'EUR'), 'USD', 'EUR'],
  'a minimum and a maximum of the amount sent': [
    only({ code: 'USD', minAmount: 500, maxAmount: 10_000 }, 'EUR'),
    'USD',
    'EUR',
  ],
  'a maximum per payment': [{ ...only('USD', 'EUR'), limits: { transactionSize: { USD: 7_001 } } }, 'USD', 'EUR'],
  'a maximum of one corridor': [
    { ...only('USD', 'EUR'), limits: { transactionSize: { 'USD/EUR': 501 } } },
    'USD',
    'EUR',
  ],
  'fees that use up small amounts': [{ platform: { ...only('USD', 'EUR').platform, fees: [FEE] } }, 'USD', 'EUR'],
  'a currency whose smallest unit is worth little': [only('USD', 'EUR'), 'VND', 'USD'],
  'amounts that convert to more than a number holds': [only('USD', { code: 'MXN', maxAmount: 1e15 }), 'USD', 'VND'],
};

const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const verdict = async (asked: ReturnType<MoneyKit['quote']>) => {
  const answer = await asked;
  return answer.status === 201 ? 201 : refusal(answer).code;
};
const REFUSED = /^(?:AMOUNT_OUT_OF_RANGE|TRANSACTION_SIZE_LIMIT_EXCEEDED|INVALID_INPUT)$/;

describe.each(Object.entries(PLATFORMS))('published limits and quotes, with %s', (limits, [scenario, from, to]) => {
  const source = async (it: MoneyKit) => {
    const own = await it.account(from);
    if (own) return account(own.id);
    return account(it.bank('USD', '999', { currency: from }).id);
  };

  test(`with ${limits}, a quote obeys the bounds of GET /exchange-rates, no unit less or more (reference 8.3, 9.9)`, async () => {
    const it = await moneyKit({ scenario });
    const rates = await it.get('/exchange-rates', { sourceCurrency: from, destinationCurrency: to });
    const { minSendingAmount: min, maxSendingAmount: max } = rates.body.data[0];
    const bank = it.bank('USD', '999', { currency: to });
    const quote = async (lockedCurrencyAmount: number) =>
      verdict(it.quote(await source(it), { destinationType: 'ACCOUNT', accountId: bank.id }, { lockedCurrencyAmount }));
    expect([await quote(min), await quote(max)]).toEqual([201, 201]);
    expect(await quote(min - 1)).toMatch(REFUSED);
    expect(await quote(max + 1)).toMatch(REFUSED);
  });

  // The estimate is of the payer's first currency, which is the dollar.
  if (from === 'USD')
    test(`with ${limits}, a receiving lock obeys the bounds of GET /receiver/external-account (reference 8.1, 9.9)`, async () => {
      const it = await moneyKit({ scenario });
      const bank = it.bank('USD', '999', { currency: to });
      const payer = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' })).body;
      await it.settle();
      const { supportedCurrencies } = (await it.get(`/receiver/external-account/${bank.id}`, { customerId: payer.id }))
        .body;
      // The estimate is of the payer's first currency.
      if (from !== 'USD') return;
      const [{ min, max }] = supportedCurrencies;
      const quote = async (lockedCurrencyAmount: number) =>
        verdict(
          it.quote(
            await source(it),
            { destinationType: 'ACCOUNT', accountId: bank.id },
            { lockedCurrencyAmount, lockedCurrencySide: 'RECEIVING' },
          ),
        );
      expect([await quote(min), await quote(max)]).toEqual([201, 201]);
      expect(await quote(min - 1)).toMatch(REFUSED);
      expect(await quote(max + 1)).toMatch(REFUSED);
    });
});

test('a lookup of a customer of this platform leaves out currencies that the platform does not take, and shows its bounds (reference 8.1)', async () => {
  const it = await moneyKit({
    scenario: only(
      { code: 'USD', enabledTransactionTypes: ['OUTGOING'] },
      { code: 'EUR', minAmount: 1000, maxAmount: 2000 },
    ),
  });
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: '$bo@pay.example' };
  await it.post('/customers', sent);
  await it.settle();
  const { body } = await it.get('/receiver/uma/$bo@pay.example', { customerId: it.customer.id });
  expect(body.supportedCurrencies).toMatchObject([{ currency: { code: 'EUR' }, min: 1000, max: 2000 }]);
  const quote = async (currency: string, lockedCurrencyAmount: number) =>
    verdict(
      it.quote(
        account((await it.account('USD')).id),
        { destinationType: 'UMA_ADDRESS', umaAddress: '$bo@pay.example', currency },
        { lookupId: body.lookupId, lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount },
      ),
    );
  expect([await quote('EUR', 1000), await quote('EUR', 2000)]).toEqual([201, 201]);
  expect([await quote('EUR', 999), await quote('EUR', 2001)]).toEqual(['AMOUNT_OUT_OF_RANGE', 'AMOUNT_OUT_OF_RANGE']);
  expect(await quote('USD', 1000)).toBe('INVALID_CURRENCY');
});

test('GET /exchange-rates has no row of a currency that the platform does not send (reference 8.3)', async () => {
  const it = await moneyKit({ scenario: only({ code: 'USD', enabledTransactionTypes: ['INCOMING'] }, 'EUR') });
  for (const query of [
    { destinationCurrency: 'MXN' },
    { sourceCurrency: 'USD', destinationCurrency: 'MXN' },
  ] as const) {
    const { data } = (await it.get('/exchange-rates', query)).body;
    expect(data.some((row: { sourceCurrency: { code: string } }) => row.sourceCurrency.code === 'USD')).toBe(false);
  }
});
