import { describe, expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

describe('GET /tables', () => {
  test('the list of tables counts the rows of each table that has some, and describes it', async () => {
    const it = await kit();
    await it.post('/customers', ADA);
    const { body } = await it.control('GET', '/tables');
    expect(body.data.find(({ name }: { name: string }) => name === 'customers')).toEqual({
      name: 'customers',
      rows: 1,
      what: 'People and businesses of the platform',
    });
    expect(body.data.filter(({ rows }: { rows: number }) => rows === 0)).toEqual([]);
  });
});

describe('GET /tables/{name}', () => {
  test('the rows of a table are shown newest first as the API shows them, in pages', async () => {
    const it = await kit();
    const made = [];
    for (const name of ['Ada Keller', 'Bo Lind', 'Cem Oz'])
      made.push((await it.post('/customers', { ...ADA, fullName: name })).body.id);
    const first = (await it.control('GET', '/tables/customers?limit=2')).body;
    expect([first.data.map(({ id }: { id: string }) => id), first.hasMore]).toEqual([[made[2], made[1]], true]);
    expect(first.data[1]).toEqual((await it.get(`/customers/${made[1]}`)).body);
    const rest = (await it.control('GET', `/tables/customers?limit=2&cursor=${first.nextCursor}`)).body;
    expect([rest.data.map(({ id }: { id: string }) => id), rest.hasMore]).toEqual([[made[0]], false]);
  });

  test('the rows of a table have their secrets masked', async () => {
    const it = await kit();
    const made = await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] });
    expect(made.status).toBe(201);
    const text = JSON.stringify((await it.control('GET', '/tables/tokens')).body);
    expect(text).toContain(made.body.id);
    expect(text).not.toContain(made.body.clientSecret);
  });

  test('an unknown table is refused with 404', async () => {
    const it = await kit();
    const { status, body } = await it.control('GET', '/tables/nonesuch');
    expect([status, body.message]).toEqual([
      404,
      'there is no table nonesuch; GET /_emulator/tables lists those that hold something',
    ]);
  });
});

describe('GET /resources/{id}', () => {
  test('a resource is found by its id, with the decisions that are possible now', async () => {
    const it = await kit({ scenario: { policies: { 'customer.decide': 'hold' } } });
    const { id } = (await it.post('/customers', ADA)).body;
    const { body } = await it.control('GET', `/resources/${id}`);
    expect([body.table, body.resource]).toEqual(['customers', (await it.get(`/customers/${id}`)).body]);
    expect(body.decisions).toEqual([
      { name: 'decision', label: 'Approve', body: { decision: 'APPROVED' } },
      { name: 'decision', label: 'Reject', body: { decision: 'REJECTED' } },
    ]);
  });

  test('an unknown resource id is refused with 404', async () => {
    const it = await kit();
    for (const id of ['Customer:01900000-0000-7000-8000-000000000000', 'nothing', ':', 'x:y'])
      expect((await it.control('GET', `/resources/${id}`)).status, id).toBe(404);
  });
});

describe('GET /sandbox', () => {
  test('GET /sandbox shows the default sandbox, or the one that is named', async () => {
    const it = await kit();
    expect((await it.control('GET', '/sandbox')).body).toMatchObject({
      id: 'test',
      isDefault: true,
      credentials: [{ id: 'test', secret: 'secret' }],
    });
    const { id } = (await it.control('POST', '/sandboxes', {})).body;
    expect((await it.control('GET', `/sandbox?sandbox=${id}`)).body).toMatchObject({ id, isDefault: false });
  });
});
