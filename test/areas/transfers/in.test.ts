import { describe, expect, test } from 'vitest';
import { type MoneyKit, moneyKit, unconsentedKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const collect = (it: MoneyKit, from: string, to: string, more: object = {}) =>
  it.post('/transfer-in', { source: { accountId: from }, destination: { accountId: to }, amount: 3000, ...more });

describe('POST /transfer-in, 201', () => {
  test('a transfer-in credits the account only when the collection succeeds (spec 3.4)', async () => {
    const it = await moneyKit();
    const { id } = await it.account('USD');
    it.sandbox.world.scheduler.sleep();
    const { status, body } = await collect(it, it.bank('USD').id, id);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'PENDING', type: 'INCOMING', direction: 'CREDIT', fees: 0 });
    expect(await it.balance(id)).toBe(0);
    it.sandbox.world.scheduler.wake();
    await it.settle();
    expect(await it.transaction(body.id)).toMatchObject({ status: 'COMPLETED', settledAt: expect.any(String) });
    expect(await it.balance(id)).toBe(3000);
    expect(it.story()).toEqual(['BALANCE 3000', 'IN.COMPLETED']);
  });

  test.each(['002', '003', '004'])(
    'a transfer-in from a bank account that ends in %s fails and changes no balance',
    async (suffix) => {
      const it = await moneyKit();
      const { id } = await it.account('USD');
      const { body } = await collect(it, it.bank('USD', suffix).id, id);
      await it.settle();
      expect(await it.transaction(body.id)).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' });
      expect(it.story()).toEqual(['IN.FAILED']);
      expect(await it.balance(id)).toBe(0);
    },
  );

  test('a transfer-in from a bank account that ends in 005 stays PENDING for 30 virtual seconds, then fails', async () => {
    const it = await moneyKit();
    const { body } = await collect(it, it.bank('USD', '005').id, (await it.account('USD')).id);
    await it.advance('PT29S');
    expect((await it.transaction(body.id)).status).toBe('PENDING');
    await it.advance('PT1S');
    expect((await it.transaction(body.id)).status).toBe('FAILED');
  });

  test('two requests for a transfer-in with the same Idempotency-Key collect once', async () => {
    const it = await moneyKit();
    const { id } = await it.account('USD');
    const body = { source: { accountId: it.bank('USD').id }, destination: { accountId: id }, amount: 3000 };
    const headers = { 'idempotency-key': 'k1' };
    const first = await it.post('/transfer-in', body, { headers });
    expect((await it.post('/transfer-in', body, { headers })).text).toBe(first.text);
    await it.settle();
    expect(await it.balance(id)).toBe(3000);
  });
});

describe('POST /transfer-in, refused', () => {
  test('a transfer-in that lacks a member or breaks a rule is refused with 400', async () => {
    const it = await moneyKit();
    const { id } = await it.account('USD');
    const bank = it.bank('USD').id;
    const code = async (from: string, to: string, more?: object) => refusal(await collect(it, from, to, more)).code;
    expect(await code(bank, id, { amount: undefined })).toBe('INVALID_AMOUNT');
    expect(await code(bank, (await it.account('EUR')).id)).toBe('INVALID_CURRENCY');
    expect(await code(it.wallet().id, (await it.account('USDC')).id)).toBe('INVALID_INPUT');
    expect(await code(bank, id, { amount: 1e17 })).toBe('INVALID_INPUT');
    expect(await code(bank, id, { amount: 200_000_000_000 })).toBe('AMOUNT_OUT_OF_RANGE');
  });

  test('a transfer-in is refused with 401 without credentials, 404 for unknown accounts, and 403 for a customer who is not approved', async () => {
    const it = await moneyKit();
    const { id } = await it.account('USD');
    const bank = it.bank('USD').id;
    expect((await it.post('/transfer-in', {}, { as: null })).status).toBe(401);
    expect(refusal(await collect(it, 'ExternalAccount:x', id))).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
    expect(refusal(await collect(it, bank, 'InternalAccount:x'))).toMatchObject({ status: 404 });
    await it.control('POST', `/customers/${it.customer.id}/decision`, { decision: 'REJECTED' });
    const pending = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo 001' })).body;
    await it.settle();
    const theirs = it.bank('USD', '999', { customerId: pending.id }).id;
    const target = (await it.account('USD', pending.id)).id;
    expect(refusal(await collect(it, theirs, target))).toMatchObject({ status: 403, code: 'USER_NOT_READY' });
  });

  test('a transfer-in is refused with 404 USER_NOT_FOUND for a deleted customer, and 403 USER_NOT_READY for one under review', async () => {
    const it = await moneyKit();
    const { id } = await it.account('USD');
    const bank = it.bank('USD').id;
    await it.review();
    expect(refusal(await collect(it, bank, id))).toMatchObject({ status: 403, code: 'USER_NOT_READY' });
    await it.del(`/customers/${it.customer.id}`);
    expect(refusal(await collect(it, bank, id))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    const own = (await it.account('USD', 'platform')).id;
    expect(refusal(await collect(it, bank, own))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('a transfer-in is refused with 403 END_USER_TERMS_NOT_ACCEPTED for a customer who has not accepted the terms', async () => {
    const it = await unconsentedKit();
    const answer = await it.post('/transfer-in', {
      source: { accountId: it.bank.id },
      destination: { accountId: it.own.id },
      amount: 100,
    });
    expect(refusal(answer)).toMatchObject({ status: 403, code: 'END_USER_TERMS_NOT_ACCEPTED' });
  });

  test('a transfer-in with an Idempotency-Key that was sent with another body is refused with 409 CONFLICT', async () => {
    const it = await moneyKit();
    const headers = { 'idempotency-key': 'k1' };
    const account = { accountId: (await it.funded('USD', 10_000)).id };
    const bank = { accountId: it.bank('USD').id };
    const body = { source: bank, destination: account, amount: 3000 };
    expect((await it.post('/transfer-in', body, { headers })).status).toBe(201);
    const other = await it.post('/transfer-in', { ...body, amount: 3001 }, { headers });
    expect(refusal(other)).toMatchObject({ status: 409, code: 'CONFLICT' });
    await it.settle();
  });
});
