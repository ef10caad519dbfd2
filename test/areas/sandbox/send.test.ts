import { describe, expect, test } from 'vitest';
import { ACCOUNTS } from '../../../src/areas/accounts/index.ts';
import { QUOTES, quoteOf } from '../../../src/areas/quotes/index.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import { crowd } from '../../kit/crowded.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });
async function waiting(it: MoneyKit, more: object = {}, suffix = '999') {
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id, ...more };
  return (await it.quote(source, to(it.bank('MXN', suffix).id))).body;
}
const send = (it: MoneyKit, quoteId: string, currencyCode = 'USD', currencyAmount?: number) =>
  it.post('/sandbox/send', { quoteId, currencyCode, currencyAmount });

describe('POST /sandbox/send, 200', () => {
  test('the funds of a quote execute it, without a call of its owner', async () => {
    const it = await moneyKit();
    const quote = await waiting(it);
    const { status, body } = await send(it, quote.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: quote.transactionId,
      status: 'PROCESSING',
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id },
    });
    await it.settle();
    expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('COMPLETED');
    expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'OUT.PROCESSING', 'OUT.COMPLETED']);
  });

  test('a payment with on-chain funds gets a hash after its end (spec 2.7)', async () => {
    const it = await moneyKit();
    const quote = await waiting(it, { currency: 'USDC', cryptoNetwork: 'SOLANA' });
    await send(it, quote.id, 'USDC');
    await it.advance('PT2S');
    expect((await it.transaction(quote.transactionId)).source.onChainTransaction.network).toBe('SOLANA');
  });

  test('the funds of a quote from an external wallet complete it, too', async () => {
    const it = await moneyKit();
    const eur = await it.account('EUR');
    const quote = (await it.quote({ sourceType: 'ACCOUNT', accountId: it.wallet().id }, to(eur.id))).body;
    expect((await send(it, quote.id, 'USDC')).status).toBe(200);
    await it.settle();
    expect(await it.balance(eur.id)).toBe(quote.totalReceivingAmount);
  });

  test.each([
    ['USD', {}, 0],
    ['USDC', { cryptoNetwork: 'BASE' }, 15_000],
    ['USDB', { cryptoNetwork: 'SPARK' }, 15_000],
  ])(
    'another amount of %s than quoted fails the payment, and crypto is refunded to the account',
    async (currency, more, back) => {
      const it = await moneyKit();
      const quote = await waiting(it, { currency, ...more });
      await send(it, quote.id, currency, 15_000);
      await it.settle();
      expect(await it.transaction(quote.transactionId)).toMatchObject({
        status: 'FAILED',
        failureReason: 'FUNDING_AMOUNT_MISMATCH',
        refund: { status: 'COMPLETED' },
      });
      expect(await it.balance((await it.account(currency)).id)).toBe(back);
    },
  );
});

test.each([1, 15_000])(
  'a quote keeps its fixed price when %i cents arrive instead of 20000, and the payment shows what arrived (reference 9.4, 9.5)',
  async (amount) => {
    const it = await moneyKit();
    const { status: _, paymentInstructions, ...quote } = await waiting(it);
    it.sandbox.world.scheduler.sleep();
    const sent = await send(it, quote.id, 'USD', amount);
    expect([sent.status, sent.body.sentAmount.amount]).toEqual([200, amount]);
    const price = async () => {
      const { status, paymentInstructions: ways, ...shown } = (await it.get(`/quotes/${quote.id}`)).body;
      return { status, shown, ways };
    };
    expect(await price()).toEqual({ status: 'PROCESSING', shown: quote, ways: paymentInstructions });
    it.sandbox.world.scheduler.wake();
    await it.settle();
    expect(await price()).toEqual({ status: 'FAILED', shown: quote, ways: paymentInstructions });
    const { totalSendingAmount, totalReceivingAmount, feesIncluded, exchangeRate } = quote;
    expect((totalSendingAmount - feesIncluded) / totalReceivingAmount).toBeCloseTo(exchangeRate, 3);
    const { world } = it.sandbox;
    const [began] = QUOTES.story?.(quoteOf(world, quote.id), world) ?? [];
    expect(began?.detail).toMatch(/^200\.00 USD for /);
  },
);

describe('POST /sandbox/send, refused', () => {
  test('funds are refused with 400 for a wrong currency, amount or source, 404 for an unknown quote, 409 for an executed or expired one', async () => {
    const it = await moneyKit();
    const quote = await waiting(it);
    expect(refusal(await send(it, quote.id, 'EUR'))).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' });
    expect(refusal(await send(it, quote.id, 'USD', 0))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(refusal(await send(it, 'Quote:x'))).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' });
    const prefunded = await it.quote(
      { sourceType: 'ACCOUNT', accountId: (await it.account('USD')).id },
      to(it.bank('MXN').id),
    );
    expect(refusal(await send(it, prefunded.body.id))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    await send(it, quote.id);
    await it.settle();
    expect(refusal(await send(it, quote.id))).toMatchObject({ status: 409, code: 'CONFLICT' });
    const late = await waiting(it);
    await it.advance('PT5M');
    expect(refusal(await send(it, late.id))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('funds are refused with 403 USER_NOT_READY under review, and with 404 USER_NOT_FOUND once the customer is deleted', async () => {
    const it = await moneyKit();
    const quote = await waiting(it);
    await it.review();
    expect(refusal(await send(it, quote.id))).toMatchObject({ status: 403, code: 'USER_NOT_READY' });
    await it.del(`/customers/${it.customer.id}`);
    expect(refusal(await send(it, quote.id))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('funds are refused with 401 without credentials, and with 403 without TRANSACT', async () => {
    const it = await moneyKit({
      scenario: {
        credentials: [
          { id: 'a', secret: 's' },
          { id: 'v', secret: 's', permissions: ['VIEW'] },
        ],
      },
    });
    const body = { quoteId: 'Quote:x', currencyCode: 'USD' };
    expect((await it.post('/sandbox/send', body, { as: null })).status).toBe(401);
    expect((await it.post('/sandbox/send', body, { as: 'v:s' })).status).toBe(403);
  });
});

test('funds that no balance can count are refused with 400 AMOUNT_OUT_OF_RANGE, and the quote still waits for them (reference 16.6)', async () => {
  const it = await moneyKit();
  const quote = await waiting(it);
  crowd(it.sandbox.world, 'USD');
  expect(refusal(await send(it, quote.id))).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
  expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('PENDING');
});

test('crypto is refunded to an account of its asset, which is opened where the customer has none (reference 11.4)', async () => {
  for (const customer of [true, false]) {
    const it = await moneyKit();
    const source = {
      sourceType: 'REALTIME_FUNDING',
      currency: 'USDT',
      cryptoNetwork: 'TRON',
      customerId: customer ? it.customer.id : undefined,
    };
    const owner = customer ? {} : { customerId: undefined };
    const quote = (await it.quote(source, to(it.bank('MXN', '002', owner).id), { lockedCurrencyAmount: 5_000_000 }))
      .body;
    const accounts = async () =>
      customer
        ? (await it.get('/customers/internal-accounts', { customerId: it.customer.id, currency: 'USDT' })).body.data
        : (await it.get('/platform/internal-accounts', { currency: 'USDT' })).body.data;
    expect(await accounts()).toEqual([]);
    expect((await send(it, quote.id, 'USDT')).status).toBe(200);
    await it.settle();
    expect(await it.transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED' },
    });
    expect(await accounts()).toMatchObject([
      { type: 'INTERNAL_CRYPTO', status: 'ACTIVE', balance: { amount: 5_000_000, currency: { code: 'USDT' } } },
    ]);
    expect(it.story().filter((line) => line.startsWith('BALANCE'))).toEqual(['BALANCE 5000000']);
  }
});

describe('refunds of USDB on a platform without USDB (reference 11.4)', () => {
  /** A payment of USDB over Spark that is going to fail, for Ana or for the platform. */
  async function failing(policies = {}, owner?: 'platform') {
    const currencies = ['USD', 'MXN'].map((code) => ({ code }));
    const it = await moneyKit({ scenario: { platform: { currencies }, policies } });
    const customerId = owner ? undefined : it.customer.id;
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USDB', cryptoNetwork: 'SPARK', customerId };
    const bank = it.bank('MXN', '002', owner ? { customerId: undefined } : {});
    const quote = (await it.quote(source, to(bank.id), { lockedCurrencyAmount: 5_000_000 })).body;
    expect((await send(it, quote.id, 'USDB')).status).toBe(200);
    const rows = () => it.sandbox.world.rows(ACCOUNTS).all('currency', 'USDB');
    const refund = async () => (await it.transaction(quote.transactionId)).refund.status;
    return { it, rows, refund };
  }
  const credentials = async (it: MoneyKit, accountId: string) =>
    (await it.get('/auth/credentials', { accountId })).body.data;

  test('a refund of USDB opens a wallet that its owner can log in to, as to any other (spec 5 rule 6)', async () => {
    const { it, rows, refund } = await failing();
    await it.settle();
    const [wallet] = rows();
    expect(wallet).toMatchObject({ type: 'EMBEDDED_WALLET', contact: { email: 'ana@example.com' } });
    expect([await refund(), await it.balance(wallet?.id as string)]).toEqual(['COMPLETED', 5_000_000]);
    const [credential, ...others] = await credentials(it, wallet?.id as string);
    expect(credential).toMatchObject({ type: 'EMAIL_OTP', nickname: 'ana@example.com' });
    expect(others).toEqual([]);
    expect((await it.post(`/auth/credentials/${credential.id}/challenge`)).status).toBe(200);
    const supportedCurrencies = ['USD', 'MXN', 'USDB'].map((currencyCode) => ({ currencyCode }));
    expect((await it.patch('/config', { supportedCurrencies })).status).toBe(200);
    expect(rows().filter(({ customerId }) => customerId === it.customer.id)).toHaveLength(1);
  });

  test('a refund of USDB for a deleted customer opens a wallet without any credential (spec 4.1)', async () => {
    const { it, rows, refund } = await failing({ 'transaction.settle': 'after PT1H' });
    await it.del(`/customers/${it.customer.id}`);
    await it.advance('PT2H');
    const [wallet] = rows();
    expect(await refund()).toBe('COMPLETED');
    expect(balanceOf(it.sandbox.world, wallet?.id as string).available).toBe(5_000_000);
    expect(await credentials(it, wallet?.id as string)).toEqual([]);
    const added = await it.post('/auth/credentials', { type: 'EMAIL_OTP', accountId: wallet?.id });
    expect(refusal(added)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
  });

  test('a refund of USDB for the platform opens an ordinary account', async () => {
    const { it, rows, refund } = await failing({}, 'platform');
    await it.settle();
    expect([await refund(), rows().map(({ type, customerId }) => [type, customerId])]).toEqual([
      'COMPLETED',
      [['INTERNAL_CRYPTO', undefined]],
    ]);
  });
});
