import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const STRIPE = 'a-magnetic-stripe-1234';

/** The house with one more area: nothing but the list in `areas.ts` is another. */
async function houseWithCards() {
  const { visitor } = await import('../inspector/visit.ts');
  const { scenarioJsonSchema } = await import('../../src/scenario/publish.ts');
  const { template } = await import('../../src/cli/template.ts');
  return { visitor, scenarioJsonSchema, template };
}
let house: Awaited<ReturnType<typeof houseWithCards>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('../../src/areas.ts', async (original) => {
    const { AREAS } = await original<typeof import('../../src/areas.ts')>();
    const { assemble } = await import('../../src/declare/area.ts');
    const { cards } = await import('./throw-away.ts');
    const areas = [...AREAS, cards];
    return { AREAS: areas, ...assemble(areas) };
  });
  house = await houseWithCards();
});

afterAll(() => {
  vi.doUnmock('../../src/areas.ts');
  vi.resetModules();
});

/** A sandbox in which a customer has a card. */
async function withCard(scenario: object = {}) {
  const world = await house.visitor({ scenario });
  const { body: ada } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
  await world.control('POST', '/snapshots', { name: 'before' });
  const { status, body: card } = await world.post('/cards', { customerId: ada.id, name: 'Ada', stripe: STRIPE });
  expect(status).toBe(201);
  const page = async (path: string) =>
    (await world.open(path)).html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return { world, ada, card, page };
}

describe('an area that is added to the list in areas.ts, and nowhere else', () => {
  test('has a limit and a policy in the scenario schema and in what init writes', async () => {
    const { $defs } = house.scenarioJsonSchema() as {
      $defs: {
        Scenario: {
          properties: Record<'limits' | 'policies', { properties: Record<string, { description: string }> }>;
        };
      };
    };
    const { properties } = $defs.Scenario;
    expect(properties.limits.properties['cardSeconds']?.description).toBe('Virtual seconds until a card opens; 60');
    expect(Object.keys(properties.policies.properties)).toContain('card.open');
    expect(house.template('x.json')).toContain('#   cardSeconds: 60\n');
    expect(house.template('x.json')).toContain('#   card.open: at once\n');
  });

  test('has jobs, which are told in words, wait as the limit or the policy says, and tell its events', async () => {
    const { world, card } = await withCard({ limits: { cardSeconds: 30 } });
    const jobs = await world.control('GET', '/jobs');
    expect(jobs.body.data).toMatchObject([{ kind: 'card.open', does: 'open Ada', about: card.id }]);
    await world.advance('PT29S');
    expect(world.events('CARD.OPEN')).toEqual([]);
    await world.advance('PT1S');
    expect(world.events('CARD.OPEN')).toMatchObject([{ data: { id: card.id, state: 'OPEN' } }]);
    const held = await withCard({ policies: { 'card.open': 'hold' } });
    expect((await held.world.control('GET', '/jobs')).body.data).toMatchObject([{ kind: 'card.open', dueAt: null }]);
  });

  test('stands in the OpenAPI document with its operation, tag and events', async () => {
    const { world } = await withCard();
    const { body } = await world.control('GET', '/openapi.json');
    expect(Object.keys(body.paths)).toContain('/cards');
    expect(body.tags).toContainEqual({ name: 'Cards' });
    expect(Object.keys(body.webhooks)).toContain('card-update');
  });

  test('has its rows and jobs checked in a state from outside', async () => {
    const { world, card } = await withCard();
    const { body: state } = await world.control('GET', '/state');
    expect((await world.control('PUT', '/state', state)).status).toBe(200);
    const refusalOf = async (change: object, table = 'cards') => {
      const tables = state.tables.map((one: { name: string; rows: object[] }) =>
        one.name === table ? { ...one, rows: one.rows.map((row) => ({ ...row, ...change })) } : one,
      );
      const { status, text } = await world.control('PUT', '/state', { ...state, tables });
      expect(status).toBe(400);
      return text;
    };
    expect(await refusalOf({ state: 'MELTED' })).toContain(`${card.id}`);
    expect(await refusalOf({ customerId: 'Customer:gone' })).toContain('Customer:gone is not in customers');
    expect(await refusalOf({ payload: { cardId: 7 } }, 'jobs')).toContain('payload.cardId');
    expect(await refusalOf({ payload: { cardId: 'Card:gone' } }, 'jobs')).toContain('Card:gone is not in cards');
  });

  test('has pages: its list, its row as the API shows it, and links from what it refers to', async () => {
    const { world, ada, card, page } = await withCard();
    expect(await page('/inspector/state')).toContain('Cards 1 Plastic of customers');
    expect(await page('/inspector/state/cards')).toMatch(/card of Ada Card …\w{6} made 09:00:00/);
    const row = await page(`/inspector/state/cards/${encodeURIComponent(card.id)}`);
    expect(row).toContain('As the API shows it');
    const path = `/inspector/state/customers/${encodeURIComponent(ada.id)}`;
    expect(await page(path)).toMatch(/Cards card of Ada/);
    expect((await world.open(path)).html).toContain(`/inspector/state/cards/${encodeURIComponent(card.id)}`);
  });

  test('has a decision in the control API, a button for it where it is possible, and its tone', async () => {
    const { world, card } = await withCard();
    const path = `/inspector/state/cards/${encodeURIComponent(card.id)}`;
    expect((await world.open(path)).html).not.toContain('Burn it');
    await world.advance('PT60S');
    expect((await world.open(path)).html).toContain('Burn it');
    const { status, body } = await world.control('POST', `/cards/${card.id}/fate`, { fate: 'BURNT' });
    expect([status, body]).toEqual([200, { ...card, state: 'BURNT' }]);
    expect((await world.open(path)).html).toContain('<span class="badge bad">burnt</span>');
    expect((await world.control('POST', `/cards/${card.id}/fate`, { fate: 'OPEN' })).status).toBe(400);
  });

  test('has the sections that its refusals cite among the rules that pages explain', async () => {
    const { world } = await withCard();
    const { html } = await world.open('/inspector/rules');
    expect(html).toContain('A burnt card is not made again.');
    const { ruleOf } = await import('../../src/sandbox/rules.ts');
    expect(ruleOf('cards 1')).toMatchObject({ about: 'Cards' });
  });

  test('has its secret member masked in the log and in what differs between two states', async () => {
    const { world } = await withCard();
    const { body: log } = await world.control('GET', '/requests');
    const entry = await world.control('GET', `/requests/${log.data[0].id}`);
    expect(entry.text).toContain('stripe');
    const { diff } = await import('../../src/engine/diff.ts');
    const { maskChanges } = await import('../../src/sandbox/mask.ts');
    const [before, after] = ['x', STRIPE].map((stripe) => {
      const snapshot = world.sandbox.world.snapshot();
      const tables = snapshot.tables.map((t) =>
        t.name === 'cards' ? { ...t, rows: t.rows.map((row) => ({ ...row, stripe })) } : t,
      );
      return { ...snapshot, tables };
    });
    const changes = JSON.stringify(maskChanges(diff(before as never, after as never)));
    expect(changes).toContain('"path":"stripe","before":"•••","after":"•••"');
    for (const text of [entry.text, changes, await (await world.ask('/inspector/requests')).text()])
      expect(text).not.toContain(STRIPE);
  });
});
