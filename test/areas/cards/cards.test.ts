import { describe, expect, test } from 'vitest';
import { CARDS, cardOf, SOURCES } from '../../../src/areas/cards/index.ts';
import { REVEALS } from '../../../src/areas/cards/row.ts';
import { cardKit } from '../../kit/cards.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

const PINNED = 'Customer:00000000-0000-4000-8000-000000000001';

describe('POST /cards', () => {
  test('a new card is PROCESSING, and ACTIVE right after, with the data of its issuer and one event (reference 3.1, 3.3)', async () => {
    const it = await cardKit();
    const sent = {
      cardholderId: it.customer.id,
      platformCardId: 'emp-77-main',
      form: 'VIRTUAL',
      fundingSources: [it.accounts['USD'].id],
      maxSpendPerTransaction: 20_000,
    };
    const { status, body } = await it.post('/cards', sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      ...sent,
      state: 'PROCESSING',
      stateReason: null,
      currency: 'USD',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect(it.story()).toEqual([]);
    await it.settle();
    const { body: active } = await it.get(`/cards/${body.id}`);
    expect(active).toEqual({
      ...body,
      state: 'ACTIVE',
      brand: 'VISA',
      last4: '0077',
      expMonth: 1,
      expYear: 2030,
      processorRef: active.processorRef,
      issuerRef: active.issuerRef,
    });
    expect(it.story()).toEqual(['CARD.STATE_CHANGE']);
    expect(it.events('CARD.STATE_CHANGE')[0]?.data).toEqual(active);
  });

  test('a card without a platformCardId gets one, and has no limit of its own', async () => {
    const it = await cardKit();
    const card = await it.card();
    expect(card.platformCardId).toMatch(/^[0-9a-f]{16}$/);
    expect(card.maxSpendPerTransaction).toBe(null);
    expect((await it.get('/cards', { platformCardId: card.platformCardId })).body.data).toEqual([card]);
  });

  test.each([
    ['001', 'PROCESSING', 'PROCESSING', null, []],
    ['002', 'CLOSED', 'CLOSED', 'ISSUER_REJECTED', ['CARD.STATE_CHANGE']],
    ['005', 'PROCESSING', 'ACTIVE', null, ['CARD.STATE_CHANGE']],
  ])(
    'a card whose platformCardId ends in %s is %s at once and %s after 30 seconds (reference 3.3)',
    async (suffix, now, then, stateReason, events) => {
      const it = await cardKit();
      const card = await it.card({ platformCardId: `main-${suffix}` });
      expect(card.state).toBe(now);
      await it.advance('PT30S');
      const { body } = await it.get(`/cards/${card.id}`);
      expect(body).toMatchObject({ state: then, stateReason });
      expect(it.story()).toEqual(events);
      expect(body.last4 === undefined).toBe(then !== 'ACTIVE');
    },
  );

  test('the suffix of a pinned cardholder decides about a card without a platformCardId (reference 3.3)', async () => {
    const it = await kit({
      scenario: { customers: [{ label: 'ana', id: PINNED, customerType: 'INDIVIDUAL', fullName: 'Ana Souza' }] },
    });
    const { body: listed } = await it.get('/customers/internal-accounts', { customerId: PINNED, currency: 'USD' });
    const sent = { cardholderId: PINNED, form: 'VIRTUAL', fundingSources: [listed.data[0].id] };
    const { body: stuck } = await it.post('/cards', sent);
    const { body: named } = await it.post('/cards', { ...sent, platformCardId: 'second' });
    await it.settle();
    expect((await it.get(`/cards/${stuck.id}`)).body.state).toBe('PROCESSING');
    expect((await it.get(`/cards/${named.id}`)).body.state).toBe('ACTIVE');
  });

  test('the policy card.provision "hold" keeps a card PROCESSING until a decision by hand activates or rejects it', async () => {
    const it = await cardKit({
      scenario: {
        platform: { currencies: ['USD', 'EUR', 'USDB'].map((code) => ({ code })) },
        policies: { 'card.provision': 'hold' },
      },
    });
    const [one, two] = [await it.card(), await it.card()];
    expect([one.state, two.state]).toEqual(['PROCESSING', 'PROCESSING']);
    const decide = (card: { id: string }, decision: string) =>
      it.control('POST', `/cards/${card.id}/decision`, { decision });
    expect((await decide(one, 'ACTIVATE')).body).toMatchObject({
      state: 'ACTIVE',
      last4: one.platformCardId.replaceAll(/\D/g, '').slice(-4).padStart(4, '0'),
    });
    expect((await decide(two, 'REJECT')).body).toMatchObject({ state: 'CLOSED', stateReason: 'ISSUER_REJECTED' });
    expect((await decide(one, 'CLOSE')).body).toMatchObject({ state: 'CLOSED', stateReason: 'CLOSED_BY_SERVICE' });
    expect(refusal(await decide(one, 'ACTIVATE'))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(it.story()).toEqual(['CARD.STATE_CHANGE', 'CARD.STATE_CHANGE', 'CARD.STATE_CHANGE']);
  });

  test('a card is refused with 400 for a cardholder who waits for approval, is unknown or was deleted (reference 3.1)', async () => {
    const it = await cardKit();
    const { body: waiting } = await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Waits 001' });
    const sent = { cardholderId: waiting.id, form: 'VIRTUAL', fundingSources: [it.accounts['USD'].id] };
    expect(refusal(await it.post('/cards', sent))).toMatchObject({ status: 400, code: 'CARDHOLDER_KYC_NOT_APPROVED' });
    for (const cardholderId of ['Customer:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e71', 'x'])
      expect(refusal(await it.post('/cards', { ...sent, cardholderId }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['cardholderId'],
      });
    await it.del(`/customers/${it.customer.id}`);
    expect(refusal(await it.post('/cards', { ...sent, cardholderId: it.customer.id })).fields).toEqual([
      'cardholderId',
    ]);
  });

  test('a card has to be funded by accounts of its cardholder, all in one currency that cards can have (reference 3.1)', async () => {
    const it = await cardKit();
    const own = (await it.get('/platform/internal-accounts', { currency: 'USD' })).body.data[0];
    const { USD, EUR, USDB } = it.accounts;
    const issue = async (...sources: string[]) =>
      refusal(await it.post('/cards', { cardholderId: it.customer.id, form: 'VIRTUAL', fundingSources: sources }));
    const ineligible = (...fields: string[]) => ({ status: 400, code: 'FUNDING_SOURCE_INELIGIBLE', fields });
    expect(await issue(own.id)).toEqual(ineligible('fundingSources.0'));
    expect(await issue(EUR.id)).toEqual(ineligible('fundingSources.0'));
    expect(await issue(USD.id, USDB.id)).toEqual(ineligible('fundingSources.1'));
    expect(await issue('x', 'y')).toEqual(ineligible('fundingSources.0', 'fundingSources.1'));
    expect(await issue(USD.id, USD.id)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['fundingSources.1'] });
    expect(await issue()).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['fundingSources'] });
    expect((await it.card({ fundingSources: [USDB.id] })).currency).toBe('USDB');
  });

  test('a password for 3-D Secure is refused with 400 for a cardholder outside the EU, and is kept nowhere (reference 3.2)', async () => {
    const sent = { threeDSecurePassword: 'AbCd1234EfGh5678' };
    const abroad = await cardKit();
    const body = {
      cardholderId: abroad.customer.id,
      form: 'VIRTUAL',
      fundingSources: [abroad.accounts['USD'].id],
      ...sent,
    };
    expect(refusal(await abroad.post('/cards', body))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['threeDSecurePassword'],
    });
    const it = await cardKit({}, { region: 'DE' });
    const card = await it.card(sent);
    expect(card.state).toBe('ACTIVE');
    expect(JSON.stringify(it.sandbox.world.snapshot())).not.toContain(sent.threeDSecurePassword);
    expect((await it.control('GET', '/requests')).text).not.toContain(sent.threeDSecurePassword);
  });
});

test('a platform without a card issuer refuses every operation on cards with 501 NOT_IMPLEMENTED (reference 3.1)', async () => {
  const it = await kit({ scenario: { platform: { cards: false } } });
  const id = 'Card:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e76';
  const answers = [
    await it.post('/cards', { cardholderId: 'x', form: 'VIRTUAL', fundingSources: ['y'] }),
    await it.get('/cards'),
    await it.get(`/cards/${id}`),
    await it.patch(`/cards/${id}`, { state: 'FROZEN' }),
    await it.post(`/cards/${id}/reveal`, undefined),
  ];
  for (const answer of answers) expect(refusal(answer)).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
});

describe('GET /cards', () => {
  test('cards are listed newest first, and filtered by cardholder, account, state and platformCardId (reference 3.1)', async () => {
    const it = await cardKit();
    const one = await it.card({ platformCardId: 'one' });
    const two = await it.card({ fundingSources: [it.accounts['USDB'].id] });
    const of = async (query: Record<string, string>) =>
      (await it.get('/cards', query)).body.data.map(({ id }: { id: string }) => id);
    expect(await of({})).toEqual([two.id, one.id]);
    expect(await of({ sortOrder: 'asc' })).toEqual([one.id, two.id]);
    expect(await of({ cardholderId: it.customer.id })).toEqual([two.id, one.id]);
    expect(await of({ accountId: it.accounts['USDB'].id })).toEqual([two.id]);
    expect(await of({ platformCardId: 'one' })).toEqual([one.id]);
    expect(await of({ state: 'ACTIVE', accountId: it.accounts['USD'].id })).toEqual([one.id]);
    expect(await of({ state: 'PENDING_KYC' })).toEqual([]);
    const { body } = await it.get('/cards', { limit: '1' });
    expect(body).toMatchObject({ hasMore: true, totalCount: 2 });
    expect(await of({ limit: '1', cursor: body.nextCursor })).toEqual([one.id]);
    expect(refusal(await it.get('/cards', { state: 'OPEN' }))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
});

describe('PATCH /cards/{id}', () => {
  test('a card is frozen, unfrozen and closed, each with one event (reference 3.4)', async () => {
    const it = await cardKit();
    const card = await it.card();
    it.story();
    const to = async (state: string) => (await it.patch(`/cards/${card.id}`, { state })).body;
    expect(await to('FROZEN')).toMatchObject({ state: 'FROZEN', stateReason: null });
    expect(await to('ACTIVE')).toMatchObject({ state: 'ACTIVE', stateReason: null });
    expect(await to('CLOSED')).toMatchObject({
      state: 'CLOSED',
      stateReason: 'CLOSED_BY_PLATFORM',
      fundingSources: card.fundingSources,
    });
    expect(it.story()).toEqual(['CARD.STATE_CHANGE', 'CARD.STATE_CHANGE', 'CARD.STATE_CHANGE']);
  });

  test('a PATCH of a card may change state, sources and limit together, and emits the event of the state first (reference 3.4)', async () => {
    const it = await cardKit();
    const card = await it.card();
    it.story();
    const change = { state: 'FROZEN', fundingSources: [it.accounts['USD'].id], maxSpendPerTransaction: 500 };
    const { body } = await it.patch(`/cards/${card.id}`, change);
    expect(body).toMatchObject(change);
    expect(it.story()).toEqual(['CARD.STATE_CHANGE', 'CARD.FUNDING_SOURCE_CHANGE']);
    expect((await it.patch(`/cards/${card.id}`, { maxSpendPerTransaction: null })).body.maxSpendPerTransaction).toBe(
      null,
    );
    expect(it.story()).toEqual([]);
    expect((await it.patch(`/cards/${card.id}`, { fundingSources: card.fundingSources })).status).toBe(200);
    expect(it.story()).toEqual(['CARD.FUNDING_SOURCE_CHANGE']);
  });

  test.each([
    ['an empty change', {}, 400, 'INVALID_INPUT'],
    ['a change to no funding source', { fundingSources: [] }, 400, 'INVALID_INPUT'],
    ['a limit of 0', { maxSpendPerTransaction: 0 }, 400, 'INVALID_INPUT'],
    ['a state that only the service sets', { state: 'PROCESSING' }, 400, 'INVALID_INPUT'],
    ['a closure with a limit', { state: 'CLOSED', maxSpendPerTransaction: null }, 400, 'INVALID_INPUT'],
    ['a closure with funding sources', { state: 'CLOSED', fundingSources: ['x'] }, 400, 'INVALID_INPUT'],
    ['the state that it already has', { state: 'ACTIVE' }, 409, 'INVALID_STATE_TRANSITION'],
    ['an unknown funding source', { fundingSources: ['x'] }, 400, 'FUNDING_SOURCE_INELIGIBLE'],
  ])('an active card refuses %s (reference 3.4)', async (_what, change, status, code) => {
    const it = await cardKit();
    const card = await it.card();
    expect(refusal(await it.patch(`/cards/${card.id}`, change))).toMatchObject({ status, code });
  });

  test.each([
    ['a second closure', { state: 'CLOSED' }, 409, 'CARD_ALREADY_CLOSED'],
    ['another state', { state: 'ACTIVE' }, 409, 'INVALID_STATE_TRANSITION'],
    ['another limit', { maxSpendPerTransaction: null }, 409, 'CARD_NOT_MUTABLE'],
    ['a closure with a limit', { state: 'CLOSED', maxSpendPerTransaction: 5 }, 400, 'INVALID_INPUT'],
  ])('a closed card refuses %s (reference 3.4)', async (_what, change, status, code) => {
    const it = await cardKit();
    const card = await it.card();
    await it.patch(`/cards/${card.id}`, { state: 'CLOSED' });
    expect(refusal(await it.patch(`/cards/${card.id}`, change))).toMatchObject({ status, code });
  });

  test('a card that is PROCESSING accepts funding sources and a limit, and refuses every change of its state (reference 3.4)', async () => {
    const it = await cardKit();
    const card = await it.card({ platformCardId: 'stuck-001' });
    for (const state of ['ACTIVE', 'FROZEN', 'CLOSED'])
      expect(refusal(await it.patch(`/cards/${card.id}`, { state })).code).toBe('INVALID_STATE_TRANSITION');
    expect((await it.patch(`/cards/${card.id}`, { maxSpendPerTransaction: 5 })).body.maxSpendPerTransaction).toBe(5);
    expect((await it.patch(`/cards/${card.id}`, { fundingSources: card.fundingSources })).status).toBe(200);
    expect(it.story()).toEqual(['CARD.FUNDING_SOURCE_CHANGE']);
  });

  test('GET and PATCH of an unknown card are refused with 404 REFERENCE_NOT_FOUND', async () => {
    const it = await cardKit();
    for (const answer of [await it.get('/cards/Card:x'), await it.patch('/cards/Card:x', { state: 'FROZEN' })])
      expect(refusal(answer)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
  });

  test("a funding source in another currency than the card's, or of another customer, is refused with 400 FUNDING_SOURCE_INELIGIBLE", async () => {
    const it = await cardKit();
    const card = await it.card();
    const { id: customerId } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' })).body;
    const [others] = (await it.get('/customers/internal-accounts', { customerId, currency: 'USD' })).body.data;
    for (const source of [it.accounts['USDB'], others])
      expect(refusal(await it.patch(`/cards/${card.id}`, { fundingSources: [source.id] }))).toEqual({
        status: 400,
        code: 'FUNDING_SOURCE_INELIGIBLE',
        fields: ['fundingSources.0'],
      });
    expect(it.sandbox.world.rows(SOURCES).size).toBe(it.sandbox.world.rows(CARDS).size);
  });
});

describe('POST /cards/{id}/reveal', () => {
  test('each reveal of a card has an address of its own for five minutes, and a record of its caller (reference 3.1)', async () => {
    const it = await cardKit();
    const card = await it.card();
    const { status, body } = await it.post(`/cards/${card.id}/reveal`, undefined);
    expect(status).toBe(200);
    expect(body.expiresAt).toBe('2026-01-05T09:05:00.000Z');
    const again = (await it.post(`/cards/${card.id}/reveal`, undefined)).body;
    expect(again.panEmbedUrl).not.toBe(body.panEmbedUrl);
    const records = [...it.sandbox.world.rows(REVEALS).rows()];
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({ cardId: card.id, actor: 'test', expiresAt: body.expiresAt });
    const token = new URL(body.panEmbedUrl).searchParams.get('token') ?? '';
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(it.sandbox.world.snapshot())).not.toContain(token);
    expect((await it.control('GET', '/requests')).text).not.toContain(token);
  });

  test('a frozen card, a closed card and a card of a deleted customer can still be revealed; a rejected card is 404 (Y9)', async () => {
    const it = await cardKit();
    const ask = async (id: string) => (await it.post(`/cards/${id}/reveal`, undefined)).status;
    const [frozen, closed, open] = [await it.card(), await it.card(), await it.card()];
    await it.patch(`/cards/${frozen.id}`, { state: 'FROZEN' });
    await it.patch(`/cards/${closed.id}`, { state: 'CLOSED' });
    const rejected = await it.card({ platformCardId: 'reject-002' });
    expect(rejected.stateReason).toBe('ISSUER_REJECTED');
    expect([await ask(frozen.id), await ask(closed.id), await ask(rejected.id)]).toEqual([200, 200, 404]);
    await it.del(`/customers/${it.customer.id}`);
    expect(await ask(open.id)).toBe(200);
  });

  test('a reveal is refused with 404 for a card without a number, and with 403 for a token without permission', async () => {
    const it = await cardKit({
      scenario: {
        platform: { currencies: ['USD', 'EUR', 'USDB'].map((code) => ({ code })) },
        credentials: [
          { id: 'test', secret: 'secret' },
          { id: 'reader', secret: 'secret', permissions: ['VIEW'] },
        ],
      },
    });
    const stuck = await it.card({ platformCardId: 'stuck-001' });
    const ask = (id: string, as?: string) => it.post(`/cards/${id}/reveal`, undefined, as ? { as } : {});
    expect(refusal(await ask(stuck.id))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    expect(refusal(await ask('Card:x'))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    const card = await it.card();
    expect(refusal(await ask(card.id, 'reader:secret'))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

test('the deletion of a customer closes the open cards of that customer as CLOSED_BY_SERVICE', async () => {
  const it = await cardKit();
  const [one, two] = [await it.card(), await it.card()];
  await it.patch(`/cards/${two.id}`, { state: 'CLOSED' });
  it.story();
  await it.del(`/customers/${it.customer.id}`);
  const states = [one, two].map(({ id }) => cardOf(it.sandbox.world, id).stateReason);
  expect(states).toEqual(['CLOSED_BY_SERVICE', 'CLOSED_BY_PLATFORM']);
  expect(it.story()).toEqual(['CARD.STATE_CHANGE']);
});

test('profile grid shows CLOSED_BY_GRID as the reason of a card that the service closed', async () => {
  const it = await cardKit({ profile: 'grid' });
  const card = await it.card();
  await it.control('POST', `/cards/${card.id}/decision`, { decision: 'CLOSE' });
  const { body } = await it.get(`/cards/${card.id}`);
  expect(body.stateReason).toBe('CLOSED_BY_GRID');
});

describe('cards and pulls that a policy holds', () => {
  const HELD = {
    scenario: {
      platform: { currencies: ['USD', 'USDB'].map((code) => ({ code })) },
      policies: { 'card.provision': 'hold', 'card.pull': 'hold' },
    },
  } as const;
  const jobsOf = async (it: Awaited<ReturnType<typeof cardKit>>): Promise<string[]> =>
    (await it.control('GET', '/jobs')).body.data.map(({ kind }: { kind: string }) => kind);

  test('a held job of a card is dropped once it is decided by hand, or once its cardholder is deleted', async () => {
    const it = await cardKit(HELD);
    const [one, two] = [await it.card(), await it.card()];
    await it.control('POST', `/cards/${one.id}/decision`, { decision: 'ACTIVATE' });
    await it.control('POST', `/cards/${two.id}/decision`, { decision: 'CLOSE' });
    expect(await jobsOf(it)).toEqual([]);
    const t = await it.pay(one, 1000);
    await it.tell(one, 'authorization_advice', { cardTransactionId: t.id, amount: 1500 });
    await it.control('POST', `/transactions/${t.id}/pull`, { outcome: 'CONFIRMED' });
    // That of the advice is another pull.
    expect((await jobsOf(it)).sort()).toEqual(['card.hold', 'card.pull']);
    await it.control('POST', `/transactions/${t.id}/pull`, { outcome: 'FAILED' });
    await it.card();
    await it.del(`/customers/${it.customer.id}`);
    expect(await jobsOf(it)).toEqual([]);
  });
});

test('the last four digits of a card are derived from a platformCardId that has no digit (reference 3.3)', async () => {
  const it = await cardKit();
  const fourOf = async (platformCardId: string) => (await it.card({ platformCardId })).last4;
  const [one, same, other] = [await fourOf('main'), await fourOf('main'), await fourOf('travel')];
  expect([one, same, other]).toEqual(['9273', '9273', '1710']);
});
