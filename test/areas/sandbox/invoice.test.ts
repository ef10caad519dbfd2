import { expect, test } from 'vitest';
import { walletKit } from '../../kit/wallet.ts';

async function invoiced() {
  const it = await walletKit({ profile: 'grid' });
  const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
  const { body: quote } = await it.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: it.accountId },
    destination: { destinationType: 'ACCOUNT', accountId: usd.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000_000,
  });
  const held = async (currency: string): Promise<number> => {
    const { body } = await it.get('/customers/internal-accounts', { customerId: it.customerId, currency });
    return body.data[0].balance.amount;
  };
  const balance = async () => ({ USD: await held('USD'), USDB: await held('USDB') });
  return { it, quote, balance };
}

test('in grid a quote from a wallet offers an invoice beside the payload, the same at every reading (C9)', async () => {
  const { it, quote } = await invoiced();
  const [signature, spark] = quote.paymentInstructions;
  expect(signature.accountOrWalletInfo.accountType).toBe('EMBEDDED_WALLET');
  expect(spark).toEqual({
    accountOrWalletInfo: {
      accountType: 'SPARK_WALLET',
      address: expect.stringMatching(/^spark1/),
      assetType: 'USDB',
      invoice: expect.stringMatching(/^sparkrt1/),
    },
    isPlatformAccount: false,
  });
  expect((await it.get(`/quotes/${quote.id}`)).body.paymentInstructions).toEqual(quote.paymentInstructions);
});

test('a payment of the invoice pays the quote without a signature, and takes nothing from the wallet (C9)', async () => {
  const { it, quote, balance } = await invoiced();
  const before = await balance();
  const sent = await it.post('/sandbox/send', { quoteId: quote.id, currencyCode: 'USDB' });
  expect(sent.body).toMatchObject({ status: 'PROCESSING', source: { sourceType: 'REALTIME_FUNDING' } });
  await it.settle();
  expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('COMPLETED');
  expect(await balance()).toEqual({ ...before, USD: before.USD + quote.totalReceivingAmount });
});

test('a payment of another amount than that of the invoice fails, and is refunded to the wallet (C9)', async () => {
  const { it, quote, balance } = await invoiced();
  const before = await balance();
  await it.post('/sandbox/send', { quoteId: quote.id, currencyCode: 'USDB', currencyAmount: 7 });
  await it.settle();
  expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('FAILED');
  expect(await balance()).toEqual({ ...before, USDB: before.USDB + 7 });
});
