import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const STRIPE = 'a-magnetic-stripe-1234';

/** The house with one more area: nothing but the list in `areas.ts` is another. */
async function houseWithVouchers() {
  const { visitor } = await import('../inspector/visit.ts');
  const { scenarioJsonSchema } = await import('../../src/scenario/publish.ts');
  const { template } = await import('../../src/cli/template.ts');
  return { visitor, scenarioJsonSchema, template };
}
let house: Awaited<ReturnType<typeof houseWithVouchers>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('../../src/areas.ts', async (original) => {
    const { AREAS } = await original<typeof import('../../src/areas.ts')>();
    const { assemble } = await import('../../src/declare/area.ts');
    const { vouchers } = await import('./throw-away.ts');
    const areas = [...AREAS, vouchers];
    return { AREAS: areas, ...assemble(areas) };
  });
  house = await houseWithVouchers();
});

afterAll(() => {
  vi.doUnmock('../../src/areas.ts');
  vi.resetModules();
});

/** A sandbox in which a customer has a voucher. */
async function withVoucher(scenario: object = {}) {
  const world = await house.visitor({ scenario });
  const { body: ada } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
  await world.control('POST', '/snapshots', { name: 'before' });
  const { status, body: voucher } = await world.post('/vouchers', { customerId: ada.id, name: 'Ada', stripe: STRIPE });
  expect(status).toBe(201);
  const page = async (path: string) =>
    (await world.open(path)).html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return { world, ada, voucher, page };
}

describe('an area that is added to the list in areas.ts only', () => {
  test('an added area has a limit and a policy in the scenario schema and in the file that init writes', async () => {
    const { $defs } = house.scenarioJsonSchema() as {
      $defs: {
        Scenario: {
          properties: Record<'limits' | 'policies', { properties: Record<string, { description: string }> }>;
        };
      };
    };
    const { properties } = $defs.Scenario;
    expect(properties.limits.properties['voucherSeconds']?.description).toBe(
      'Virtual seconds until a voucher opens; 60',
    );
    expect(Object.keys(properties.policies.properties)).toContain('voucher.open');
    expect(house.template('x.json')).toContain('#   voucherSeconds: 60\n');
    expect(house.template('x.json')).toContain('#   voucher.open: at once\n');
    expect(house.template('x.json')).toContain('# vouchers:\n#   - { label: gift, customer: ada }\n');
  });

  test('an added area has a list in scenario files: labels lead there, mistakes have a place, lists add up, no event is sent', async () => {
    const ada = { label: 'ada', customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
    const id = 'Voucher:0196b0de-0000-7000-8000-000000000001';
    const world = await house.visitor({
      scenario: [
        'default',
        { customers: [ada], vouchers: [{ id, label: 'v', customer: 'ada' }] },
        { vouchers: [{ customer: 'ada', name: 'Two' }] },
      ],
    });
    const state = (await world.control('GET', '/state')).body;
    const rows = state.tables.find(({ name }: { name: string }) => name === 'vouchers').rows;
    const customerId = (await world.get('/customers')).body.data[0].id;
    expect(rows).toMatchObject([
      { id, customerId, name: 'Gift' },
      { customerId, name: 'Two' },
    ]);
    expect((await world.control('GET', '/webhooks')).body.data).toEqual([]);
    const wrong = (vouchers: object[]) => house.visitor({ scenario: { customers: [ada], vouchers } });
    await expect(wrong([{ customer: 'bob' }])).rejects.toThrow('vouchers.0.customer: no customer has the label bob');
    await expect(wrong([{ customer: 'ada', name: 'Blank' }])).rejects.toThrow('vouchers.0.name: nobody writes on it');
    await expect(
      wrong([
        { id, customer: 'ada' },
        { id, customer: 'ada' },
      ]),
    ).rejects.toThrow(`vouchers.1.id: ${id} is taken`);
    await expect(wrong([{ id: 'Voucher:1', customer: 'ada' }])).rejects.toThrow(
      'vouchers.0.id: must look like Voucher:<uuid>',
    );
    await expect(wrong([{ label: 'ada', customer: 'ada' }])).rejects.toThrow('ada is the label of something else');
    const { $defs } = house.scenarioJsonSchema() as {
      $defs: { Scenario: { properties: Record<string, { description: string }> } };
    };
    expect($defs.Scenario.properties['vouchers']?.description).toBe('Vouchers that are there from the start');
  });

  test('an added area has jobs with words, which wait as the limit or the policy says and emit its events', async () => {
    const { world, voucher } = await withVoucher({ limits: { voucherSeconds: 30 } });
    const jobs = await world.control('GET', '/jobs');
    expect(jobs.body.data).toMatchObject([{ kind: 'voucher.open', does: 'open Ada', about: voucher.id }]);
    await world.advance('PT29S');
    expect(world.events('VOUCHER.OPEN')).toEqual([]);
    await world.advance('PT1S');
    expect(world.events('VOUCHER.OPEN')).toMatchObject([{ data: { id: voucher.id, state: 'OPEN' } }]);
    const held = await withVoucher({ policies: { 'voucher.open': 'hold' } });
    expect((await held.world.control('GET', '/jobs')).body.data).toMatchObject([{ kind: 'voucher.open', dueAt: null }]);
  });

  test('an added area is in the OpenAPI document with its operation, tag and events', async () => {
    const { world } = await withVoucher();
    const { body } = await world.control('GET', '/openapi.json');
    expect(Object.keys(body.paths)).toContain('/vouchers');
    expect(body.tags).toContainEqual({ name: 'Vouchers' });
    expect(Object.keys(body.webhooks)).toContain('voucher-update');
  });

  test('an added area has its rows and jobs checked in a state from outside', async () => {
    const { world, voucher } = await withVoucher();
    const { body: state } = await world.control('GET', '/state');
    expect((await world.control('PUT', '/state', state)).status).toBe(200);
    const refusalOf = async (change: object, table = 'vouchers') => {
      const tables = state.tables.map((one: { name: string; rows: object[] }) =>
        one.name === table ? { ...one, rows: one.rows.map((row) => ({ ...row, ...change })) } : one,
      );
      const { status, text } = await world.control('PUT', '/state', { ...state, tables });
      expect(status).toBe(400);
      return text;
    };
    expect(await refusalOf({ state: 'MELTED' })).toContain(`${voucher.id}`);
    expect(await refusalOf({ customerId: 'Customer:gone' })).toContain('Customer:gone is not in customers');
    expect(await refusalOf({ payload: { voucherId: 7 } }, 'jobs')).toContain('payload.voucherId');
    expect(await refusalOf({ payload: { voucherId: 'Voucher:gone' } }, 'jobs')).toContain(
      'Voucher:gone is not in vouchers',
    );
  });

  test('an added area has pages: its list, its row as the API shows it, and links from what it refers to', async () => {
    const { world, ada, voucher, page } = await withVoucher();
    expect(await page('/inspector/state')).toContain('Vouchers 1 Paper of customers');
    expect(await page('/inspector/state/vouchers')).toMatch(/voucher of Ada Voucher …\w{6} made 09:00:00/);
    const row = await page(`/inspector/state/vouchers/${encodeURIComponent(voucher.id)}`);
    expect(row).toContain('Raw JSON');
    const path = `/inspector/state/customers/${encodeURIComponent(ada.id)}`;
    expect(await page(path)).toMatch(/Vouchers voucher of Ada/);
    expect((await world.open(path)).html).toContain(`/inspector/state/vouchers/${encodeURIComponent(voucher.id)}`);
  });

  test('an added area has a decision in the control API, a button where it is possible, and a tone', async () => {
    const { world, voucher } = await withVoucher();
    const path = `/inspector/state/vouchers/${encodeURIComponent(voucher.id)}`;
    expect((await world.open(path)).html).not.toContain('Burn it');
    await world.advance('PT60S');
    expect((await world.open(path)).html).toContain('Burn it');
    const { status, body } = await world.control('POST', `/vouchers/${voucher.id}/fate`, { fate: 'BURNT' });
    expect([status, body]).toEqual([200, { ...voucher, state: 'BURNT' }]);
    expect((await world.open(path)).html).toContain('<span class="badge bad">burnt</span>');
    expect((await world.control('POST', `/vouchers/${voucher.id}/fate`, { fate: 'OPEN' })).status).toBe(400);
  });

  test('an added area has the sections that its refusals cite among the rules that pages explain', async () => {
    const { world } = await withVoucher();
    const { html } = await world.open('/inspector/rules');
    expect(html).toContain('A burnt voucher is not made again.');
    const { ruleOf } = await import('../../src/sandbox/rules.ts');
    expect(ruleOf('vouchers 1')).toMatchObject({ about: 'Vouchers' });
  });

  test('an added area has its secret member masked in the log and in the comparison of two states', async () => {
    const { world } = await withVoucher();
    const { body: log } = await world.control('GET', '/requests');
    const entry = await world.control('GET', `/requests/${log.data[0].id}`);
    expect(entry.text).toContain('stripe');
    const { diff } = await import('../../src/engine/diff.ts');
    const { atOnce } = await import('../../src/engine/slices.ts');
    const { maskChanges } = await import('../../src/sandbox/mask.ts');
    const [before, after] = ['x', STRIPE].map((stripe) => {
      const snapshot = world.sandbox.world.snapshot();
      const tables = snapshot.tables.map((t) =>
        t.name === 'vouchers' ? { ...t, rows: t.rows.map((row) => ({ ...row, stripe })) } : t,
      );
      return { ...snapshot, tables };
    });
    const changes = JSON.stringify(atOnce(maskChanges(atOnce(diff(before as never, after as never)))));
    expect(changes).toContain('"path":"stripe","before":"•••","after":"•••"');
    for (const text of [entry.text, changes, await (await world.ask('/inspector/requests')).text()])
      expect(text).not.toContain(STRIPE);
  });
});
