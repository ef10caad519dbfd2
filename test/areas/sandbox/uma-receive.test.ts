import { describe, expect, test } from 'vitest';
import { EXTERNAL_ACCOUNTS } from '../../../src/areas/external-accounts/index.ts';
import { type MoneyKit, moneyKit, unconsentedKit } from '../../kit/money.ts';
import { type Reaction, receiver } from '../../kit/receiver.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { asking } from '../customers/material.ts';

/** Ana, and a platform that answers the question about a payment in one way. */
async function asked(reaction: Reaction) {
  const hooks = await receiver();
  hooks.react = ({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? reaction : 200);
  const it = await moneyKit({ webhookUrl: hooks.url });
  return { it, hooks };
}

const receive = (it: MoneyKit, more: object = {}) =>
  it.post('/sandbox/uma/receive', {
    senderUmaAddress: '$success.eur@sandbox.uma.money',
    customerId: it.customer.id,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 7500,
    ...more,
  });

describe('POST /sandbox/uma/receive, 200, and the reply to INCOMING_PAYMENT.PENDING', () => {
  test('an approved UMA payment is credited, with its events (reference 14)', async () => {
    const { it, hooks } = await asked(200);
    const { status, body } = await receive(it);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'PENDING',
      type: 'INCOMING',
      direction: 'CREDIT',
      source: { sourceType: 'UMA_ADDRESS', umaAddress: '$success.eur@sandbox.uma.money' },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$ana@pay.example' },
      receivedAmount: { amount: 7500, currency: { code: 'USD' } },
      counterpartyInformation: { FULL_NAME: 'Sandbox Sender' },
      reconciliationInstructions: { reference: expect.stringMatching(/^REF-/) },
    });
    await it.settle();
    expect(await it.transaction(body.id)).toMatchObject({ status: 'COMPLETED' });
    expect(await it.balance((await it.account('USD')).id)).toBe(7500);
    expect(it.story()).toEqual(['IN.PENDING', 'BALANCE 7500', 'IN.COMPLETED']);
    const question = hooks.received.find(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING');
    expect(question?.event.data.requestedReceiverCustomerInfoFields).toEqual([
      { name: 'NATIONALITY', mandatory: false },
    ]);
  });

  test.each<[Reaction, string, string]>([
    [200, 'COMPLETED', '200 approves the payment'],
    [201, 'FAILED', '201 is none of 200, 202, 403, 409, 422: the payment fails with PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [204, 'FAILED', '204 is none of 200, 202, 403, 409, 422: the payment fails with PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [403, 'REJECTED', '403 rejects the payment'],
    [422, 'FAILED', '422 asks for more than there is: the payment fails with MISSING_MANDATORY_PAYEE_DATA'],
    [500, 'FAILED', '500 is none of 200, 202, 403, 409, 422: the payment fails with PAYMENT_APPROVAL_WEBHOOK_ERROR'],
  ])(
    'a webhook that answers %j leaves the UMA payment %s, and delivery and log say why (S27)',
    async (reaction, status, decision) => {
      const { it } = await asked(reaction);
      const { body } = await receive(it);
      await it.settle();
      expect((await it.transaction(body.id)).status).toBe(status);
      const { data } = (await it.control('GET', '/webhooks?type=INCOMING_PAYMENT.PENDING')).body;
      const delivered = typeof reaction === 'number' && reaction < 300;
      expect(data).toMatchObject([{ state: delivered ? 'DELIVERED' : 'ABANDONED', decision }]);
      const log = (await it.control('GET', '/requests?limit=100')).body.data;
      const asking = log.find((entry: { path: string }) => entry.path.endsWith('/sandbox/uma/receive'));
      const { magic } = (await it.control('GET', `/requests/${asking.id}`)).body;
      expect(magic).toContain(`INCOMING_PAYMENT.PENDING was answered: ${decision}`);
    },
  );

  test.each<[Reaction, string, string | undefined]>([
    [201, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [204, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [403, 'REJECTED', undefined],
    [422, 'FAILED', 'MISSING_MANDATORY_PAYEE_DATA'],
    [500, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    [302, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['drop', 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
  ])(
    'an approval that is answered with %j leaves the UMA payment %s and credits nothing',
    async (reaction, status, failureReason) => {
      const { it } = await asked(reaction);
      const { body } = await receive(it);
      await it.settle();
      const transaction = await it.transaction(body.id);
      expect([transaction.status, transaction.failureReason]).toEqual([status, failureReason]);
      expect(it.story()).toEqual(['IN.PENDING', 'IN.FAILED']);
      expect(await it.balance((await it.account('USD')).id)).toBe(0);
    },
  );

  test('the approval of a UMA payment is requested once, although the webhook answers 500', async () => {
    const { it, hooks } = await asked(500);
    await receive(it);
    await it.advance('P1D');
    expect(hooks.types().filter((type) => type === 'INCOMING_PAYMENT.PENDING')).toHaveLength(1);
  });

  test.each(['hang', 'stall'] as const)(
    'a webhook that answers too late (%s) fails the UMA payment with PAYMENT_APPROVAL_TIMED_OUT',
    async (late) => {
      const hooks = await receiver();
      hooks.react = ({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? late : 200);
      const it = await moneyKit({
        webhookUrl: hooks.url,
        scenario: {
          platform: { currencies: [{ code: 'USD' }, { code: 'EUR' }] },
          limits: { webhookTimeoutSeconds: 0.1 },
        },
      });
      const { body } = await receive(it);
      await it.settle();
      expect((await it.transaction(body.id)).failureReason).toBe('PAYMENT_APPROVAL_TIMED_OUT');
      const { data } = (await it.control('GET', '/webhooks?type=INCOMING_PAYMENT.PENDING')).body;
      expect(data[0].attempts).toMatchObject([{ error: 'no answer within 0.1 s' }]);
      expect(Object.keys(data[0].attempts[0])).not.toContain('outcome');
    },
  );

  test('a webhook that answers 200 without the mandatory data of the receiver fails the UMA payment', async () => {
    const { it } = await asked({ status: 200, body: '{}' });
    const nameless = (await it.post('/customers', { customerType: 'INDIVIDUAL' })).body;
    await it.settle();
    const { body } = await receive(it, { customerId: nameless.id });
    await it.settle();
    expect((await it.transaction(body.id)).failureReason).toBe('MISSING_MANDATORY_PAYEE_DATA');
  });

  const INFO = { receiverCustomerInfo: { FULL_NAME: 'Noa' } };

  test.each([
    ['alone', JSON.stringify(INFO)],
    ['in an answer of 3,000 bytes', JSON.stringify({ note: 'x'.repeat(2950), ...INFO })],
    ['behind a byte order mark', `\ufeff${JSON.stringify(INFO)}`],
  ])(
    'a webhook that answers 200 with the mandatory data of the receiver, %s, completes the UMA payment',
    async (_, body) => {
      const { it } = await asked({ status: 200, body });
      const nameless = (await it.post('/customers', { customerType: 'INDIVIDUAL' })).body;
      await it.settle();
      const answer = await receive(it, { customerId: nameless.id });
      await it.settle();
      expect((await it.transaction(answer.body.id)).status).toBe('COMPLETED');
      const { data } = (await it.control('GET', '/webhooks?type=INCOMING_PAYMENT.PENDING')).body;
      expect(data[0].attempts[0].body).toBe(body.slice(0, 2048));
    },
  );

  test.each<[Reaction, string, string]>([
    [200, 'COMPLETED', '200 approves the payment'],
    [403, 'REJECTED', '403 rejects the payment'],
  ])(
    'a redelivery that is answered %j leaves the UMA payment %s while it waits',
    async (reaction, status, decision) => {
      const { it, hooks } = await asked(202);
      const { body } = await receive(it);
      await it.settle();
      hooks.react = () => reaction;
      const { data } = (await it.control('GET', '/webhooks?type=INCOMING_PAYMENT.PENDING')).body;
      const redelivered = await it.control('POST', `/webhooks/${data[0].id}/redeliver`);
      await it.settle();
      expect((await it.transaction(body.id)).status).toBe(status);
      expect(redelivered.body.decision).toBe(decision);
    },
  );

  test('a redelivery that is not answered leaves a UMA payment to the decision that a 202 has announced', async () => {
    const { it, hooks } = await asked(202);
    const { body } = await receive(it);
    await it.settle();
    hooks.react = () => 'drop';
    const { data } = (await it.control('GET', '/webhooks?type=INCOMING_PAYMENT.PENDING')).body;
    await it.control('POST', `/webhooks/${data[0].id}/redeliver`);
    expect((await it.transaction(body.id)).status).toBe('PENDING');
    expect((await it.post(`/transactions/${body.id}/approve`)).status).toBe(200);
  });

  test('a redelivery of an event whose UMA payment is decided changes nothing', async () => {
    const { it, hooks } = await asked(200);
    const { body } = await receive(it);
    await it.settle();
    hooks.react = () => 403;
    const { data } = (await it.control('GET', '/webhooks?type=INCOMING_PAYMENT.PENDING')).body;
    await it.control('POST', `/webhooks/${data[0].id}/redeliver`);
    await it.settle();
    expect((await it.transaction(body.id)).status).toBe('COMPLETED');
  });

  test.each([
    ['$success.usd@sandbox.uma.money', 'PT0S', 'COMPLETED'],
    ['$success.mxn@sandbox.uma.money', 'PT0S', 'COMPLETED'],
    ['$pending.long.usd@sandbox.uma.money', 'PT1M', 'PROCESSING'],
    ['$pending.long.usd@sandbox.uma.money', 'PT6M', 'COMPLETED'],
    ['$fail.compliance.usd@sandbox.uma.money', 'PT0S', 'FAILED'],
  ])('an approved UMA payment from %s is, after %s, %s', async (senderUmaAddress, after, status) => {
    const { it } = await asked(200);
    const { body } = await receive(it, { senderUmaAddress });
    await it.settle();
    await it.advance(after);
    expect((await it.transaction(body.id)).status).toBe(status);
  });

  test.each([
    ['$fail.compliance.usd@sandbox.uma.money', undefined, 'COMPLIANCE_REJECTED', 'COMPLETED'],
    ['$success.eur@sandbox.uma.money', '002', 'OFFRAMP_FAILED', 'COMPLETED'],
    ['$success.eur@sandbox.uma.money', '007', 'OFFRAMP_FAILED', 'FAILED'],
  ])(
    'an approved UMA payment from %s with the bank suffix %s fails, and events report its refund',
    async (sender, suffix, reason, refund) => {
      const { it } = await asked(200);
      if (suffix) it.bank('USD', suffix, { defaultUmaDepositAccount: true });
      const { body } = await receive(it, { senderUmaAddress: sender });
      await it.settle();
      expect(await it.transaction(body.id)).toMatchObject({
        status: 'FAILED',
        failureReason: reason,
        refund: { status: refund, reason: 'TRANSACTION_FAILED', reference: expect.stringMatching(/^RF-/) },
      });
      expect(it.story()).toEqual(['IN.PENDING', 'IN.FAILED', 'IN.REFUND_PENDING', `IN.REFUND_${refund}`]);
      expect(await it.balance((await it.account('USD')).id)).toBe(0);
    },
  );

  test('a UMA payment shows the platform the sender data that it requires of counterparties', async () => {
    const { it } = await asked(200);
    const requiredCounterpartyFields = [{ name: 'NATIONALITY', mandatory: true }];
    await it.patch('/config', { supportedCurrencies: [{ currencyCode: 'USD', requiredCounterpartyFields }] });
    const { body } = await receive(it);
    expect(body.counterpartyInformation).toEqual({ FULL_NAME: 'Sandbox Sender', NATIONALITY: 'US' });
    await it.settle();
  });

  test('an approval for a customer who was deleted in the meantime fails the UMA payment with PAY_REQUEST_FAILED', async () => {
    const { it } = await asked(200);
    const { body } = await receive(it);
    await it.del(`/customers/${it.customer.id}`);
    await it.settle();
    expect((await it.transaction(body.id)).failureReason).toBe('PAY_REQUEST_FAILED');
  });

  test('the receiver of a UMA payment can be named by address, in any case', async () => {
    const { it } = await asked(200);
    const sent = { customerId: undefined, receiverUmaAddress: '$ANA@pay.example' };
    expect((await receive(it, sent)).body.customerId).toBe(it.customer.id);
    await it.settle();
  });
});

describe('a UMA payment that the webhook answers with 202: decided by endpoint within 5 virtual seconds (spec 3.4, 4.7)', () => {
  test('an approval by endpoint credits the UMA payment, and a second decision is refused with 409', async () => {
    const { it } = await asked(202);
    const { id } = (await receive(it)).body;
    await it.settle();
    expect((await it.transaction(id)).status).toBe('PENDING');
    await it.advance('PT4.9S');
    const { status, body } = await it.post(`/transactions/${id}/approve`, { receiverCustomerInfo: {} });
    expect([status, body.status]).toEqual([200, 'PROCESSING']);
    await it.settle();
    expect((await it.transaction(id)).status).toBe('COMPLETED');
    for (const verb of ['approve', 'reject'])
      expect(refusal(await it.post(`/transactions/${id}/${verb}`))).toMatchObject({
        status: 409,
        code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
      });
    await it.advance('PT1M');
    expect(it.story()).toEqual(['IN.PENDING', 'BALANCE 7500', 'IN.COMPLETED']);
  });

  test('a rejection by endpoint makes the UMA payment REJECTED', async () => {
    const { it } = await asked(202);
    const { id } = (await receive(it)).body;
    await it.settle();
    const { status, body } = await it.post(`/transactions/${id}/reject`, { reason: 'unknown sender' });
    expect([status, body.status]).toEqual([200, 'REJECTED']);
    await it.settle();
    expect(it.story()).toEqual(['IN.PENDING', 'IN.FAILED']);
  });

  test('a UMA payment that nobody decides within 5 seconds fails, and an approval after that is refused with 409', async () => {
    const { it } = await asked(202);
    const { id } = (await receive(it)).body;
    await it.settle();
    await it.advance('PT5S');
    expect(await it.transaction(id)).toMatchObject({ status: 'FAILED', failureReason: 'PAYMENT_APPROVAL_TIMED_OUT' });
    expect((await it.post(`/transactions/${id}/approve`)).status).toBe(409);
  });

  test('an approval is refused with 403 for a customer under review and 404 for a deleted one, and the payment still waits', async () => {
    const { it } = await asked(202);
    const { id } = (await receive(it)).body;
    await it.settle();
    await it.review();
    const approve = async () => refusal(await it.post(`/transactions/${id}/approve`));
    expect(await approve()).toMatchObject({ status: 403, code: 'USER_NOT_READY' });
    await it.del(`/customers/${it.customer.id}`);
    expect(await approve()).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    expect((await it.transaction(id)).status).toBe('PENDING');
  });

  test.each([
    ['is deleted', async (it: MoneyKit, id: string) => it.del(`/customers/external-accounts/${id}`)],
    [
      'loses its proof',
      async (it: MoneyKit, id: string) => {
        const accounts = it.sandbox.world.rows(EXTERNAL_ACCOUNTS);
        it.sandbox.world.transact(() => {
          const account = accounts.get(id);
          if (account) accounts.put({ ...account, status: 'UNVERIFIED' });
        });
      },
    ],
  ])(
    'the internal account is credited where the chosen account %s before the money arrives (reference 14)',
    async (_, end) => {
      for (const when of ['before approval', 'after approval'] as const) {
        const hooks = await receiver();
        hooks.react = ({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? 202 : 200);
        const scenario = {
          platform: { currencies: [{ code: 'USD' }, { code: 'EUR' }] },
          policies: { 'transaction.settle': 'after PT1H' },
        };
        const it = await moneyKit({ webhookUrl: hooks.url, scenario });
        const chosen = it.bank('USD', '999', { defaultUmaDepositAccount: true });
        const { id } = (await receive(it)).body;
        await it.settle();
        if (when === 'before approval') await end(it, chosen.id);
        expect((await it.post(`/transactions/${id}/approve`)).status).toBe(200);
        if (when === 'after approval') await end(it, chosen.id);
        await it.advance('PT1H');
        expect((await it.transaction(id)).status, when).toBe('COMPLETED');
        expect(await it.balance((await it.account('USD')).id), when).toBe(7500);
        expect(it.story(), when).toEqual(['IN.PENDING', 'BALANCE 7500', 'IN.COMPLETED']);
      }
    },
  );

  test('an account chosen after the payment was announced receives the money, and its suffix decides the outcome (reference 14)', async () => {
    for (const [suffix, status] of [['999', 'COMPLETED'] as const, ['002', 'FAILED'] as const]) {
      const { it } = await asked(202);
      const { id } = (await receive(it)).body;
      await it.settle();
      it.bank('USD', suffix, { defaultUmaDepositAccount: true });
      expect((await it.control('GET', `/transactions/${id}`)).body.because ?? null).not.toBeNull();
      expect((await it.post(`/transactions/${id}/approve`)).status).toBe(200);
      await it.settle();
      expect((await it.transaction(id)).status).toBe(status);
      expect(await it.balance((await it.account('USD')).id)).toBe(0);
    }
  });

  test.each<[string, string | undefined, string | undefined, string, number]>([
    ['002 is deleted', '002', undefined, 'COMPLETED', 7500],
    ['007 is deleted', '007', undefined, 'COMPLETED', 7500],
    ['002 is replaced by 999', '002', '999', 'COMPLETED', 0],
    ['999 is replaced by 002', '999', '002', 'FAILED', 0],
    ['002 is first chosen', undefined, '002', 'FAILED', 0],
  ])(
    'when %s after approval, the account chosen at the end decides the outcome by its suffix (reference 14)',
    async (_, before, after, status, balance) => {
      for (const profile of ['spec', 'grid'] as const) {
        const hooks = await receiver();
        hooks.react = ({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? 202 : 200);
        const scenario = {
          platform: { currencies: [{ code: 'USD' }, { code: 'EUR' }] },
          policies: { 'transaction.settle': 'after PT1H' },
        };
        const it = await moneyKit({ webhookUrl: hooks.url, scenario, profile });
        const chosen = before && it.bank('USD', before, { defaultUmaDepositAccount: true });
        const { id } = (await receive(it)).body;
        await it.settle();
        expect((await it.post(`/transactions/${id}/approve`)).status).toBe(200);
        if (chosen) await it.del(`/customers/external-accounts/${chosen.id}`);
        if (after) it.bank('USD', after, { defaultUmaDepositAccount: true });
        const { because, next } = (await it.control('GET', `/transactions/${id}`)).body;
        const fails = status === 'FAILED';
        expect(next[0]).toBe(fails ? 'fail' : 'complete');
        expect(because).toMatch(fails ? /ends in 002/ : /no other outcome/);
        const { data } = (await it.control('GET', '/jobs')).body;
        const settles = data.find(({ kind }: { kind: string }) => kind === 'transaction.settle');
        expect(JSON.stringify(settles)).toMatch(fails ? /fail \(offramp failed\)/ : /complete/);
        await it.advance('PT1H');
        expect((await it.transaction(id)).status).toBe(status);
        expect(await it.balance((await it.account('USD')).id)).toBe(balance);
      }
    },
  );

  test.each(['PENDING', 'UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION'] as const)(
    'a chosen account that is %s neither receives the money nor decides by its suffix (reference 14)',
    async (state) => {
      const { it } = await asked(200);
      it.bank('USD', '002', { defaultUmaDepositAccount: true, status: state });
      const { body } = await receive(it);
      await it.settle();
      expect((await it.transaction(body.id)).status).toBe('COMPLETED');
      expect(await it.balance((await it.account('USD')).id)).toBe(7500);
    },
  );

  test('an approval is refused with 400 MISSING_MANDATORY_USER_INFO without the data of the receiver, and can be repeated with it', async () => {
    const { it } = await asked(202);
    const nameless = (await it.post('/customers', { customerType: 'INDIVIDUAL' })).body;
    await it.settle();
    const { id } = (await receive(it, { customerId: nameless.id })).body;
    await it.settle();
    expect(refusal(await it.post(`/transactions/${id}/approve`, {}))).toEqual({
      status: 400,
      code: 'MISSING_MANDATORY_USER_INFO',
      fields: ['receiverCustomerInfo.FULL_NAME'],
    });
    const answer = await it.post(`/transactions/${id}/approve`, { receiverCustomerInfo: { FULL_NAME: 'Noa' } });
    expect(answer.status).toBe(200);
    await it.settle();
  });
});

describe('POST /sandbox/uma/receive, refused', () => {
  test('a UMA payment is refused with 400 WEBHOOK_ENDPOINT_NOT_SET where no endpoint could approve it', async () => {
    const it = await moneyKit();
    expect(refusal(await receive(it))).toMatchObject({ status: 400, code: 'WEBHOOK_ENDPOINT_NOT_SET' });
  });

  test('a UMA payment is refused with 400, 403 or 404 for wrong senders, receivers, currencies and amounts, and 401 without credentials', async () => {
    const { it } = await asked(200);
    const code = async (more: object) => {
      const { status, code: word } = refusal(await receive(it, more));
      return `${status} ${word}`;
    };
    expect(await code({ senderUmaAddress: '$non.existent.usd@sandbox.uma.money' })).toBe('404 UMA_NOT_FOUND');
    expect(await code({ senderUmaAddress: 'nobody' })).toBe('400 INVALID_UMA_ADDRESS');
    expect(await code({ senderUmaAddress: '$ana@pay.example' })).toBe('400 INVALID_INPUT');
    expect(await code({ customerId: 'Customer:x' })).toBe('404 USER_NOT_FOUND');
    expect(await code({ customerId: undefined })).toBe('400 INVALID_INPUT');
    expect(await code({ receiverUmaAddress: '$ana@pay.example' })).toBe('400 INVALID_INPUT');
    expect(await code({ receivingCurrencyCode: 'NGN' })).toBe('400 INVALID_CURRENCY');
    expect(await code({ receivingCurrencyAmount: 0 })).toBe('400 INVALID_INPUT');
    const pending = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo 001' })).body;
    await it.settle();
    expect(await code({ customerId: pending.id })).toBe('403 USER_NOT_READY');
    expect((await it.post('/sandbox/uma/receive', {}, { as: null })).status).toBe(401);
    await it.patch('/config', { supportedCurrencies: [{ currencyCode: 'USD', minAmount: 100, maxAmount: 7499 }] });
    expect(await code({})).toBe('400 AMOUNT_OUT_OF_RANGE');
    // As many pesos as that costs, no balance can count.
    const most = 9_000_000_000_000_000;
    await it.patch('/config', { supportedCurrencies: [{ currencyCode: 'USD', maxAmount: most }] });
    const dear = { senderUmaAddress: '$success.mxn@sandbox.uma.money', receivingCurrencyAmount: most };
    expect(await code(dear)).toBe('400 AMOUNT_OUT_OF_RANGE');
    await it.del(`/customers/${it.customer.id}`);
    expect(await code({})).toBe('404 USER_NOT_FOUND');
    await it.settle();
  });

  test('a UMA payment is refused with 403 END_USER_TERMS_NOT_ACCEPTED where the platform requires the terms', async () => {
    const hooks = await receiver();
    const it = await unconsentedKit({ webhookUrl: hooks.url });
    const answer = await it.post('/sandbox/uma/receive', {
      senderUmaAddress: '$success.usd@sandbox.uma.money',
      customerId: it.customer.id,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 7500,
    });
    expect(refusal(answer)).toMatchObject({ status: 403, code: 'END_USER_TERMS_NOT_ACCEPTED' });
  });

  test('a UMA payment is refused with 400 MISSING_MANDATORY_USER_INFO where the currency requires what the customer lacks (spec 2.1)', async () => {
    const it = await kit({ scenario: asking });
    const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL' })).body;
    const answer = await it.post('/sandbox/uma/receive', {
      senderUmaAddress: '$success.usd@sandbox.uma.money',
      customerId: id,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 7500,
    });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'MISSING_MANDATORY_USER_INFO' });
  });
});
