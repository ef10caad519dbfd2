import { describe, expect, test } from 'vitest';
import { CardNetwork } from '../../../src/testkit/index.ts';
import { leaveQuoteWaiting, live, NODES } from '../../kit/live.ts';
import { sure } from '../../kit/sure.ts';

const MERCHANT = { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' };

describe.each(NODES)('cards over the real command line, live, on %s', (node) => {
  test('a card is issued, authorized, partly cleared, refunded and closed by the command line on a live clock (reference 17)', async () => {
    const { call, told, ready, hooks } = await live([], node);
    const does = sure(call);
    await leaveQuoteWaiting(call);
    const ana = await does('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Ana Souza' });
    const { data } = await does('GET', `/customers/internal-accounts?customerId=${ana.id}&currency=USD`);
    const account = data[0];
    await does('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount: 30_000 });

    const card = await does('POST', '/cards', {
      cardholderId: ana.id,
      platformCardId: 'emp-77-main',
      form: 'VIRTUAL',
      fundingSources: [account.id],
    });
    expect(card.state).toBe('PROCESSING');
    const active = await told('CARD.STATE_CHANGE', ({ state }) => state === 'ACTIVE');
    expect(active.event.data).toMatchObject({ id: card.id, last4: '0077' });

    const network = new CardNetwork({
      cardId: card.id,
      baseUrl: ready.baseUrl,
      authorization: `Basic ${btoa('test:secret')}`,
    });
    const dinner = await network.authorize(4200, { merchant: MERCHANT });
    if (!dinner) throw new Error('the card must pay');
    await told('CARD_TRANSACTION.AUTHORIZED', ({ id }) => id === dinner.id);
    expect(await network.clear(dinner, 3000)).toMatchObject({ status: 'PARTIALLY_SETTLED' });
    await told('CARD_TRANSACTION.PARTIALLY_SETTLED');
    expect(await network.clear(dinner, 2000)).toMatchObject({
      status: 'SETTLED',
      pullSummary: { count: 2, totalAmount: 5000 },
    });
    await told('CARD_TRANSACTION.SETTLED');
    expect(await network.refund(dinner, 1500)).toMatchObject({ status: 'SETTLED', refundedAmount: { amount: 1500 } });
    expect(await network.refund(dinner)).toMatchObject({ status: 'REFUNDED' });
    await told('CARD_TRANSACTION.REFUNDED');
    await told('INTERNAL_ACCOUNT.BALANCE_UPDATED', ({ totalBalance }) => totalBalance.amount === 30_000);

    await does('PATCH', `/cards/${card.id}`, { state: 'FROZEN' });
    expect(await network.authorize(100)).toBe(undefined);
    const closed = await does('PATCH', `/cards/${card.id}`, { state: 'CLOSED' });
    expect(closed.stateReason).toBe('CLOSED_BY_PLATFORM');
    await told('CARD.STATE_CHANGE', ({ state }) => state === 'CLOSED');
    const again = await call('PATCH', `/cards/${card.id}`, { state: 'CLOSED' });
    expect([again.status, again.body.code]).toEqual([409, 'CARD_ALREADY_CLOSED']);

    const story = hooks.received.map(({ event }) => event.type).filter((type) => type.startsWith('CARD'));
    expect(story).toEqual([
      'CARD.STATE_CHANGE',
      'CARD_TRANSACTION.AUTHORIZED',
      'CARD_TRANSACTION.PARTIALLY_SETTLED',
      'CARD_TRANSACTION.SETTLED',
      'CARD_TRANSACTION.SETTLED',
      'CARD_TRANSACTION.REFUNDED',
      'CARD.STATE_CHANGE',
      'CARD.STATE_CHANGE',
    ]);
  });
});
