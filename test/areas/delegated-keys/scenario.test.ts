import { describe, expect, test } from 'vitest';
import { cardPayments } from '../../kit/card-payments.ts';
import { kit } from '../../kit/sandbox.ts';

const zoe = { label: 'zoe', customerType: 'INDIVIDUAL', fullName: 'Zoe Lindqvist', email: 'zoe@example.com' };
const scenarioOf = (cards: readonly object[], delegatedKeys: readonly object[]) => ({
  platform: { regulated: false, currencies: [{ code: 'USD' }, { code: 'USDB' }] },
  policies: { 'customer.decide': 'at once' },
  customers: [{ ...zoe, kycStatus: 'APPROVED', accounts: { USDB: 250_000_000 } }],
  cards: cards.map((card) => ({ customer: 'zoe', ...card })),
  delegatedKeys,
});
const everyday = { label: 'everyday', currencies: ['USDB'] };

describe('delegatedKeys of a scenario', () => {
  test('delegatedKeys of a scenario give a card its key from the start, and a card without one cannot spend', async () => {
    const id = 'DelegatedKey:0196b0de-0000-7000-8000-000000000003';
    const scenario = scenarioOf([everyday, { label: 'other', currencies: ['USDB'] }], [{ id, card: 'everyday' }]);
    const { get, post, settle } = await kit({ scenario });
    expect((await get(`/auth/delegated-keys/${id}`)).body).toMatchObject({
      status: 'ACTIVE',
      nickname: 'Card payments',
      publicKey: expect.stringMatching(/^0[23][0-9a-f]{64}$/),
    });
    const merchant = { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' };
    const spent = [];
    const { cardId } = (await get(`/auth/delegated-keys/${id}`)).body;
    const cards = (await get('/cards')).body.data.map((card: { id: string }) => card.id);
    for (const one of [cardId, ...cards.filter((other: string) => other !== cardId)]) {
      await post(`/sandbox/cards/${one}/simulate/authorization`, { amount: 100, currency: { code: 'USD' }, merchant });
      await settle();
      spent.push((await cardPayments(get)).length);
    }
    expect(spent).toEqual([1, 1]);
  });

  test.each([
    ['an unknown card', [everyday], [{ card: 'none' }], 'none'],
    [
      'a card that no wallet pays for',
      [{ label: 'work', currencies: ['USD'] }],
      [{ card: 'work' }],
      'no embedded wallet',
    ],
    ['a card that has a key already', [everyday], [{ card: 'everyday' }, { card: 'everyday' }], 'ACTIVE'],
  ])('a scenario with delegatedKeys for %s is refused with 400', async (_, cards, keys, said) => {
    const { control } = await kit();
    const { status, text } = await control('POST', '/sandboxes', { scenario: scenarioOf(cards, keys) });
    expect(status).toBe(400);
    expect(text).toContain(said);
  });
});
