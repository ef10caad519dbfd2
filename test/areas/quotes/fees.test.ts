import { expect, test } from 'vitest';
import { POSTINGS } from '../../../src/ledger/ledger.ts';
import { moneyKit } from '../../kit/money.ts';

const PROFILE = ['spec', 'grid'] as const;
const feeConfigs = [
  {
    feeType: 'CROSS_CURRENCY_TRANSACTION',
    sourceCurrency: 'USD',
    variableFeeBps: 30,
    fixedFee: { amount: 7, currency: 'USD' },
  },
];

test.each([
  [undefined, 91_540, 500],
  [0, 92_000, 0],
  [125, 90_850, 1250],
])(
  'a scenario with the service fee %s sends 1000.00 USD as %i cents of a euro, with a fee of %i',
  async (bps, arrives, fee) => {
    const limits = bps === undefined ? {} : { serviceFeeBps: bps };
    const it = await moneyKit({
      scenario: { platform: { currencies: [{ code: 'USD' }, { code: 'EUR' }] }, rates: { 'USD/EUR': 0.92 }, limits },
    });
    const from = await it.funded('USD', 1_000_000);
    const eur = await it.account('EUR');
    const { body: quote } = await it.quote(
      { sourceType: 'ACCOUNT', accountId: from.id },
      { destinationType: 'ACCOUNT', accountId: eur.id },
      { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100_000 },
    );
    expect([quote.totalReceivingAmount, quote.feesIncluded]).toEqual([arrives, fee]);
    expect(quote.rateDetails.serviceApiVariableFeeRate).toBe((bps ?? 50) / 10_000);
  },
);

test.each([
  [1.7173499465, 1_717_349_947],
  [1.7173499464, 1_717_349_946],
  [1.00000000005, 1_000_000_000],
])(
  'a rate of %d is rounded to ten digits as it is written: ten million dollars are %i pence',
  async (rate, arrives) => {
    const platform = { currencies: [{ code: 'USD' as const }, { code: 'GBP' as const }] };
    const it = await moneyKit({ scenario: { platform, rates: { 'USD/GBP': rate }, limits: { serviceFeeBps: 0 } } });
    const from = await it.funded('USD', 1_000_000_000);
    const { body: quote } = await it.quote(
      { sourceType: 'ACCOUNT', accountId: from.id },
      { destinationType: 'ACCOUNT', accountId: (await it.account('GBP')).id },
      { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 1_000_000_000 },
    );
    expect(quote.totalReceivingAmount).toBe(arrives);
  },
);

test.each(PROFILE)(
  'every fee of a quote, its payment and its events is what the ledger charged, in whole minor units, in profile %s (K1, reference 15)',
  async (profile) => {
    for (const withPlatformFee of [false, true]) {
      const it = await moneyKit({ profile });
      if (withPlatformFee) await it.patch('/config', { feeConfigs });
      const from = await it.funded('USD', 1_000_000);
      const eur = await it.account('EUR');
      for (const locked of [99, 101, 1234, 2500, 9_999, 12_345]) {
        for (const side of ['SENDING', 'RECEIVING']) {
          const before = it.sandbox.world.rows(POSTINGS).size;
          const { body: quote } = await it.quote(
            { sourceType: 'ACCOUNT', accountId: from.id },
            { destinationType: 'ACCOUNT', accountId: eur.id },
            { lockedCurrencySide: side, lockedCurrencyAmount: locked },
          );
          await it.post(`/quotes/${quote.id}/execute`);
          await it.settle();
          const payment = await it.transaction(quote.transactionId);
          const details = payment.rateDetails;
          const prefix = profile === 'grid' ? 'gridApi' : 'serviceApi';
          const [variable, fixed] = [details[`${prefix}VariableFeeAmount`], details[`${prefix}FixedFee`]];
          expect(Number.isInteger(variable), `${variable} of ${locked}`).toBe(true);
          expect(details).toEqual(quote.rateDetails);
          expect(payment.fees).toBe(payment.platformFees + fixed + variable);
          expect([quote.feesIncluded, quote.platformFeesIncluded]).toEqual([payment.fees, payment.platformFees]);
          expect([quote.totalSendingAmount, quote.totalReceivingAmount]).toEqual([
            payment.sentAmount.amount,
            payment.receivedAmount.amount,
          ]);
          for (const { type, data } of it.events())
            if (type.startsWith('OUTGOING_PAYMENT') && data.id === payment.id)
              expect([data.rateDetails, data.fees, data.platformFees], type).toEqual([
                details,
                payment.fees,
                payment.platformFees,
              ]);
          const lines = [...it.sandbox.world.rows(POSTINGS).rows()].slice(before).flatMap((posting) => posting.lines);
          const into = (account: string) =>
            lines.reduce((sum, line) => sum + (line.account === account ? line.amount : 0), 0);
          expect(into(from.id)).toBe(-payment.sentAmount.amount);
          expect(into(eur.id)).toBe(payment.receivedAmount.amount);
          const own = await it.account('USD', 'platform');
          expect(into(own.id)).toBe(payment.platformFees);
          expect(into('outside:service-fees:USD')).toBe(fixed + variable);
        }
      }
    }
  },
);

test('a payment whose loaded state has a fraction of a fee shows the fee that was charged (K1)', async () => {
  const it = await moneyKit();
  const from = await it.funded('USD', 10_000);
  const { body: quote } = await it.quote(
    { sourceType: 'ACCOUNT', accountId: from.id },
    { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id },
    { lockedCurrencyAmount: 2500 },
  );
  const charged = quote.rateDetails.serviceApiVariableFeeAmount;
  const state = (await it.control('GET', '/state')).text;
  const older = state.replaceAll(`"serviceApiVariableFeeAmount":${charged}`, '"serviceApiVariableFeeAmount":12.5');
  expect(older).not.toBe(state);
  expect((await it.control('PUT', '/state', JSON.parse(older))).status).toBe(200);
  expect((await it.get(`/quotes/${quote.id}`)).body).toEqual(quote);
  expect((await it.transaction(quote.transactionId)).rateDetails).toEqual(quote.rateDetails);
});
