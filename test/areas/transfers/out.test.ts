import { describe, expect, test } from 'vitest';
import { POSTINGS } from '../../../src/ledger/ledger.ts';
import { type MoneyKit, moneyKit, unconsentedKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const out = (it: MoneyKit, from: string, to: string, more: object = {}) =>
  it.post('/transfer-out', { source: { accountId: from }, destination: { accountId: to }, amount: 3000, ...more });

describe('POST /transfer-out, 201', () => {
  test('the money of a payout leaves at once, and the payment completes afterwards (spec 3.4)', async () => {
    const it = await moneyKit();
    const account = await it.funded('USD', 10_000);
    const bank = it.bank('USD');
    const { status, body } = await out(it, account.id, bank.id);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'PENDING',
      type: 'OUTGOING',
      direction: 'DEBIT',
      customerId: it.customer.id,
      platformCustomerId: 'ana',
      source: { sourceType: 'ACCOUNT', accountId: account.id },
      destination: { destinationType: 'ACCOUNT', accountId: bank.id },
      sentAmount: { amount: 3000, currency: { code: 'USD', decimals: 2 } },
      receivedAmount: { amount: 3000 },
      fees: 0,
      paymentRail: 'ACH',
      railSelectionMode: 'AUTO',
    });
    expect(body.settledAt).toBeUndefined();
    expect(await it.balance(account.id)).toBe(7000);
    await it.settle();
    expect(await it.transaction(body.id)).toMatchObject({ status: 'COMPLETED', settledAt: expect.any(String) });
    expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'BALANCE 7000', 'OUT.PROCESSING', 'OUT.COMPLETED']);
    expect(await it.balance(account.id)).toBe(7000);
  });

  test('each event of a payout carries the whole payment as GET shows it at that moment (spec 6)', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const { body } = await out(it, id, it.bank('USD').id);
    expect(it.events('OUTGOING_PAYMENT.PENDING')[0]?.data).toEqual(body);
    await it.settle();
    expect(it.events('OUTGOING_PAYMENT.COMPLETED')[0]?.data).toEqual(await it.transaction(body.id));
  });

  test('a payout without an amount sends the whole balance', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 4321);
    const { body } = await out(it, id, it.bank('USD').id, { amount: undefined });
    expect(body.sentAmount.amount).toBe(4321);
    expect(await it.balance(id)).toBe(0);
  });

  test('a payout by a requested rail uses that rail, and marks it as chosen by hand', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 4321);
    const { body } = await it.post('/transfer-out', {
      source: { accountId: id },
      destination: { accountId: it.bank('USD').id, paymentRail: 'WIRE' },
      amount: 1,
    });
    expect(body).toMatchObject({ paymentRail: 'WIRE', railSelectionMode: 'MANUAL' });
  });

  test('two requests for a payout with the same Idempotency-Key pay once', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const body = { source: { accountId: id }, destination: { accountId: it.bank('USD').id }, amount: 3000 };
    const headers = { 'idempotency-key': 'k1' };
    const first = await it.post('/transfer-out', body, { headers });
    const second = await it.post('/transfer-out', body, { headers });
    expect(second.text).toBe(first.text);
    expect(await it.balance(id)).toBe(7000);
  });

  test('a payout to a wallet gets its hash after the end of the payment, without an event (spec 2.7)', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USDC', 9_000_000);
    const { body } = await out(it, id, it.wallet().id);
    await it.settle();
    expect(await it.transaction(body.id)).toMatchObject({ status: 'COMPLETED', paymentRail: null });
    expect((await it.transaction(body.id)).destination.onChainTransaction).toBeUndefined();
    const told = it.events().length;
    await it.advance('PT2S');
    expect((await it.transaction(body.id)).destination.onChainTransaction).toEqual({
      network: 'BASE',
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(it.events()).toHaveLength(told);
  });

  test('every posting of a payout names its payment', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const { body } = await out(it, id, it.bank('USD', '004').id);
    await it.settle();
    const postings = it.sandbox.world.rows(POSTINGS).all('cause', body.id);
    expect(postings.map((posting) => posting.reason)).toEqual(['debit', 'refund']);
  });
});

describe('POST /transfer-out, sandbox suffixes (spec 5.1 rule 8)', () => {
  const failed = ['OUT.PENDING', 'OUT', 'BALANCE 7000', 'OUT.PROCESSING', 'OUT.FAILED', 'OUT.REFUND_PENDING'];
  test.each([
    ['002', 'QUOTE_EXECUTION_FAILED'],
    ['003', 'ACCOUNT_INVALID'],
    ['004', 'ACCOUNT_CANNOT_RECEIVE'],
  ])('a payout to a bank account that ends in %s fails with %s and is refunded once', async (suffix, failureReason) => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const { status, body } = await out(it, id, it.bank('USD', suffix).id);
    expect([status, body.status]).toEqual([201, 'PENDING']);
    await it.settle();
    expect(await it.transaction(body.id)).toMatchObject({
      status: 'FAILED',
      failureReason,
      refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED', reference: expect.stringMatching(/^RF-/) },
    });
    expect(it.story()).toEqual([...failed, 'BALANCE 10000', 'OUT.REFUND_COMPLETED']);
    expect(await it.balance(id)).toBe(10_000);
  });

  test('a payout to a bank account that ends in 005 stays PENDING for 30 virtual seconds, then fails and is refunded', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const { body } = await out(it, id, it.bank('USD', '005').id);
    await it.advance('PT29.9S');
    expect(await it.transaction(body.id)).toMatchObject({ status: 'PENDING' });
    await it.advance('PT0.1S');
    expect(await it.transaction(body.id)).toMatchObject({ status: 'FAILED', refund: { reason: 'TIMEOUT' } });
    expect(await it.balance(id)).toBe(10_000);
  });

  test.each([
    ['003', 'PT0S', 'FAILED'],
    ['005', 'PT29.9S', 'PROCESSING'],
    ['005', 'PT30S', 'FAILED'],
    ['002', 'PT0S', 'COMPLETED'],
    ['004', 'PT0S', 'COMPLETED'],
  ])('a payout to a wallet that ends in %s is, after %s, %s', async (suffix, after, status) => {
    const it = await moneyKit();
    const { id } = await it.funded('USDC', 9000);
    const { body } = await out(it, id, it.wallet(suffix).id);
    await it.settle();
    await it.advance(after);
    expect((await it.transaction(body.id)).status).toBe(status);
    expect(await it.balance(id)).toBe(status === 'FAILED' ? 9000 : 6000);
  });

  test('the request log names the suffix that decides a payout', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    await out(it, id, it.bank('USD', '004').id);
    expect(JSON.stringify((await it.control('GET', '/requests')).body)).toContain('ends in 004');
  });
});

describe('POST /transfer-out, policies', () => {
  test('a payout whose settlement is held stays PROCESSING until the job is run by hand', async () => {
    const it = await moneyKit({
      scenario: {
        platform: { currencies: [{ code: 'USD' }] },
        policies: { 'transaction.settle': 'hold' },
      },
    });
    const { id } = await it.funded('USD', 10_000);
    const { body } = await out(it, id, it.bank('USD').id);
    await it.advance('P9D');
    expect((await it.transaction(body.id)).status).toBe('PROCESSING');
    const [job] = (await it.control('GET', '/jobs')).body.data;
    expect([job.kind, (await it.control('POST', `/jobs/${job.id}/run`)).status]).toEqual(['transaction.settle', 200]);
    await it.settle();
    expect((await it.transaction(body.id)).status).toBe('COMPLETED');
  });
});

describe('POST /transfer-out, refused', () => {
  test('a payout is refused with 400 INSUFFICIENT_BALANCE and moves nothing (spec 5.1 rule 9)', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 2999);
    const bank = it.bank('USD').id;
    expect(refusal(await out(it, id, bank))).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' });
    expect(await it.balance(id)).toBe(2999);
    expect((await it.get('/transactions')).body.totalCount).toBe(0);
  });

  test('a payout with wrong accounts, currencies, rails or amounts is refused with 400', async () => {
    const it = await moneyKit();
    const usd = await it.funded('USD', 10_000);
    const wallet = await it.funded('USDB', 10_000);
    const bank = it.bank('USD').id;
    const code = async (from: string, to: string, more: object = {}) => {
      const { status, code: refused } = refusal(await out(it, from, to, more));
      return status === 400 ? refused : status;
    };
    expect(await code(usd.id, it.bank('EUR').id)).toBe('INVALID_CURRENCY');
    expect(await code(wallet.id, bank)).toBe('INVALID_INPUT');
    expect(await code(usd.id, bank, { amount: 0 })).toBe('INVALID_INPUT');
    expect(await code(usd.id, bank, { destination: { accountId: bank, paymentRail: 'PIX' } })).toBe('INVALID_INPUT');
    expect(await code((await it.account('EUR')).id, it.bank('EUR').id, { amount: undefined })).toBe(
      'INSUFFICIENT_BALANCE',
    );
    expect(await code(usd.id, it.bank('USD', '999', { status: 'INACTIVE' }).id)).toBe('INVALID_INPUT');
    const other = (await it.post('/customers', { customerType: 'BUSINESS' })).body;
    await it.settle();
    expect(await code(usd.id, it.bank('USD', '999', { customerId: other.id }).id)).toBe('INVALID_INPUT');
  });

  test('a payout is refused with 401 without credentials, 404 for unknown accounts, and 403 for a customer who is not approved', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const bank = it.bank('USD').id;
    const body = { source: { accountId: id }, destination: { accountId: bank }, amount: 1 };
    expect((await it.post('/transfer-out', body, { as: null })).status).toBe(401);
    expect(refusal(await out(it, 'InternalAccount:x', bank))).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
    expect(refusal(await out(it, id, id))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    const pending = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo 001' })).body;
    await it.settle();
    const theirs = await it.funded('USD', 500, pending.id);
    const target = it.bank('USD', '999', { customerId: pending.id }).id;
    expect(refusal(await out(it, theirs.id, target, { amount: 5 }))).toMatchObject({
      status: 403,
      code: 'USER_NOT_READY',
    });
  });

  test('a payout from a deleted customer, or to one, is refused with 404 USER_NOT_FOUND', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const own = await it.funded('USD', 10_000, 'platform');
    const bank = it.bank('USD').id;
    await it.del(`/customers/${it.customer.id}`);
    await it.settle();
    for (const from of [id, own.id])
      expect(refusal(await out(it, from, bank)), from).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('a payout is refused with 400 AMOUNT_OUT_OF_RANGE beyond the bounds that the platform has configured', async () => {
    const it = await moneyKit();
    await it.patch('/config', { supportedCurrencies: [{ currencyCode: 'USD', minAmount: 100, maxAmount: 5000 }] });
    const { id } = await it.funded('USD', 10_000);
    const bank = it.bank('USD').id;
    const refused = { status: 400, code: 'AMOUNT_OUT_OF_RANGE' };
    expect(refusal(await out(it, id, bank, { amount: 99 }))).toMatchObject(refused);
    expect(refusal(await out(it, id, bank, { amount: 5001 }))).toMatchObject(refused);
    expect((await out(it, id, bank, { amount: 5000 })).status).toBe(201);
  });

  test('a payout from 1000 EUR on to a wallet that is not proven is refused with 400 EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USDC', 9_000_000_000);
    const wallet = it.wallet('abc', { status: 'PENDING_OWNERSHIP_VERIFICATION' }).id;
    const large = await out(it, id, wallet, { amount: 1_200_000_000 });
    expect(refusal(large)).toMatchObject({ status: 400, code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED' });
    expect((await out(it, id, wallet, { amount: 1_000_000_000 })).status).toBe(201);
  });

  test('a payout is refused with 403 END_USER_TERMS_NOT_ACCEPTED for a customer who has not accepted the terms', async () => {
    const it = await unconsentedKit();
    const answer = await it.post('/transfer-out', {
      source: { accountId: it.own.id },
      destination: { accountId: it.bank.id },
      amount: 100,
    });
    expect(refusal(answer)).toMatchObject({ status: 403, code: 'END_USER_TERMS_NOT_ACCEPTED' });
  });

  test('a payout with an Idempotency-Key that was sent with another body is refused with 409 CONFLICT', async () => {
    const it = await moneyKit();
    const headers = { 'idempotency-key': 'k1' };
    const account = { accountId: (await it.funded('USD', 10_000)).id };
    const bank = { accountId: it.bank('USD').id };
    const body = { source: account, destination: bank, amount: 3000 };
    expect((await it.post('/transfer-out', body, { headers })).status).toBe(201);
    const other = await it.post('/transfer-out', { ...body, amount: 3001 }, { headers });
    expect(refusal(other)).toMatchObject({ status: 409, code: 'CONFLICT' });
    await it.settle();
  });
});
