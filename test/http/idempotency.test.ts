import { describe, expect, test } from 'vitest';
import { submitCustomer } from '../../src/areas/customers/index.ts';
import { FIRST_ANSWERS } from '../../src/declare/first-answers.ts';
import { keep, replayed, slotOf } from '../../src/http/idempotency.ts';
import { agentKit, policyOf } from '../areas/agents/material.ts';
import { moneyKit } from '../kit/money.ts';
import { kit } from '../kit/sandbox.ts';
import { stampOf, walletKit } from '../kit/wallet.ts';

const DAY = 'P1D';
const slot = (body = '{}', key = 'k', path = '/x') => slotOf(`POST ${path} ${key}`, undefined, body);
const customer = { customerType: 'INDIVIDUAL' };

describe('Idempotency-Key (spec 4.2)', () => {
  test('a repeated Idempotency-Key gets the first 2xx or 4xx reply, byte for byte', async () => {
    const { world } = (await kit()).sandbox;
    expect(replayed(world, slot())).toBeUndefined();
    keep(world, slot(), 201, '{"a":1}');
    expect(replayed(world, slot())).toMatchObject({ status: 201, text: '{"a":1}' });
    keep(world, slot('{}', 'refused'), 404, 'no');
    expect(replayed(world, slot('{}', 'refused'))).toMatchObject({ status: 404, text: 'no' });
  });

  test('a 5xx or 401 reply is not kept for its Idempotency-Key', async () => {
    const { world } = (await kit()).sandbox;
    for (const status of [500, 503, 401]) {
      keep(world, slot('{}', `k${status}`), status, 'x');
      expect(replayed(world, slot('{}', `k${status}`))).toBeUndefined();
    }
  });

  test('an Idempotency-Key with another body is refused with 409, and on another path it is another request', async () => {
    const { world } = (await kit()).sandbox;
    keep(world, slot(), 201, 'x');
    expect(() => replayed(world, slot('{"a":1}'))).toThrow(expect.objectContaining({ code: 'CONFLICT', status: 409 }));
    expect(replayed(world, slot('{"a":1}', 'k', '/y'))).toBeUndefined();
  });

  test('an Idempotency-Key compares bodies as JSON: white space and the order of members make no difference (S3)', async () => {
    const { world } = (await kit()).sandbox;
    keep(world, slot('{"a":{"x":1,"y":[1,2]},"b":"2"}'), 201, 'x');
    expect(replayed(world, slot(' {"b" : "2",\n"a":{"y":[1,2],"x":1}} '))).toBeDefined();
    for (const other of ['{"a":{"x":1,"y":[2,1]},"b":"2"}', '{"a":{"x":1,"y":[1,2]},"b":2}', '{}', '[["a",1]]'])
      expect(() => replayed(world, slot(other)), other).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    keep(world, slot('{"a":1}', 'object'), 201, 'x');
    expect(() => replayed(world, slot('[["a",1]]', 'object'))).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    keep(world, slot('', 'none'), 201, 'x');
    expect(replayed(world, slot('{}', 'none'))).toBeDefined();
  });

  test('an Idempotency-Key for a hosted link gets the first reply whatever the body is now (S3, spec 4.2)', async () => {
    const it = await kit();
    const path = `/customers/${(await it.post('/customers', customer)).body.id}/kyc-link`;
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' };
    const first = await it.post(path, { redirectUri: 'https://app.example/done' }, { headers });
    expect(first.status).toBe(201);
    for (const raw of ['', '{}', '{ }', '{"redirectUri":"https://other.example"}', '{"redirectUri":1}', '{'])
      expect((await it.post(path, undefined, { headers, raw })).text, raw).toBe(first.text);
  });

  test('a 400 for the shape of a body is not kept for its Idempotency-Key, and a refusal by a rule is (S3)', async () => {
    const it = await moneyKit();
    const usd = await it.account('USD');
    const body = { source: { accountId: usd.id }, destination: { accountId: it.bank('USD').id }, amount: 500 };
    const send = (key: string, sent: object) => it.post('/transfer-out', sent, { headers: { 'idempotency-key': key } });
    expect((await send('shape', { ...body, amount: 'much' })).body.code).toBe('INVALID_INPUT');
    const refused = await it.overlapping('POST', '/transfer-out', body, { headers: { 'idempotency-key': 'rule' } });
    expect(refused.body.code).toBe('INSUFFICIENT_BALANCE');
    await it.funded('USD', 10_000);
    expect((await send('shape', body)).status).toBe(201);
    expect((await send('rule', body)).text).toBe(refused.text);
    expect((await send('other', body)).status).toBe(201);
  });

  const execution = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('a refused execution by the platform is kept for its Idempotency-Key, whatever allows it later (reference 2.4)', async () => {
    const it = await moneyKit();
    const usd = await it.funded('USD', 100_000);
    const source = { sourceType: 'ACCOUNT', accountId: usd.id };
    const quoted = async (more: object = source) =>
      (await it.quote(more, { destinationType: 'ACCOUNT', accountId: it.bank('USD').id })).body.id;
    const [id, pushed] = [
      await quoted(),
      await quoted({ sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id }),
    ];
    const execute = (key: string, quoteId = id) => it.post(`/quotes/${quoteId}/execute`, undefined, execution(key));
    await it.review();
    const refused = await execute('K');
    expect([refused.status, refused.body.code]).toEqual([403, 'USER_NOT_READY']);
    await it.control('POST', `/customers/${it.customer.id}/decision`, { decision: 'APPROVED' });
    expect([(await execute('K')).text, await it.balance(usd.id)]).toEqual([refused.text, 100_000]);
    const funds = await execute('F', pushed);
    expect(funds.body.code).toBe('INVALID_INPUT');
    await it.advance('PT5M');
    expect((await execute('F', pushed)).text).toBe(funds.text);
    expect((await execute('G', pushed)).body.code).toBe('CONFLICT');
    const next = await quoted();
    expect((await execute('K', next)).status).toBe(200);
  });

  test('a refused execution or transfer by an agent is kept for its Idempotency-Key, whatever allows it later (reference 2.4)', async () => {
    const it = await agentKit();
    const agent = await it.agent(policyOf({ spendingLimits: { currency: 'USD', perTransactionLimit: 500 } }));
    const sent = {
      source: { sourceType: 'ACCOUNT', accountId: it.usd.id },
      destination: { destinationType: 'ACCOUNT', accountId: it.bankId },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
    };
    const { id } = (await agent.post('/quotes', sent)).body;
    const transfer = { source: { accountId: it.usd.id }, destination: { accountId: it.bankId }, amount: 1000 };
    const calls = [
      (key: string) => agent.post(`/quotes/${id}/execute`, undefined, execution(key)),
      (key: string) => agent.post('/transfer-out', transfer, execution(key)),
    ];
    const refused = await Promise.all(calls.map((call) => call('K')));
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    await it.patch(
      `/agents/${agent.id}/policy`,
      policyOf({ spendingLimits: { currency: 'USD', perTransactionLimit: 5000 } }),
    );
    expect((await Promise.all(calls.map((call) => call('K')))).map(({ text }) => text)).toEqual(
      refused.map(({ text }) => text),
    );
    expect(await it.balance(it.usd.id)).toBe(100_000);
    expect((await calls[0]?.('other'))?.status).toBe(200);
  });

  test.each(['spec', 'grid'] as const)(
    "an Idempotency-Key for a wallet's quote keeps a refusal by a rule, and none for a missing or wrong signature; profile %s",
    async (profile) => {
      const it = await walletKit({ profile });
      const { key } = await it.login();
      const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
      const quoted = async () => {
        const { body } = await it.post('/quotes', {
          source: { sourceType: 'ACCOUNT', accountId: it.accountId },
          destination: { destinationType: 'ACCOUNT', accountId: usd.id },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 1_000_000,
        });
        const { payloadToSign } = body.paymentInstructions[0].accountOrWalletInfo;
        const header = it.host.profile.walletSignatureHeader.toLowerCase();
        return async (idempotencyKey: string, payload: string | undefined = payloadToSign) => {
          const signed = payload === '' ? {} : { [header]: await stampOf(key, payload) };
          return it.post(`/quotes/${body.id}/execute`, undefined, {
            headers: { 'idempotency-key': idempotencyKey, ...signed },
          });
        };
      };
      const [execute, late] = [await quoted(), await quoted()];
      expect((await execute('K', '')).status).toBe(profile === 'spec' ? 202 : 401);
      expect((await execute('K', 'something else')).status).toBe(401);
      const paid = await execute('K');
      expect(paid.status).toBe(200);
      expect((await execute('K', '')).text).toBe(paid.text);
      const { world } = it.sandbox;
      world.transact(() => submitCustomer(world, it.customerId));
      const refused = await late('L');
      expect([refused.status, refused.body.code]).toEqual([403, 'USER_NOT_READY']);
      await it.control('POST', `/customers/${it.customerId}/decision`, { decision: 'APPROVED' });
      expect((await late('L')).text).toBe(refused.text);
      expect((await late('M')).status).toBe(200);
    },
  );

  test('a reply is kept for its Idempotency-Key for a day of virtual time, and not after a reset', async () => {
    const it = await kit();
    const { world } = it.sandbox;
    keep(world, slot(), 201, 'x');
    await it.advance(DAY);
    expect(replayed(world, slot())).toBeDefined();
    await it.advance('PT1S');
    expect(replayed(world, slot())).toBeUndefined();
    keep(world, slot(), 201, 'y');
    expect(replayed(world, slot())).toMatchObject({ text: 'y' });
    await it.sandbox.begin({ from: 'scenario' });
    expect(replayed(it.sandbox.world, slot())).toBeUndefined();
  });

  test('all replies past their day are removed when the next one is kept', async () => {
    const it = await kit();
    const { world } = it.sandbox;
    for (const key of ['a', 'b', 'c', 'd', 'e']) keep(world, slot('{}', key), 201, key);
    await it.advance('P2D');
    keep(world, slot('{}', 'f'), 201, 'f');
    expect([...world.rows(FIRST_ANSWERS).rows()].map(({ text }) => text)).toEqual(['f']);
  });
});
