import { describe, expect, test } from 'vitest';
import { ACCOUNTS, type InternalAccount } from '../../../src/areas/accounts/index.ts';
import { bindDelegatedKey, fundingSourceOf, fundingSourcesOf } from '../../../src/areas/cards/index.ts';
import { cardPayments } from '../../kit/card-payments.ts';
import { cardKit, MERCHANT } from '../../kit/cards.ts';
import { refusal } from '../../kit/sandbox.ts';

const USD = { code: 'USD' };
const at = (descriptor: string) => ({ ...MERCHANT, descriptor });

describe('an authorization', () => {
  test('an authorization holds its money, and pulls it right after (reference 4.3, 4.5, 17)', async () => {
    const it = await cardKit();
    const card = await it.card();
    it.story();
    it.sandbox.world.scheduler.sleep();
    const { status, body } = await it.tell(card, 'authorization', { amount: 4200, currency: USD, merchant: MERCHANT });
    expect(status).toBe(202);
    expect(body.issuerTransactionToken).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await it.balances(it.accounts['USD'])).toEqual([25_800, 30_000]);
    it.sandbox.world.scheduler.wake();
    await it.settle();
    expect(await it.balances(it.accounts['USD'])).toEqual([25_800, 25_800]);
    expect(it.story()).toEqual(['CARD_TRANSACTION.AUTHORIZED', '25800/30000', '25800/25800']);
    const data = it.events('CARD_TRANSACTION.AUTHORIZED')[0]?.data;
    expect(data).toMatchObject({
      type: 'CARD',
      status: 'AUTHORIZED',
      direction: 'DEBIT',
      cardId: card.id,
      customerId: it.customer.id,
      platformCustomerId: 'ana',
      accountId: it.accounts['USD'].id,
      issuerTransactionToken: body.issuerTransactionToken,
      merchant: MERCHANT,
      authorizedAmount: { amount: 4200, currency: { code: 'USD', decimals: 2 } },
      pullSummary: { count: 1, totalAmount: 4200, pendingCount: 1 },
      settlementSummary: { count: 0, totalAmount: 0 },
      refundSummary: { count: 0, totalAmount: 0 },
    });
    expect((await it.read(data)).pullSummary).toEqual({ count: 1, totalAmount: 4200, pendingCount: 0 });
  });

  test.each([
    ['002', 'INSUFFICIENT_FUNDS'],
    ['003', 'CARD_PAUSED'],
  ])(
    'a card payment at a merchant whose descriptor ends in %s is declined with %s and leaves only its reason in the log (reference 4.3)',
    async (suffix, reason) => {
      const it = await cardKit();
      const card = await it.card();
      it.story();
      const before = it.sandbox.world.tables();
      for (const what of [
        'authorization',
        'financial_authorization',
        'credit_authorization',
        'financial_credit_authorization',
        'credit_authorization_advice',
      ]) {
        const { status } = await it.tell(card, what, { amount: 100, currency: USD, merchant: at(`CAFE ${suffix}`) });
        expect(status).toBe(202);
        expect(it.said()).toEqual([`declined, ${reason}: the merchant's descriptor ends in ${suffix}`]);
      }
      expect(it.story()).toEqual([]);
      expect(it.sandbox.world.tables()).toEqual(before);
    },
  );

  test('an authorization by a card that is frozen, closed or still PROCESSING is declined (reference 4.3)', async () => {
    const it = await cardKit();
    const card = await it.card();
    const declined = async (one: { id: string }) => {
      expect(await it.pay(one, 100)).toBe(undefined);
      return it.sandbox.requestLog.newest();
    };
    const asks = async (one: { id: string }) => {
      await it.tell(one, 'authorization', { amount: 100, currency: USD, merchant: MERCHANT });
      return it.said();
    };
    await it.patch(`/cards/${card.id}`, { state: 'FROZEN' });
    expect(await asks(card)).toEqual(['declined, CARD_PAUSED: the card is FROZEN']);
    await it.patch(`/cards/${card.id}`, { state: 'CLOSED' });
    expect(await asks(card)).toEqual(['declined, CARD_NOT_ACTIVE: the card is CLOSED']);
    expect(await asks(await it.card({ platformCardId: 'stuck-001' }))).toEqual([
      'declined, CARD_NOT_ACTIVE: the card is PROCESSING',
    ]);
    await declined(card);
  });

  test('an authorization above the limit of its card is declined, one of exactly the limit is approved, and a credit has no limit (reference 4.3)', async () => {
    const it = await cardKit();
    const card = await it.card({ maxSpendPerTransaction: 500 });
    expect(await it.pay(card, 501)).toBe(undefined);
    expect((await it.pay(card, 500)).status).toBe('AUTHORIZED');
    await it.tell(card, 'authorization', { amount: 501, currency: USD, merchant: MERCHANT });
    expect(it.said()).toEqual(['declined, SPEND_LIMIT_EXCEEDED: the card pays at most 5.00 USD at once']);
    await it.tell(card, 'financial_credit_authorization', { amount: 501, currency: USD, merchant: MERCHANT });
    expect(it.said()).toEqual([]);
  });

  test('an authorization is declined when the account holds too little, and approved when it holds exactly enough (reference 4.3)', async () => {
    const it = await cardKit();
    const card = await it.card();
    expect(await it.pay(card, 30_001)).toBe(undefined);
    expect((await it.pay(card, 30_000)).status).toBe('AUTHORIZED');
    await it.tell(card, 'authorization', { amount: 1, currency: USD, merchant: MERCHANT });
    expect(it.said()).toEqual([`declined, INSUFFICIENT_FUNDS: ${it.accounts['USD'].id} holds 0.00 USD`]);
  });

  test('only the first funding source of a card pays: an authorization that it does not cover is declined (reference 3.4)', async () => {
    const it = await cardKit();
    const { id } = it.accounts['USD'];
    const rows = it.sandbox.world.rows(ACCOUNTS);
    const empty = { ...(rows.get(id) as InternalAccount), id: 'InternalAccount:00000000-0000-7000-8000-000000000001' };
    rows.insert(empty);
    expect(await it.pay(await it.card({ fundingSources: [empty.id, id] }), 1)).toBe(undefined);
    expect((await it.pay(await it.card({ fundingSources: [id, empty.id] }), 1)).status).toBe('AUTHORIZED');
  });

  test('a merchant with suffix 005 leaves the pull pending for 30 seconds; one with suffix 006 fails its confirmation (reference 4.3)', async () => {
    const it = await cardKit();
    const card = await it.card();
    it.story();
    const late = await it.pay(card, 1000, { merchant: at('LATE 005') });
    expect(late.pullSummary).toEqual({ count: 1, totalAmount: 1000, pendingCount: 1 });
    await it.advance('PT30S');
    expect((await it.read(late)).pullSummary).toEqual({ count: 1, totalAmount: 1000, pendingCount: 0 });
    expect(it.story()).toEqual(['CARD_TRANSACTION.AUTHORIZED', '29000/30000', '29000/29000']);
    const failed = await it.pay(card, 2000, { merchant: at('FAILS 006') });
    expect(failed).toMatchObject({ status: 'EXCEPTION', pullSummary: { count: 1, totalAmount: 0, pendingCount: 0 } });
    expect(it.story()).toEqual([
      'CARD_TRANSACTION.AUTHORIZED',
      '27000/29000',
      'CARD_TRANSACTION.EXCEPTION',
      '29000/29000',
    ]);
  });

  test('a card funded in USDB pays in dollars, worth the same with other decimals, once it has an active key (reference 4.2)', async () => {
    const it = await cardKit();
    const wallet = it.accounts['USDB'];
    await it.post(`/sandbox/internal-accounts/${wallet.id}/fund`, { amount: 50_000_000 });
    const card = await it.card({ fundingSources: [wallet.id] });
    const { world } = it.sandbox;
    await it.tell(card, 'authorization', { amount: 1250, currency: USD, merchant: MERCHANT });
    expect(it.said()).toEqual([
      `declined, NO_DELEGATED_KEY: ${wallet.id} is a wallet without an active delegated key for this card`,
    ]);
    const source = fundingSourceOf(world, card.id, wallet.id);
    if (!source) throw new Error('the card has a funding source');
    expect(fundingSourcesOf(world, card.id)).toEqual([source]);
    world.transact(() => bindDelegatedKey(world, source, 'DelegatedKey:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e76'));
    const t = await it.pay(card, 1250);
    expect(t).toMatchObject({
      authorizedAmount: { amount: 1250, currency: { code: 'USD' } },
      pullSummary: { count: 1, totalAmount: 12_500_000 },
    });
    expect(await it.balances(wallet)).toEqual([37_500_000, 37_500_000]);
    await it.tell(card, 'clearing', { cardTransactionId: t.id, amount: 1500 });
    expect(await it.read(t)).toMatchObject({
      status: 'SETTLED',
      settledAmount: { amount: 1500, currency: { code: 'USD' } },
      settlementSummary: { count: 1, totalAmount: 15_000_000 },
    });
    expect((await it.pay(card, 1_000_000, { currency: { code: 'USDB' } })).authorizedAmount.currency.code).toBe('USDB');
    world.transact(() => bindDelegatedKey(world, source, undefined));
    expect(await it.pay(card, 100)).toBe(undefined);
  });

  test("an authorization in another currency than the card's is refused with 400 INVALID_CURRENCY, for nothing is exchanged (reference 4.2)", async () => {
    const it = await cardKit();
    const card = await it.card();
    const ask = async (code: string) =>
      refusal(await it.tell(card, 'authorization', { amount: 100, currency: { code }, merchant: MERCHANT }));
    for (const code of ['EUR', 'USDB', 'XYZ'])
      expect(await ask(code)).toEqual({ status: 400, code: 'INVALID_CURRENCY', fields: ['currency.code'] });
  });

  test('an authorization with missing or bad fields is refused, each field named; one by an unknown card is refused with 404', async () => {
    const it = await cardKit();
    const card = await it.card();
    const ask = async (body: object) => refusal(await it.tell(card, 'authorization', body)).fields;
    expect(await ask({})).toEqual(['amount', 'currency', 'merchant']);
    expect(await ask({ amount: 0, currency: {}, merchant: { descriptor: 'X', mcc: '58', country: 'XX' } })).toEqual([
      'amount',
      'currency.code',
      'merchant.mcc',
      'merchant.country',
    ]);
    for (const what of ['authorization', 'balance_inquiry'])
      expect(
        refusal(await it.tell({ id: 'Card:x' }, what, { amount: 1, currency: USD, merchant: MERCHANT })),
      ).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
  });
});

test('a balance inquiry changes nothing, and the request log has its answer (reference 4.1)', async () => {
  const it = await cardKit();
  const card = await it.card();
  it.story();
  const { status, body } = await it.tell(card, 'balance_inquiry', { merchant: at('PUMP 002') });
  expect([status, typeof body.issuerTransactionToken]).toEqual([202, 'string']);
  expect(it.said()).toEqual(['balance inquiry: approved, the account holds 300.00 USD']);
  await it.patch(`/cards/${card.id}`, { state: 'FROZEN' });
  it.story();
  await it.tell(card, 'balance_inquiry', { merchant: MERCHANT });
  expect(it.said()).toEqual(['declined, CARD_PAUSED: the card is FROZEN']);
  expect(it.story()).toEqual([]);
  expect(await cardPayments(it.get)).toEqual([]);
});

describe('messages that need no clearing, and credits', () => {
  test('a financial authorization settles in one message (reference 4.1)', async () => {
    const it = await cardKit();
    const card = await it.card();
    it.story();
    await it.tell(card, 'financial_authorization', { amount: 8000, currency: USD, merchant: MERCHANT });
    await it.settle();
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED', '22000/30000', '22000/22000']);
    const [t] = await cardPayments(it.get);
    expect(t).toMatchObject({
      status: 'SETTLED',
      settledAmount: { amount: 8000 },
      pullSummary: { count: 1, totalAmount: 8000 },
      settlementSummary: { count: 1, totalAmount: 8000 },
    });
    await it.tell(card, 'financial_authorization', { amount: 100, currency: USD, merchant: at('CASH 006') });
    await it.settle();
    expect((await cardPayments(it.get))[0]).toMatchObject({
      pullSummary: { count: 1, totalAmount: 0, pendingCount: 0 },
      settlementSummary: { count: 1, totalAmount: 100 },
    });
  });

  test('a financial credit is on the account at once, settles in one message, and cannot be returned (reference 4.1)', async () => {
    const it = await cardKit();
    const card = await it.card();
    it.story();
    await it.tell(card, 'financial_credit_authorization', { amount: 4000, currency: USD, merchant: MERCHANT });
    await it.settle();
    expect(it.story()).toEqual(['CARD_TRANSACTION.SETTLED', '34000/34000']);
    const [t] = await cardPayments(it.get);
    expect(t).toMatchObject({ direction: 'CREDIT', status: 'SETTLED', pullSummary: { count: 0, totalAmount: 0 } });
    expect((await it.get('/transactions', { receiverAccountIdentifier: t.accountId })).body.data).toHaveLength(
      (await it.get('/transactions', { type: 'INCOMING' })).body.data.length + 1,
    );
    expect(refusal(await it.tell(card, 'return', { cardTransactionId: t.id, amount: 1 })).code).toBe('INVALID_INPUT');
  });

  test.each(['credit_authorization', 'credit_authorization_advice'])(
    'a %s waits for its clearing, which credits the account; a clearing of 0 drops the rest, and a week without one drops it all (reference 4.1)',
    async (what) => {
      const it = await cardKit();
      const card = await it.card();
      it.story();
      await it.tell(card, what, { amount: 2500, currency: USD, merchant: at('SHOP 006') });
      await it.settle();
      const [t] = await cardPayments(it.get);
      expect(t).toMatchObject({ direction: 'CREDIT', status: 'AUTHORIZED', pullSummary: { count: 0 } });
      const tell = (message: string, amount: number) => it.tell(card, message, { cardTransactionId: t.id, amount });
      await tell('clearing', 1000);
      await tell('authorization_advice', 3000);
      await tell('clearing', 0);
      expect(it.story()).toEqual([
        'CARD_TRANSACTION.AUTHORIZED',
        'CARD_TRANSACTION.PARTIALLY_SETTLED',
        '31000/31000',
        'CARD_TRANSACTION.PARTIALLY_SETTLED',
        'CARD_TRANSACTION.SETTLED',
      ]);
      await it.tell(card, what, { amount: 2500, currency: USD, merchant: MERCHANT });
      await it.advance('P7D');
      expect(it.story()).toEqual(['CARD_TRANSACTION.AUTHORIZED', 'CARD_TRANSACTION.SETTLED']);
      expect(await it.balances(it.accounts['USD'])).toEqual([31_000, 31_000]);
    },
  );

  test('lastEventAt of a card payment is the moment of its latest pull, clearing or return; a credit has none before a clearing (reference 4.2)', async () => {
    const it = await cardKit();
    const card = await it.card();
    await it.tell(card, 'credit_authorization', { amount: 2500, currency: USD, merchant: MERCHANT });
    const [credit] = await cardPayments(it.get);
    const debit = await it.pay(card, 1000);
    /** Tells something of a payment an hour later; the last event, and the moment at which it was told. */
    const hourLater = async (t: { id: string }, what: string, amount: number) => {
      await it.advance('PT1H');
      await it.tell(card, what, { cardTransactionId: t.id, amount });
      await it.settle();
      return [(await it.read(t)).lastEventAt, it.sandbox.world.clock.iso()];
    };
    const late = await it.pay(card, 1000, { merchant: at('LATE 005') });
    expect(late.pullSummary.pendingCount).toBe(1);
    expect([credit, debit, late].map((t) => t.lastEventAt)).toEqual([undefined, debit.createdAt, late.createdAt]);
    expect((await hourLater(credit, 'authorization_advice', 3000))[0]).toBe(undefined);
    expect((await hourLater(debit, 'authorization_advice', 1000))[0]).toBe(debit.createdAt);
    for (const [t, what, amount] of [
      [credit, 'clearing', 2000],
      [credit, 'clearing', 0],
      [debit, 'authorization_advice', 900],
      [debit, 'authorization_advice', 1100],
      [debit, 'clearing', 500],
      [debit, 'clearing', 600],
      [debit, 'return', 1100],
    ] as const) {
      const [last, now] = await hourLater(t, what, amount);
      expect(last, `${what} of ${amount}`).toBe(now);
    }
    await it.advance('PT1H');
    await it.tell(card, 'return_reversal', { cardTransactionId: debit.id });
    expect((await it.read(debit)).lastEventAt).toBe(it.sandbox.world.clock.iso());
  });
});
