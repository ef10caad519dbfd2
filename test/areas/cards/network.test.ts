import { describe, expect, test } from 'vitest';
import { cardPayments } from '../../kit/card-payments.ts';
import { type CardKit, cardKit, MERCHANT } from '../../kit/cards.ts';
import { refusal } from '../../kit/sandbox.ts';

/** A payment of 10.00 USD by a card, and what the network tells of it afterwards. */
async function paid(options: Parameters<typeof cardKit>[0] = {}, amount = 1000) {
  const it = await cardKit(options);
  const card = await it.card();
  const t = await it.pay(card, amount);
  it.story();
  const tell = async (what: string, more: object = {}) => {
    const answer = await it.tell(card, what, { cardTransactionId: t.id, ...more });
    await it.settle();
    return answer;
  };
  return { it, card, t, tell, now: () => it.read(t), usd: () => it.balances(it.accounts['USD']) };
}
/** The id of a payment that no card made. */
async function transfer(it: CardKit): Promise<string> {
  const { body: quote } = await it.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: it.accounts['USD'].id },
    destination: { destinationType: 'ACCOUNT', accountId: it.accounts['EUR'].id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1000,
  });
  expect((await it.get(`/transactions/${quote.transactionId}`)).body.type).toBe('OUTGOING');
  return quote.transactionId;
}
const HELD = {
  scenario: {
    platform: { currencies: ['USD', 'EUR', 'USDB'].map((code) => ({ code })) },
    policies: { 'card.pull': 'hold' },
  },
} as const;

describe('a clearing', () => {
  test('a clearing of the whole authorized amount settles the payment (reference 4.4)', async () => {
    const { it, t, tell, now } = await paid();
    const { status, body } = await tell('clearing', { amount: 1000 });
    expect([status, body]).toEqual([202, { issuerTransactionToken: t.issuerTransactionToken }]);
    expect(await now()).toMatchObject({
      status: 'SETTLED',
      settledAmount: { amount: 1000 },
      pullSummary: { count: 1, totalAmount: 1000, pendingCount: 0 },
      settlementSummary: { count: 1, totalAmount: 1000 },
    });
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED']);
  });

  test('a clearing of a part leaves the rest open, and parts add up until the payment settles (reference 4.4)', async () => {
    const { it, tell, now } = await paid();
    await tell('clearing', { amount: 400 });
    expect(await now()).toMatchObject({
      status: 'PARTIALLY_SETTLED',
      settlementSummary: { count: 1, totalAmount: 400 },
    });
    await tell('clearing', { amount: 600 });
    expect(await now()).toMatchObject({ status: 'SETTLED', settlementSummary: { count: 2, totalAmount: 1000 } });
    expect(it.story()).toEqual(['CARD_TRANSACTION.PARTIALLY_SETTLED', 'CARD_TRANSACTION.SETTLED']);
  });

  test('a clearing above the authorized amount pulls the difference (reference 4.4)', async () => {
    const { it, tell, now, usd } = await paid({}, 1250);
    await tell('clearing', { amount: 1500 });
    expect(await now()).toMatchObject({
      status: 'SETTLED',
      authorizedAmount: { amount: 1250 },
      settledAmount: { amount: 1500 },
      pullSummary: { count: 2, totalAmount: 1500, pendingCount: 0 },
      settlementSummary: { count: 1, totalAmount: 1500 },
    });
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED', '28500/28750', '28500/28500']);
    expect(await usd()).toEqual([28_500, 28_500]);
  });

  test('a clearing above what the account covers makes the payment an EXCEPTION, and every later message is refused (reference 4.4)', async () => {
    const { it, tell, now, usd } = await paid({}, 30_000);
    await tell('clearing', { amount: 30_001 });
    expect(await now()).toMatchObject({
      status: 'EXCEPTION',
      pullSummary: { count: 2, totalAmount: 30_000, pendingCount: 0 },
      settlementSummary: { count: 1, totalAmount: 30_001 },
    });
    expect(it.story()).toEqual(['CARD_TRANSACTION.EXCEPTION']);
    expect(await usd()).toEqual([0, 0]);
    for (const [what, more] of [
      ['clearing', { amount: 1 }],
      ['authorization_advice', { amount: 1 }],
      ['return', { amount: 1 }],
      ['return_reversal', {}],
    ] as const)
      expect(refusal(await tell(what, more))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  test('a clearing of 0 ends the authorization and returns what was pulled (reference 4.4)', async () => {
    const { it, tell, now, usd } = await paid();
    await tell('clearing', { amount: 0 });
    expect(await now()).toMatchObject({
      status: 'SETTLED',
      pullSummary: { count: 1, totalAmount: 0, pendingCount: 0 },
      settlementSummary: { count: 0, totalAmount: 0 },
    });
    expect((await now()).settledAmount).toBe(undefined);
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED', '30000/30000']);
    expect(await usd()).toEqual([30_000, 30_000]);
    expect(refusal(await tell('clearing', { amount: 1000 }))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  test('a clearing of 0 after a partial one returns the rest, held or pulled (reference 4.4)', async () => {
    for (const options of [{}, HELD]) {
      const { tell, now, usd } = await paid(options);
      await tell('clearing', { amount: 300 });
      await tell('clearing', { amount: 0 });
      expect(await now()).toMatchObject({ status: 'SETTLED', pullSummary: { count: 1, totalAmount: 300 } });
      expect(await usd()).toEqual([29_700, options === HELD ? 30_000 : 29_700]);
    }
  });
});

describe('the end of a hold', () => {
  test('a hold ends after a week of the virtual clock, as with a clearing of 0', async () => {
    const { it, now, usd } = await paid();
    await it.advance('P6DT23H59M59S');
    expect((await now()).status).toBe('AUTHORIZED');
    await it.advance('PT1S');
    expect((await now()).status).toBe('SETTLED');
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED', '30000/30000']);
    expect(await usd()).toEqual([30_000, 30_000]);
  });

  test('a hold lasts as long as limits.cardHoldSeconds says, and ends nothing once its payment has settled', async () => {
    const { it, card, tell, now } = await paid({
      scenario: {
        platform: { currencies: ['USD', 'EUR', 'USDB'].map((code) => ({ code })) },
        limits: { cardHoldSeconds: 60 },
      },
    });
    await tell('clearing', { amount: 1000 });
    expect(it.sandbox.world.scheduler.jobs.size).toBe(0);
    await it.advance('PT61S');
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED']);
    expect((await now()).settledAmount.amount).toBe(1000);
    const open = await it.pay(card, 1000);
    await it.advance('PT59S');
    expect((await it.read(open)).status).toBe('AUTHORIZED');
    await it.advance('PT1S');
    expect((await it.read(open)).status).toBe('SETTLED');
  });

  test('a clearing of 0 after the cleared part was returned makes the payment REFUNDED', async () => {
    const { it, tell, now } = await paid();
    await tell('clearing', { amount: 400 });
    await tell('return', { amount: 400 });
    expect((await now()).status).toBe('PARTIALLY_SETTLED');
    await tell('clearing', { amount: 0 });
    expect(await now()).toMatchObject({ status: 'REFUNDED', refundSummary: { count: 1, totalAmount: 400 } });
    expect(it.story()).toEqual([
      'CARD_TRANSACTION.PARTIALLY_SETTLED',
      'CARD_TRANSACTION.PARTIALLY_SETTLED',
      '29400/29400',
      'CARD_TRANSACTION.REFUNDED',
      '30000/30000',
    ]);
  });
});

test('the request log shows a message of the card network as it was sent, as done, and why the payment was declined', async () => {
  const { it, card } = await paid();
  const sent = { amount: 1, currency: { code: 'USD' }, merchant: { descriptor: 'SHOP 002' } };
  const answer = await it.tell(card, 'authorization', sent);
  const { body: entry } = await it.control('GET', `/requests/${answer.headers.get('x-request-id')}`);
  expect([entry.why.outcome, entry.magic]).toEqual([
    'done',
    [`declined, INSUFFICIENT_FUNDS: the merchant's descriptor ends in 002`],
  ]);
  expect(JSON.parse(entry.request.body)).toEqual(sent);
});

describe('an authorization advice', () => {
  test('an authorization advice pulls more or returns the difference, and leaves the status (reference 4.1)', async () => {
    const { it, tell, now, usd } = await paid();
    await tell('authorization_advice', { amount: 2000 });
    expect(await now()).toMatchObject({
      status: 'AUTHORIZED',
      authorizedAmount: { amount: 2000 },
      pullSummary: { count: 2, totalAmount: 2000, pendingCount: 0 },
    });
    await tell('authorization_advice', { amount: 500 });
    expect(await now()).toMatchObject({
      authorizedAmount: { amount: 500 },
      pullSummary: { count: 2, totalAmount: 500 },
    });
    expect(await usd()).toEqual([29_500, 29_500]);
    expect(it.story()).toEqual([
      'CARD_TRANSACTION.AUTHORIZED',
      '28000/29000',
      '28000/28000',
      'CARD_TRANSACTION.AUTHORIZED',
      '29500/29500',
    ]);
  });

  test('an authorization advice to the cleared amount settles the payment; a lower one and a later one are refused with 400', async () => {
    const { it, tell, now } = await paid();
    await tell('clearing', { amount: 400 });
    expect(refusal(await tell('authorization_advice', { amount: 399 }))).toMatchObject({
      status: 400,
      fields: ['amount'],
    });
    await tell('authorization_advice', { amount: 600 });
    await tell('authorization_advice', { amount: 400 });
    expect(await now()).toMatchObject({ status: 'SETTLED', pullSummary: { totalAmount: 400 } });
    expect(it.story()).toEqual([
      'CARD_TRANSACTION.PARTIALLY_SETTLED',
      'CARD_TRANSACTION.PARTIALLY_SETTLED',
      '29400/29400',
      'CARD_TRANSACTION.SETTLED',
      '29600/29600',
    ]);
    expect(refusal(await tell('authorization_advice', { amount: 500 }))).toMatchObject({
      status: 400,
      fields: ['cardTransactionId'],
    });
  });

  test('an authorization advice to a cleared amount that was all returned makes the payment REFUNDED, and that can be reversed', async () => {
    const { it, tell, now, usd } = await paid();
    await tell('clearing', { amount: 400 });
    await tell('return', { amount: 400 });
    await tell('authorization_advice', { amount: 400 });
    expect(await now()).toMatchObject({ status: 'REFUNDED', refundedAmount: { amount: 400 } });
    expect(it.story().slice(-2)).toEqual(['CARD_TRANSACTION.REFUNDED', '30000/30000']);
    await tell('return_reversal');
    expect([(await now()).status, await usd()]).toEqual(['SETTLED', [29_600, 29_600]]);
  });

  test('an authorization advice that the account does not cover makes the payment an EXCEPTION (reference 4.5)', async () => {
    const { tell, now } = await paid();
    await tell('authorization_advice', { amount: 30_001 });
    expect(await now()).toMatchObject({ status: 'EXCEPTION', pullSummary: { count: 2, totalAmount: 1000 } });
  });
});

describe('a return', () => {
  test('a return of a part credits the account and leaves the payment SETTLED; one of the rest makes it REFUNDED (reference 4.5, 17)', async () => {
    const { it, tell, now, usd } = await paid();
    await tell('clearing', { amount: 1000 });
    await tell('return', { amount: 400 });
    expect(await now()).toMatchObject({
      status: 'SETTLED',
      refundedAmount: { amount: 400 },
      refundSummary: { count: 1, totalAmount: 400 },
    });
    expect(refusal(await tell('return', { amount: 601 }))).toMatchObject({ status: 400, fields: ['amount'] });
    await tell('return', { amount: 600 });
    expect(await now()).toMatchObject({ status: 'REFUNDED', refundSummary: { count: 2, totalAmount: 1000 } });
    expect(await usd()).toEqual([30_000, 30_000]);
    expect(it.story()).toEqual([
      'CARD_TRANSACTION.SETTLED',
      'CARD_TRANSACTION.SETTLED',
      '29400/29400',
      'CARD_TRANSACTION.REFUNDED',
      '30000/30000',
    ]);
    for (const what of ['return', 'clearing'])
      expect(refusal(await tell(what, { amount: 1 }))).toMatchObject({ status: 400, fields: ['cardTransactionId'] });
  });

  test('a return before any clearing is refused with 400 (reference 4.1)', async () => {
    const { tell } = await paid();
    expect(refusal(await tell('return', { amount: 1 }))).toMatchObject({ status: 400, fields: ['cardTransactionId'] });
  });

  test('a return is reversed only as a whole and only once, and the account pays again (reference 4.5, 17)', async () => {
    const { it, tell, now, usd } = await paid();
    await tell('clearing', { amount: 1000 });
    expect(refusal(await tell('return_reversal'))).toMatchObject({ status: 400, fields: ['cardTransactionId'] });
    await tell('return', { amount: 300 });
    expect(refusal(await tell('return_reversal')).status).toBe(400);
    await tell('return', { amount: 700 });
    it.story();
    expect((await tell('return_reversal')).status).toBe(202);
    expect(await now()).toMatchObject({ status: 'SETTLED', refundSummary: { count: 0, totalAmount: 0 } });
    expect((await now()).refundedAmount).toBe(undefined);
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED', '29000/29000']);
    expect(await usd()).toEqual([29_000, 29_000]);
    expect(refusal(await tell('return_reversal')).status).toBe(400);
  });

  test('a return whose reversal the account does not cover leaves the payment an EXCEPTION', async () => {
    const { it, card, tell, now } = await paid();
    await tell('clearing', { amount: 1000 });
    await tell('return', { amount: 1000 });
    await it.pay(card, 29_500);
    await tell('return_reversal');
    expect(await now()).toMatchObject({ status: 'EXCEPTION', refundedAmount: { amount: 1000 } });
  });
});

describe('messages of the card network in any order', () => {
  test('a message about a payment that is unknown, of another card or of no card is refused with 404', async () => {
    const { it, card, t } = await paid();
    const other = await it.card();
    const transferred = await transfer(it);
    const ask = async (of: { id: string }, id: string) =>
      refusal(await it.tell(of, 'clearing', { cardTransactionId: id, amount: 1 }));
    for (const [of, id] of [
      [card, 'CardTransaction:x'],
      [other, t.id],
      [card, transferred],
    ] as const)
      expect(await ask(of, id)).toMatchObject({ status: 404, code: 'TRANSACTION_NOT_FOUND' });
    for (const what of ['return', 'return_reversal', 'authorization_advice'])
      expect(refusal(await it.tell(other, what, { cardTransactionId: t.id, amount: 1 })).status).toBe(404);
    const ids = (await it.get('/transactions', { type: 'INCOMING' })).body.data;
    expect(ids).toEqual([]);
  });

  const settle: Record<string, (it: CardKit, card: { id: string }) => Promise<unknown>> = {
    frozen: (it, card) => it.patch(`/cards/${card.id}`, { state: 'FROZEN' }),
    closed: (it, card) => it.patch(`/cards/${card.id}`, { state: 'CLOSED' }),
    'owned by a deleted customer': (it) => it.del(`/customers/${it.customer.id}`),
  };
  test.each(Object.keys(settle))(
    'a card that is %s carries on with what it authorized before, and declines new payments (reference 3.4)',
    async (how) => {
      const { it, card, tell, now } = await paid();
      await settle[how]?.(it, card);
      expect((await now()).status).toBe('AUTHORIZED');
      for (const [what, more, status] of [
        ['authorization_advice', { amount: 1200 }, 'AUTHORIZED'],
        ['clearing', { amount: 500 }, 'PARTIALLY_SETTLED'],
        ['clearing', { amount: 900 }, 'SETTLED'],
        ['return', { amount: 1400 }, 'REFUNDED'],
        ['return_reversal', {}, 'SETTLED'],
      ] as const) {
        expect((await tell(what, more)).status).toBe(202);
        expect((await now()).status).toBe(status);
      }
      await it.tell(card, 'authorization', { amount: 1, currency: { code: 'USD' }, merchant: MERCHANT });
      expect(it.said()[0]).toMatch(/^declined, /);
    },
  );

  const NEW = [
    'authorization',
    'credit_authorization',
    'financial_authorization',
    'financial_credit_authorization',
    'credit_authorization_advice',
  ];
  test.each(NEW)(
    'the message %s is refused with 400 for an empty body, another currency or a vast amount, and with 404 for an unknown card',
    async (what) => {
      const it = await cardKit();
      const card = await it.card({ fundingSources: [it.accounts['USDB'].id] });
      const sent = { amount: 100, currency: { code: 'USD' }, merchant: MERCHANT };
      const tell = async (body: object, of = card) => refusal(await it.tell(of, what, body));
      expect(await tell({})).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      expect(await tell(sent, { id: 'Card:x' })).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
      expect(await tell({ ...sent, currency: { code: 'EUR' } })).toMatchObject({
        status: 400,
        code: 'INVALID_CURRENCY',
      });
      expect(await tell({ ...sent, amount: 9e15 })).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
    },
  );

  test.each(['balance_inquiry', 'authorization_advice', 'clearing', 'return', 'return_reversal'])(
    'the message %s is refused with 400 for an empty body, and with 404 for an unknown card',
    async (what) => {
      const it = await cardKit();
      const card = await it.card();
      expect(refusal(await it.tell(card, what, {}))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      const body = { merchant: MERCHANT, cardTransactionId: 'x', amount: 1 };
      expect(refusal(await it.tell({ id: 'Card:x' }, what, body))).toMatchObject({
        status: 404,
        code: 'REFERENCE_NOT_FOUND',
      });
    },
  );

  test('a return that the balance of the account cannot count is refused with 400 AMOUNT_OUT_OF_RANGE', async () => {
    const { it, card, tell } = await paid();
    await tell('clearing', { amount: 1000 });
    for (const amount of [9_000_000_000_000_000, 7_199_254_711_500])
      await it.tell(card, 'financial_credit_authorization', { amount, currency: { code: 'USD' }, merchant: MERCHANT });
    expect(refusal(await tell('return', { amount: 500 }))).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
  });

  test('a clearing or an advice beyond what can be counted exactly is refused with AMOUNT_OUT_OF_RANGE', async () => {
    const it = await cardKit();
    const card = await it.card({ fundingSources: [it.accounts['USDB'].id] });
    const most = 9_000_000_000_000_000;
    await it.tell(card, 'credit_authorization', { amount: 100, currency: { code: 'USD' }, merchant: MERCHANT });
    const [t] = await cardPayments(it.get);
    for (const what of ['clearing', 'authorization_advice'])
      expect(refusal(await it.tell(card, what, { cardTransactionId: t.id, amount: most })).code).toBe(
        'AMOUNT_OUT_OF_RANGE',
      );
  });
});

describe('the pull of a payment', () => {
  test('the pull of a payment waits for one decision where the policy card.pull holds it, even when a clearing arrives (reference 4.4)', async () => {
    const { it, t, tell, now, usd } = await paid(HELD);
    const decide = (outcome: string) => it.control('POST', `/transactions/${t.id}/pull`, { outcome });
    await tell('clearing', { amount: 1000 });
    expect(await now()).toMatchObject({ status: 'SETTLED', pullSummary: { pendingCount: 1 } });
    expect((await decide('CONFIRMED')).body.pullSummary).toEqual({ count: 1, totalAmount: 1000, pendingCount: 0 });
    expect(await usd()).toEqual([29_000, 29_000]);
    for (const outcome of ['CONFIRMED', 'FAILED'])
      expect(refusal(await decide(outcome))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('a pull that fails after the payment has settled makes the payment an EXCEPTION, and frees what was held', async () => {
    const { it, t, tell, usd } = await paid(HELD);
    await tell('clearing', { amount: 1500 });
    it.story();
    const fail = () => it.control('POST', `/transactions/${t.id}/pull`, { outcome: 'FAILED' });
    expect((await fail()).body).toMatchObject({
      status: 'EXCEPTION',
      pullSummary: { totalAmount: 500, pendingCount: 1 },
    });
    expect((await fail()).body.pullSummary).toEqual({ count: 2, totalAmount: 0, pendingCount: 0 });
    expect(it.story()).toEqual(['CARD_TRANSACTION.EXCEPTION', '29500/30000', '30000/30000']);
    expect(await usd()).toEqual([30_000, 30_000]);
  });

  test('a pull that fails after the merchant returned what was cleared takes the return back, since nothing was paid (Y10)', async () => {
    const { it, t, tell, now, usd } = await paid(HELD);
    await tell('clearing', { amount: 1000 });
    await tell('return', { amount: 400 });
    expect(await usd()).toEqual([29_400, 30_400]);
    await it.control('POST', `/transactions/${t.id}/pull`, { outcome: 'FAILED' });
    expect(await now()).toMatchObject({
      status: 'EXCEPTION',
      refundedAmount: { amount: 400 },
      refundSummary: { count: 1, totalAmount: 0 },
    });
    expect(await usd()).toEqual([30_000, 30_000]);
  });

  test('the next pull of a payment can be made to fail (reference 4.4)', async () => {
    const { it, t, tell, now } = await paid();
    const { body } = await it.control('POST', `/transactions/${t.id}/pull`, { outcome: 'FAILED' });
    expect(body.status).toBe('AUTHORIZED');
    await tell('clearing', { amount: 1100 });
    expect(await now()).toMatchObject({ status: 'EXCEPTION', pullSummary: { count: 2, totalAmount: 1000 } });
  });

  test('a decision about the pull of an unknown payment is refused with 404 TRANSACTION_NOT_FOUND, and of one by no card with 409 CONFLICT', async () => {
    const { it } = await paid();
    for (const [id, status, code] of [
      ['Transaction:x', 404, 'TRANSACTION_NOT_FOUND'],
      [await transfer(it), 409, 'CONFLICT'],
    ] as const)
      expect(refusal(await it.control('POST', `/transactions/${id}/pull`, { outcome: 'FAILED' }))).toMatchObject({
        status,
        code,
      });
  });
});

describe('failed pulls of a closed card, which the service bears (reference 3.4)', () => {
  const closed = async () => {
    const it = await cardKit();
    const card = await it.card();
    const paid = await it.pay(card, 30_000);
    await it.patch(`/cards/${card.id}`, { state: 'CLOSED' });
    return { it, card, paid };
  };

  test('a clearing above the balance after the card is closed ends SETTLED, and the account pays only what it paid before', async () => {
    const { it, card, paid } = await closed();
    await it.tell(card, 'clearing', { cardTransactionId: paid.id, amount: 31_000 });
    expect(it.said().join()).toContain('the card is CLOSED, and the service bears it');
    await it.settle();
    const { status, settledAmount, pullSummary } = await it.read(paid);
    expect([status, settledAmount.amount, pullSummary]).toEqual([
      'SETTLED',
      31_000,
      { count: 2, totalAmount: 30_000, pendingCount: 0 },
    ]);
    expect(await it.balances(it.accounts['USD'])).toEqual([0, 0]);
  });

  test('a later pull that fails after the card is closed leaves the payment SETTLED, and frees what was held', async () => {
    const { it, card, paid } = await closed();
    await it.post(`/sandbox/internal-accounts/${it.accounts['USD'].id}/fund`, { amount: 5000 });
    it.sandbox.world.settings = { ...it.sandbox.world.settings, policies: { 'card.pull': 'hold' } };
    await it.tell(card, 'clearing', { cardTransactionId: paid.id, amount: 31_000 });
    expect(await it.balances(it.accounts['USD'])).toEqual([4000, 5000]);
    await it.control('POST', `/transactions/${paid.id}/pull`, { outcome: 'FAILED' });
    await it.settle();
    expect((await it.read(paid)).status).toBe('SETTLED');
    expect(await it.balances(it.accounts['USD'])).toEqual([5000, 5000]);
  });

  test('a full return after the card is closed credits the account with what it paid and no more, and is reversed likewise', async () => {
    const { it, card, paid } = await closed();
    const told = (what: string, body: object = {}) => it.tell(card, what, { cardTransactionId: paid.id, ...body });
    await told('clearing', { amount: 500_000 });
    await told('return', { amount: 10_000 });
    expect(await it.balances(it.accounts['USD'])).toEqual([10_000, 10_000]);
    await told('return', { amount: 490_000 });
    expect(await it.read(paid)).toMatchObject({
      status: 'REFUNDED',
      refundedAmount: { amount: 500_000 },
      refundSummary: { count: 2, totalAmount: 30_000 },
    });
    expect(await it.balances(it.accounts['USD'])).toEqual([30_000, 30_000]);
    expect((await told('return_reversal')).status).toBe(202);
    expect((await it.read(paid)).status).toBe('SETTLED');
    expect(await it.balances(it.accounts['USD'])).toEqual([0, 0]);
  });
});
