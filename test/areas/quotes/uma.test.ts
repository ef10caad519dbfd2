import { describe, expect, test } from 'vitest';
import { lookupIdOf } from '../../../src/areas/lookups/index.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { type Reaction, receiver } from '../../kit/receiver.ts';
import { refusal } from '../../kit/sandbox.ts';

/** Ana pays Bo, 200.00 dollars that arrive as euros; both are customers of the same platform. */
async function both(reaction?: Reaction) {
  const hooks = reaction === undefined ? undefined : await receiver();
  if (hooks) hooks.react = ({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? (reaction as Reaction) : 200);
  const it = await moneyKit(hooks ? { webhookUrl: hooks.url } : {});
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: '$bo@pay.example' };
  const bo = (await it.post('/customers', { ...sent, platformCustomerId: 'bo' })).body;
  await it.settle();
  const ana = (await it.funded('USD', 50_000)).id;
  const account = (await it.account('EUR', bo.id)).id;
  return { it, bo, ana, account, pay: () => pay(it, ana) };
}

const QUOTE = { umaAddress: '$bo@pay.example', currency: 'EUR', destinationType: 'UMA_ADDRESS' };

async function pay(it: MoneyKit, ana: string) {
  const lookupId = lookupIdOf(QUOTE.umaAddress);
  const { body: quote, text } = await it.quote({ sourceType: 'ACCOUNT', accountId: ana }, QUOTE, { lookupId });
  expect(quote.id, text).toBeDefined();
  expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(200);
  return quote;
}

const incoming = async (it: MoneyKit) => (await it.get('/transactions', { type: 'INCOMING' })).body.data[0];

describe('a payment to a UMA address of a customer of this platform', () => {
  test('a payment between customers has a transaction on each side and events for both; every cent arrives (reference 12.3, 14)', async () => {
    const { it, bo, ana, account, pay } = await both();
    const quote = await pay();
    await it.settle();
    expect(it.story()).toEqual([
      'OUT.PENDING',
      'OUT',
      'BALANCE 30000',
      'OUT.PROCESSING',
      'IN.PENDING',
      `BALANCE ${quote.totalReceivingAmount}`,
      'IN.COMPLETED',
      'OUT.COMPLETED',
    ]);
    expect(await it.transaction(quote.transactionId)).toMatchObject({
      status: 'COMPLETED',
      customerId: it.customer.id,
      receiverUmaAddress: '$bo@pay.example',
    });
    expect(await incoming(it)).toMatchObject({
      type: 'INCOMING',
      direction: 'CREDIT',
      status: 'COMPLETED',
      customerId: bo.id,
      platformCustomerId: 'bo',
      source: { sourceType: 'UMA_ADDRESS', umaAddress: '$ana@pay.example', currency: 'USD' },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$bo@pay.example', currency: 'EUR' },
      sentAmount: { amount: quote.totalSendingAmount - quote.feesIncluded },
      receivedAmount: { amount: quote.totalReceivingAmount, currency: { code: 'EUR' } },
      exchangeRate: quote.exchangeRate,
      fees: 0,
      counterpartyInformation: { FULL_NAME: 'Ana Souza' },
    });
    expect(await it.balance(ana)).toBe(30_000);
    expect(await it.balance(account)).toBe(quote.totalReceivingAmount);
  });

  test('a payment to a customer is credited once the webhook approves it', async () => {
    const { it, account, pay } = await both(200);
    const quote = await pay();
    await it.settle();
    expect(await it.balance(account)).toBe(quote.totalReceivingAmount);
    expect((await it.transaction(quote.transactionId)).status).toBe('COMPLETED');
  });

  test('a payment to a customer is PROCESSING while the approval is pending, and credited when the endpoint approves it', async () => {
    const { it, account, pay } = await both(202);
    const quote = await pay();
    await it.settle();
    const { id } = await incoming(it);
    expect((await it.transaction(quote.transactionId)).status).toBe('PROCESSING');
    expect((await it.post(`/transactions/${id}/approve`)).status).toBe(200);
    await it.settle();
    expect((await it.transaction(quote.transactionId)).status).toBe('COMPLETED');
    expect(await it.balance(account)).toBe(quote.totalReceivingAmount);
  });

  test.each<[Reaction, string, string | undefined]>([
    [403, 'REJECTED', undefined],
    [422, 'FAILED', 'MISSING_MANDATORY_PAYEE_DATA'],
    [500, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [202, 'FAILED', 'PAYMENT_APPROVAL_TIMED_OUT'],
  ])(
    'a webhook that answers %j leaves the receiving side %s (%s), and the sender gets the money back',
    async (reaction, status, failureReason) => {
      const { it, ana, account, pay } = await both(reaction);
      const quote = await pay();
      await it.settle();
      await it.advance('PT6S');
      const refused = await incoming(it);
      expect([refused.status, refused.failureReason]).toEqual([status, failureReason]);
      expect(await it.transaction(quote.transactionId)).toMatchObject({
        status: 'FAILED',
        failureReason: 'QUOTE_EXECUTION_FAILED',
        refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
      });
      expect(await it.balance(ana)).toBe(50_000);
      expect(await it.balance(account)).toBe(0);
    },
  );

  test('a payment comes back when the receiver is deleted before it arrives', async () => {
    const { it, bo, ana, pay } = await both();
    it.sandbox.world.scheduler.sleep();
    const quote = await pay();
    await it.del(`/customers/${bo.id}`);
    it.sandbox.world.scheduler.wake();
    await it.settle();
    expect(await incoming(it)).toBeUndefined();
    expect((await it.transaction(quote.transactionId)).status).toBe('FAILED');
    expect(await it.balance(ana)).toBe(50_000);
  });

  test.each([
    ['COMPLETED', 'COMPLETED', 'COMPLETED', 30_000],
    ['FAILED', 'FAILED', 'FAILED', 50_000],
  ])('an outcome set by hand to %s on either side ends both sides alike', async (outcome, out, into, balance) => {
    for (const side of ['OUTGOING', 'INCOMING']) {
      const { it, ana, pay } = await both(202);
      const quote = await pay();
      await it.settle();
      const { id } = await incoming(it);
      const decided = side === 'OUTGOING' ? quote.transactionId : id;
      expect((await it.control('POST', `/transactions/${decided}/outcome`, { outcome })).status).toBe(200);
      await it.advance('PT1M');
      expect((await it.transaction(quote.transactionId)).status, side).toBe(out);
      expect((await it.transaction(id)).status, side).toBe(into);
      expect(await it.balance(ana), side).toBe(balance);
      const returned = await it.control('POST', `/transactions/${quote.transactionId}/outcome`, {
        outcome: 'RETURNED',
      });
      expect(returned.status).toBe(409);
    }
  });

  test('a payment goes to the account that the receiver chose, and comes back when the payout there fails', async () => {
    for (const [suffix, status] of [['999', 'COMPLETED'] as const, ['002', 'FAILED'] as const]) {
      const { it, bo, account, ana, pay } = await both(200);
      it.bank('EUR', suffix, { customerId: bo.id, defaultUmaDepositAccount: true });
      const quote = await pay();
      await it.settle();
      expect((await incoming(it)).status).toBe(status);
      expect((await it.transaction(quote.transactionId)).status).toBe(status);
      expect(await it.balance(account)).toBe(0);
      expect(await it.balance(ana)).toBe(status === 'FAILED' ? 50_000 : 30_000);
    }
  });

  test('a quote is refused with 400 where the receiver does not hold the currency, takes none of it or less, or is deleted', async () => {
    const { it, ana, bo } = await both();
    const lookupId = lookupIdOf(QUOTE.umaAddress);
    const refused = async (more: object = {}) => {
      const sent = { lookupId, lockedCurrencyAmount: 20_000 };
      const answer = await it.quote({ sourceType: 'ACCOUNT', accountId: ana }, { ...QUOTE, ...more }, sent);
      return `${answer.status} ${answer.body.code}`;
    };
    const configure = (euro: object) =>
      it.patch('/config', { supportedCurrencies: [{ currencyCode: 'EUR', ...euro }, { currencyCode: 'USD' }] });
    expect(await refused({ currency: 'NGN' })).toBe('400 INVALID_CURRENCY');
    await configure({ enabledTransactionTypes: ['OUTGOING'] });
    expect(await refused()).toBe('400 INVALID_CURRENCY');
    await configure({ minAmount: 100, maxAmount: 9_000 });
    expect(await refused()).toBe('400 AMOUNT_OUT_OF_RANGE');
    await it.del(`/customers/${bo.id}`);
    expect(await refused()).toBe('400 INVALID_RECEIVER');
  });

  test('the platform itself can pay a customer by UMA address, and the receiver sees the account of the platform', async () => {
    const { it, account } = await both();
    const own = (await it.funded('USD', 50_000, 'platform')).id;
    const quote = await pay(it, own);
    await it.settle();
    expect(await incoming(it)).toMatchObject({
      status: 'COMPLETED',
      source: { sourceType: 'ACCOUNT', accountId: own },
    });
    expect((await it.transaction(quote.transactionId)).status).toBe('COMPLETED');
    expect(await it.balance(account)).toBe(quote.totalReceivingAmount);
  });

  test('a settlement that is delayed keeps both sides PROCESSING and credits nothing until then', async () => {
    const it = await moneyKit({
      scenario: {
        platform: { currencies: [{ code: 'USD' }, { code: 'EUR' }] },
        policies: { 'transaction.settle': 'after PT1H' },
      },
    });
    const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: '$bo@pay.example' };
    const bo = (await it.post('/customers', sent)).body;
    await it.settle();
    const quote = await pay(it, (await it.funded('USD', 50_000)).id);
    await it.settle();
    const statuses = async () => [(await it.transaction(quote.transactionId)).status, (await incoming(it)).status];
    const account = (await it.account('EUR', bo.id)).id;
    expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING']);
    expect(await it.balance(account)).toBe(0);
    await it.advance('PT1H');
    expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await it.balance(account)).toBe(quote.totalReceivingAmount);
  });

  test('a sender who pays their own UMA address is refused with 400 SELF_PAYMENT', async () => {
    const { it, ana } = await both();
    const umaAddress = '$ana@pay.example';
    const lookupId = lookupIdOf(umaAddress);
    const answer = await it.quote({ sourceType: 'ACCOUNT', accountId: ana }, { ...QUOTE, umaAddress }, { lookupId });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'SELF_PAYMENT' });
  });
});
