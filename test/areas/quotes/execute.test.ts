import { describe, expect, test } from 'vitest';
import { lookupIdOf } from '../../../src/areas/lookups/index.ts';
import { outsideAccount, POSTINGS } from '../../../src/ledger/ledger.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';
import { clientKey, stampOf, walletKit } from '../../kit/wallet.ts';

const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });
const execute = (it: Pick<MoneyKit, 'post'>, id: string, headers: Record<string, string> = {}) =>
  it.post(`/quotes/${id}/execute`, undefined, { headers });

/** A quote of 200.00 dollars to a bank account in euros, or whatever destination. */
async function quoted(it: MoneyKit, destination: object, funds = 50_000, more: object = {}) {
  const from = await it.funded('USD', funds);
  const { body, text } = await it.quote(account(from.id), destination, more);
  expect(body.id, text).toBeDefined();
  return { from: from.id, quote: body };
}

describe('POST /quotes/{quoteId}/execute, 200', () => {
  test('the money leaves at the execution of a quote, the rest follows, and the events are in order (spec 3.4, 6)', async () => {
    const it = await moneyKit();
    const { from, quote } = await quoted(it, to(it.bank('EUR').id));
    const { status, body } = await execute(it, quote.id);
    expect([status, body.status]).toEqual([200, 'PROCESSING']);
    expect(await it.balance(from)).toBe(30_000);
    await it.settle();
    expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('COMPLETED');
    expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'BALANCE 30000', 'OUT.PROCESSING', 'OUT.COMPLETED']);
    expect(it.events('OUTGOING_PAYMENT.COMPLETED')[0]?.data).toEqual(await it.transaction(quote.transactionId));
  });

  test('a payment in profile grid emits events with dotted types only', async () => {
    const it = await moneyKit({ profile: 'grid' });
    const { quote } = await quoted(it, to(it.bank('EUR').id));
    await execute(it, quote.id);
    await it.settle();
    expect(it.events('OUTGOING_PAYMENT')).toEqual([]);
    expect(it.events('OUTGOING_PAYMENT.COMPLETED')).toHaveLength(1);
  });

  test('the platform fee arrives with the settlement, and goes back when the payment is returned', async () => {
    const it = await moneyKit();
    const { from, quote } = await quoted(it, to(it.bank('EUR', '005').id), 50_000, {
      platformFeeOverride: { platformFixedFee: { amount: 500, currency: 'USD' }, platformVariableFeeBps: 0 },
    });
    await execute(it, quote.id);
    await it.settle();
    expect(it.story()).toEqual([
      'OUT.PENDING',
      'OUT',
      'BALANCE 30000',
      'OUT.PROCESSING',
      'BALANCE 500',
      'OUT.COMPLETED',
      'OUT.FAILED',
      'OUT.REFUND_PENDING',
      'BALANCE 50000',
      'BALANCE 0',
      'OUT.REFUND_COMPLETED',
    ]);
    expect(await it.balance(from)).toBe(50_000);
  });

  test('a returned payment refunds its fee even when the platform has paid it out: the platform owes it, and its balance stays at zero', async () => {
    const it = await moneyKit({
      scenario: {
        platform: { currencies: ['USD', 'EUR', 'MXN', 'GBP', 'USDC', 'BTC', 'USDB'].map((code) => ({ code })) },
        policies: { 'transaction.return': 'after P2D' },
      },
    });
    const { from, quote } = await quoted(it, to(it.bank('EUR', '005').id), 50_000, {
      platformFeeOverride: { platformFixedFee: { amount: 500, currency: 'USD' }, platformVariableFeeBps: 0 },
    });
    await execute(it, quote.id);
    await it.settle();
    const own = await it.account('USD', 'platform');
    await it.post('/transfer-out', {
      source: { accountId: own.id },
      destination: { accountId: it.bank('USD', '999', { customerId: undefined }).id },
    });
    await it.advance('P3D');
    expect((await it.transaction(quote.transactionId)).failureReason).toBe('PAYOUT_RETURNED');
    expect(await it.balance(from)).toBe(50_000);
    expect(await it.balance(own.id)).toBe(0);
    const owed = [...it.sandbox.world.rows(POSTINGS).rows()]
      .flatMap(({ lines }) => lines)
      .filter((line) => line.account === outsideAccount('owed', 'USD'));
    expect(owed.map(({ amount }) => amount)).toEqual([-500]);
  });

  test('a returned payment of the platform itself gives back its own fee out of the refund, however little its account holds', async () => {
    const it = await moneyKit({ scenario: { policies: { 'transaction.return': 'after P2D' } } });
    const own = await it.account('USD', 'platform');
    await it.post(`/sandbox/internal-accounts/${own.id}/fund`, { amount: 50_000 });
    const before = await it.balance(own.id);
    const { body: quote } = await it.quote(account(own.id), to(it.bank('EUR', '005', { customerId: undefined }).id), {
      lockedCurrencyAmount: before,
      platformFeeOverride: { platformFixedFee: { amount: 500, currency: 'USD' }, platformVariableFeeBps: 0 },
    });
    await execute(it, quote.id);
    await it.settle();
    expect(await it.balance(own.id)).toBe(500);
    await it.post('/transfer-out', {
      source: { accountId: own.id },
      destination: { accountId: it.bank('USD', '999', { customerId: undefined }).id },
      amount: 500,
    });
    await it.settle();
    expect(await it.balance(own.id)).toBe(0);
    await it.advance('P3D');
    expect((await it.transaction(quote.transactionId)).failureReason).toBe('PAYOUT_RETURNED');
    expect(await it.balance(own.id)).toBe(before - 500);
  });

  test('an internal account as destination is credited when the payment completes', async () => {
    const it = await moneyKit();
    const eur = await it.account('EUR');
    const { quote } = await quoted(it, to(eur.id));
    it.sandbox.world.scheduler.sleep();
    await execute(it, quote.id);
    expect(await it.balance(eur.id)).toBe(0);
    it.sandbox.world.scheduler.wake();
    await it.settle();
    expect(await it.balance(eur.id)).toBe(quote.totalReceivingAmount);
  });

  test('a payment from a bank account is collected from that account', async () => {
    const it = await moneyKit();
    const eur = await it.account('EUR');
    const { body } = await it.quote(account(it.bank('USD').id), to(eur.id));
    await execute(it, body.id);
    await it.settle();
    expect(await it.balance(eur.id)).toBe(18_308);
  });

  test.each(['002', '003', '004', '005'])(
    'a payment from a bank account that ends in %s fails without a refund',
    async (suffix) => {
      const it = await moneyKit();
      const eur = await it.account('EUR');
      const { body } = await it.quote(account(it.bank('USD', suffix).id), to(eur.id));
      await execute(it, body.id);
      await it.settle();
      expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'OUT.PROCESSING', 'OUT.FAILED']);
      expect((await it.transaction(body.transactionId)).refund).toBeUndefined();
      expect(await it.balance(eur.id)).toBe(0);
    },
  );
});

describe('POST /quotes/{quoteId}/execute, outcomes by suffix (spec 5.1 rule 8, reference 16.4)', () => {
  const start = ['PENDING', 'PROCESSING'];
  const refunded = ['FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'];
  test.each([
    ['002', [...start, ...refunded], { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' }, 50_000],
    ['004', [...start, ...refunded], { status: 'FAILED', failureReason: 'ACCOUNT_CANNOT_RECEIVE' }, 50_000],
    ['005', [...start, 'COMPLETED', ...refunded], { status: 'FAILED', failureReason: 'PAYOUT_RETURNED' }, 50_000],
    [
      '006',
      [...start, 'REFUND_PENDING', 'REFUND_COMPLETED', 'COMPLETED'],
      { status: 'COMPLETED', refund: { status: 'COMPLETED', reason: 'USER_CANCELLATION' } },
      50_000,
    ],
    [
      '007',
      [...start, 'FAILED', 'REFUND_PENDING', 'REFUND_FAILED'],
      { status: 'FAILED', refund: { status: 'FAILED' } },
      30_000,
    ],
    ['999', [...start, 'COMPLETED'], { status: 'COMPLETED' }, 30_000],
  ])('a payment to a bank account that ends in %s emits %j', async (suffix, sequence, final, balance) => {
    const it = await moneyKit();
    const { from, quote } = await quoted(it, to(it.bank('EUR', suffix).id));
    await execute(it, quote.id);
    await it.settle();
    const told = it.events().filter((e) => e.type.startsWith('OUTGOING_PAYMENT.') && e.data.id === quote.transactionId);
    expect(told.map((event) => event.type.slice(17))).toEqual(sequence);
    expect(await it.transaction(quote.transactionId)).toMatchObject(final);
    expect(await it.balance(from)).toBe(balance);
  });

  test('a payment to a bank account that ends in 003 completes after six virtual minutes', async () => {
    const it = await moneyKit();
    const { quote } = await quoted(it, to(it.bank('EUR', '003').id));
    await execute(it, quote.id);
    await it.advance('PT5M59S');
    expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('PROCESSING');
    await it.advance('PT1S');
    expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('COMPLETED');
  });

  test.each([
    ['003', 'PT0S', 'FAILED'],
    ['005', 'PT29S', 'PROCESSING'],
    ['005', 'PT30S', 'FAILED'],
    ['002', 'PT0S', 'COMPLETED'],
    ['004', 'PT0S', 'COMPLETED'],
    ['007', 'PT0S', 'COMPLETED'],
  ])('a payment to a wallet that ends in %s is, after %s, %s', async (suffix, after, status) => {
    const it = await moneyKit();
    const { quote } = await quoted(it, to(it.wallet(suffix).id));
    await execute(it, quote.id);
    await it.advance(after);
    expect((await it.transaction(quote.transactionId)).status).toBe(status);
  });

  test.each([
    ['$success.usd@sandbox.uma.money', 'PT0S', 'COMPLETED', undefined],
    ['$success.eur@sandbox.uma.money', 'PT0S', 'COMPLETED', undefined],
    ['$success.mxn@sandbox.uma.money', 'PT0S', 'COMPLETED', undefined],
    ['$pending.long.usd@sandbox.uma.money', 'PT5M', 'PROCESSING', undefined],
    ['$pending.long.usd@sandbox.uma.money', 'PT6M', 'COMPLETED', undefined],
    ['$fail.compliance.usd@sandbox.uma.money', 'PT0S', 'FAILED', 'COMPLIANCE_REJECTED'],
  ])('a payment to the UMA address %s is, after %s, %s', async (umaAddress, after, status, failureReason) => {
    const it = await moneyKit();
    const lookupId = lookupIdOf(umaAddress);
    const { quote } = await quoted(it, { destinationType: 'UMA_ADDRESS', umaAddress }, 50_000, { lookupId });
    await execute(it, quote.id);
    await it.settle();
    await it.advance(after);
    const transaction = await it.transaction(quote.transactionId);
    expect([transaction.status, transaction.failureReason]).toEqual([status, failureReason]);
    expect(transaction.receiverUmaAddress).toBe(umaAddress);
  });
});

describe('POST /quotes/{quoteId}/execute, refused', () => {
  test('an execution without enough balance is refused with 400 INSUFFICIENT_BALANCE and moves nothing; the quote can still be paid (spec 5.1 rule 9)', async () => {
    const it = await moneyKit();
    const { from, quote } = await quoted(it, to(it.bank('EUR').id), 19_999);
    expect(refusal(await execute(it, quote.id))).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' });
    expect(it.story()).toEqual([]);
    await it.funded('USD', 1);
    expect((await execute(it, quote.id)).status).toBe(200);
    expect(await it.balance(from)).toBe(0);
  });

  test('no more executions at once succeed than the balance covers', async () => {
    const it = await moneyKit();
    const from = await it.funded('USD', 50_000);
    const bank = to(it.bank('EUR').id);
    const quotes = await Promise.all(
      Array.from({ length: 8 }, () =>
        it.overlapping('POST', '/quotes', {
          source: account(from.id),
          destination: bank,
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 20_000,
        }),
      ),
    );
    const answers = await Promise.all(
      quotes.map(({ body }) => it.overlapping('POST', `/quotes/${body.id}/execute`, {})),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await it.balance(from.id)).toBe(10_000);
  });

  test('the execution of a quote that has to be funded first is refused with 400', async () => {
    const it = await moneyKit();
    const { body } = await it.quote(
      { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id },
      to(it.bank('EUR').id),
    );
    expect(refusal(await execute(it, body.id))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  test('in grid a quote from a bank account outside waits for its funds and is paid by /sandbox/send (C2)', async () => {
    const it = await moneyKit({ profile: 'grid' });
    const source = account(it.bank('USD').id);
    const { body } = await it.quote(source, to((await it.account('EUR')).id));
    const refused = await execute(it, body.id);
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(refused.body.message).toContain('funds must be pushed');
    expect((await it.get(`/quotes/${body.id}`)).body.status).toBe('PENDING');
    const now = await it.quote(source, to((await it.account('EUR')).id), { immediatelyExecute: true });
    expect(refusal(now)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['immediatelyExecute'] });
    const sent = await it.post('/sandbox/send', { quoteId: body.id, currencyCode: 'USD' });
    expect([sent.status, sent.body.status]).toEqual([200, 'PROCESSING']);
    await it.settle();
    expect((await it.get(`/quotes/${body.id}`)).body.status).toBe('COMPLETED');
  });

  test('an execution is refused with 401 without credentials, 403 without TRANSACT, and 404 for an unknown quote', async () => {
    const it = await moneyKit({
      scenario: {
        credentials: [
          { id: 'a', secret: 's' },
          { id: 'v', secret: 's', permissions: ['VIEW', 'MANAGE'] },
        ],
      },
    });
    const path = '/quotes/Quote:x/execute';
    expect((await it.post(path, {}, { as: null })).status).toBe(401);
    expect((await it.post(path, {}, { as: 'v:s' })).status).toBe(403);
    expect(refusal(await it.post(path, {}))).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' });
  });

  test('the second execution of a quote is refused with 409', async () => {
    const it = await moneyKit();
    const { from, quote } = await quoted(it, to(it.bank('EUR').id));
    await execute(it, quote.id);
    await it.settle();
    const again = await execute(it, quote.id);
    expect([again.status, again.body.code, again.body.details.reason]).toEqual([
      409,
      'CONFLICT',
      'QUOTE_ALREADY_EXECUTED',
    ]);
    expect(await it.balance(from)).toBe(30_000);
  });

  test('an execution is refused with 409 after five virtual minutes; quote and payment are EXPIRED, with one event', async () => {
    const it = await moneyKit();
    const { quote } = await quoted(it, to(it.bank('EUR').id));
    await it.advance('PT4M59S');
    expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('PENDING');
    await it.advance('PT1S');
    const late = await execute(it, quote.id);
    expect([late.status, late.body.code, late.body.details.reason]).toEqual([409, 'CONFLICT', 'QUOTE_EXPIRED']);
    expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('EXPIRED');
    expect(await it.transaction(quote.transactionId)).toMatchObject({
      status: 'EXPIRED',
      failureReason: 'QUOTE_EXPIRED',
    });
    expect(it.story()).toEqual(['OUT.EXPIRED']);
  });

  test('an execution is refused with 403 for a customer who is under review since the quote, until the review is over', async () => {
    const it = await moneyKit();
    const { quote } = await quoted(it, to(it.bank('EUR').id));
    await it.review();
    expect(refusal(await execute(it, quote.id))).toMatchObject({ status: 403, code: 'USER_NOT_READY' });
    await it.control('POST', `/customers/${it.customer.id}/decision`, { decision: 'APPROVED' });
    expect((await execute(it, quote.id)).status).toBe(200);
  });

  test('an execution is refused with 404 for a customer who was deleted since the quote', async () => {
    const it = await moneyKit();
    const { quote } = await quoted(it, to(it.bank('EUR').id));
    await it.del(`/customers/${it.customer.id}`);
    await it.settle();
    expect(refusal(await execute(it, quote.id))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });
});

describe('POST /quotes/{quoteId}/execute from an embedded wallet (spec 4.7, 5.4)', () => {
  const fromWallet = async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
    const { body: quote } = await it.post('/quotes', {
      source: account(it.accountId),
      destination: to(usd.id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    });
    const payload = quote.paymentInstructions[0].accountOrWalletInfo.payloadToSign;
    return { it, key, quote, payload, path: `/quotes/${quote.id}/execute` };
  };

  test('a wallet pays in two calls: the challenge holds the payload of the quote, and its signature pays once', async () => {
    const { it, key, path, payload } = await fromWallet();
    const first = await it.post(path, {});
    expect([first.status, first.body.payloadToSign]).toEqual([202, payload]);
    const headers = {
      'service-wallet-signature': await stampOf(key, payload),
      'request-id': first.body.requestId,
    };
    expect(await it.post(path, {}, { headers })).toMatchObject({ status: 200, body: { status: 'PROCESSING' } });
    await it.settle();
    expect((await it.post(path, {}, { headers })).status).toBe(401);
  });

  test('a wallet pays in one call: a signature over the payload of the quote is enough', async () => {
    const { it, key, path, payload, quote } = await fromWallet();
    const headers = { 'service-wallet-signature': await stampOf(key, payload) };
    expect(await it.post(path, undefined, { headers })).toMatchObject({ status: 200, body: { status: 'PROCESSING' } });
    await it.settle();
    expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('COMPLETED');
    expect((await it.post(path, undefined, { headers })).status).toBe(409);
  });

  test('an execution is refused with 401 for a wallet signature over another payload or by another key, a malformed one and a missing one', async () => {
    const { it, key, path, payload } = await fromWallet();
    const code = async (signature: string) => {
      const { status, body } = await it.post(path, {}, { headers: { 'service-wallet-signature': signature } });
      return `${status} ${body.code}`;
    };
    expect(await code(await stampOf(key, `${payload} `))).toBe('401 WALLET_SIGNATURE_INVALID');
    expect(await code(await stampOf(clientKey(), payload))).toBe('401 WALLET_SIGNATURE_INVALID');
    expect(await code('nonsense')).toBe('401 WALLET_SIGNATURE_MALFORMED');
    const first = await it.post(path, {});
    const alone = await it.post(path, {}, { headers: { 'request-id': first.body.requestId } });
    expect([alone.status, alone.body.code]).toEqual([401, 'WALLET_SIGNATURE_MISSING']);
  });

  test('an execution is refused with 401 WALLET_SIGNATURE_BODY_MISMATCH when the retry has another body than the first call', async () => {
    const { it, key, path, payload } = await fromWallet();
    const first = await it.post(path, {});
    const headers = { 'service-wallet-signature': await stampOf(key, payload), 'request-id': first.body.requestId };
    const answer = await it.post(path, { scaFactor: 'SMS_OTP' }, { headers });
    expect(refusal(answer)).toMatchObject({ status: 401, code: 'WALLET_SIGNATURE_BODY_MISMATCH' });
    expect((await it.post(path, {}, { headers })).status).toBe(200);
  });

  test('a wallet pays in two calls with the same Idempotency-Key', async () => {
    const { it, key, path } = await fromWallet();
    const answer = await it.sign(key, 'POST', path, {}, { headers: { 'idempotency-key': 'k' } });
    expect(answer.status).toBe(200);
  });

  test('an execution that the wallet does not cover is refused with 400 INSUFFICIENT_BALANCE, and succeeds once the wallet covers it', async () => {
    const { it, key } = await fromWallet();
    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
    const { body: quote } = await it.post('/quotes', {
      source: account(it.accountId),
      destination: to(usd.id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 900_000_000,
    });
    const payload = quote.paymentInstructions[0].accountOrWalletInfo.payloadToSign;
    const headers = { 'service-wallet-signature': await stampOf(key, payload) };
    const answer = await it.post(`/quotes/${quote.id}/execute`, {}, { headers });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' });
    await it.post(`/sandbox/internal-accounts/${it.accountId}/fund`, { amount: 900_000_000 });
    expect((await it.post(`/quotes/${quote.id}/execute`, {}, { headers })).body.status).toBe('PROCESSING');
  });
});
