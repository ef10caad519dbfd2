import { describe, expect, test } from 'vitest';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map((customer) => customer.id);

/** So many businesses, a second apart; their ids, oldest first. */
async function some(
  { post, advance }: Kit,
  count: number,
  more: (i: number) => object = () => ({}),
): Promise<string[]> {
  const made: string[] = [];
  for (let i = 0; i < count; i += 1) {
    made.push(
      (await post('/customers', { customerType: 'BUSINESS', platformCustomerId: `p-${i}`, ...more(i) })).body.id,
    );
    await advance('PT1S');
  }
  return made;
}

describe('GET /customers, 200', () => {
  test('customers are listed newest first, 20 to a page without a limit (spec 4.1, 8)', async () => {
    const it = await kit();
    const made = await some(it, 23);
    const page = await it.get('/customers');
    expect(ids(page)).toEqual(made.slice(3).reverse());
    expect(page.body).toMatchObject({ hasMore: true, totalCount: 23, nextCursor: expect.any(String) });
    const last = await it.get('/customers', { cursor: page.body.nextCursor });
    expect(ids(last)).toEqual(made.slice(0, 3).reverse());
    expect(last.body).toMatchObject({ hasMore: false, totalCount: 23 });
    expect(last.body).not.toHaveProperty('nextCursor');
  });

  test('an empty list of customers is a page, too', async () => {
    const { get } = await kit();
    expect((await get('/customers')).body).toEqual({ data: [], hasMore: false, totalCount: 0 });
  });

  test('a page that ends with the last customer says that there are no more', async () => {
    const it = await kit();
    await some(it, 4);
    const first = (await it.get('/customers', { limit: 2 })).body;
    expect(first.hasMore).toBe(true);
    expect((await it.get('/customers', { limit: 2, cursor: first.nextCursor })).body.hasMore).toBe(false);
    expect((await it.get('/customers', { limit: 4 })).body.hasMore).toBe(false);
    expect((await it.get('/customers', { limit: 100 })).body.data).toHaveLength(4);
  });

  test('a cursor of customers holds its place while customers are added and deleted (spec 2.7)', async () => {
    const it = await kit();
    const made = await some(it, 6);
    const first = (await it.get('/customers', { limit: 2 })).body;
    const [later] = await some(it, 1, () => ({ platformCustomerId: 'late' }));
    await it.del(`/customers/${made[4]}`);
    await it.del(`/customers/${made[2]}`);
    const second = await it.get('/customers', { limit: 2, cursor: first.nextCursor });
    expect(ids(second)).toEqual([made[3], made[1]]);
    expect(ids(await it.get('/customers', { limit: 2, cursor: second.body.nextCursor }))).toEqual([made[0]]);
    expect(ids(await it.get('/customers', { limit: 1 }))).toEqual([later]);
  });

  test('customers are filtered by each parameter alone, and by several together', async () => {
    const it = await kit({ scenario: { platform: { currencies: [{ code: 'USD' }, { code: 'BRL' }] } } });
    const { post, patch, get, advance } = it;
    const a = (
      await post('/customers', {
        customerType: 'INDIVIDUAL',
        platformCustomerId: 'pa',
        region: 'US',
        currencies: ['USD'],
        umaAddress: '$a@pay.example',
      })
    ).body.id;
    await advance('PT1H');
    const b = (
      await post('/customers', {
        customerType: 'BUSINESS',
        platformCustomerId: 'pb',
        region: 'BR',
        umaAddress: '$k@pay.example',
        currencies: ['BRL', 'USD'],
      })
    ).body.id;
    await advance('PT1H');
    const c = (await post('/customers', { customerType: 'BUSINESS', platformCustomerId: 'pc' })).body.id;
    await advance('PT1H');
    await patch(`/customers/${a}`, { email: 'a@example.com' });
    const found = async (query: Record<string, string | boolean | number>) => {
      const answer = await get('/customers', query);
      expect(answer.status).toBe(200);
      expect(answer.body.totalCount).toBe(answer.body.data.length);
      return ids(answer);
    };
    expect(await found({ platformCustomerId: 'pb' })).toEqual([b]);
    expect(await found({ platformCustomerId: 'p' })).toEqual([]);
    expect(await found({ customerType: 'BUSINESS' })).toEqual([c, b]);
    expect(await found({ umaAddress: '$A@pay.EXAMPLE' })).toEqual([a]);
    expect(await found({ umaAddress: '$K@pay.example' })).toEqual([b]);
    expect(await found({ umaAddress: '$\u212A@pay.example' })).toEqual([]);
    expect(await found({ region: 'BR' })).toEqual([b]);
    expect(await found({ currency: 'BRL' })).toEqual([c, b]);
    expect(await found({ currency: 'USD' })).toEqual([c, b, a]);
    expect(await found({ currency: 'JPY' })).toEqual([]);
    // Both ends of a span are part of it, in any offset.
    expect(await found({ createdAfter: '2026-01-05T10:00:00Z' })).toEqual([c, b]);
    expect(await found({ createdAfter: '2026-01-05T11:00:00+01:00' })).toEqual([c, b]);
    expect(await found({ createdAfter: '2026-01-05T10:00:00.001Z' })).toEqual([c]);
    expect(await found({ createdBefore: '2026-01-05T10:00:00Z' })).toEqual([b, a]);
    expect(await found({ createdAfter: '2026-01-05T09:30:00Z', createdBefore: '2026-01-05T10:30:00Z' })).toEqual([b]);
    const reversed = { createdAfter: '2026-01-05T11:00:00Z', createdBefore: '2026-01-05T10:00:00Z' };
    expect(await found(reversed)).toEqual([]);
    expect((await get('/customers', reversed)).body, 'S1').toMatchObject({ data: [], totalCount: 0 });
    expect(await found({ updatedAfter: '2026-01-05T11:30:00Z' })).toEqual([a]);
    expect(await found({ updatedBefore: '2026-01-05T10:00:00Z' })).toEqual([b]);
    expect(await found({ updatedAfter: '2026-01-05T10:00:00Z', updatedBefore: '2026-01-05T11:00:00Z' })).toEqual([
      c,
      b,
    ]);
    // Filters combine freely (spec 4.1).
    expect(
      await found({
        customerType: 'BUSINESS',
        currency: 'USD',
        region: 'BR',
        platformCustomerId: 'pb',
        createdBefore: '2026-01-06T00:00:00Z',
        limit: 1,
      }),
    ).toEqual([b]);
    expect(await found({ customerType: 'INDIVIDUAL', region: 'BR' })).toEqual([]);
  });

  test('a filtered list of customers is paged like any other', async () => {
    const it = await kit();
    const made = await some(it, 9, (i) => ({ region: i % 2 ? 'US' : 'DE' }));
    const german = made.filter((_, i) => i % 2 === 0).reverse();
    const first = (await it.get('/customers', { region: 'DE', limit: 3 })).body;
    expect(ids({ body: first })).toEqual(german.slice(0, 3));
    expect(first).toMatchObject({ hasMore: true, totalCount: 5 });
    const second = await it.get('/customers', { region: 'DE', limit: 3, cursor: first.nextCursor });
    expect(ids(second)).toEqual(german.slice(3));
    expect(second.body.hasMore).toBe(false);
  });

  test('deleted customers are left out of the list unless the query includes them', async () => {
    const it = await kit();
    const [a, b, c] = await some(it, 3, () => ({ region: 'US' }));
    await it.del(`/customers/${b}`);
    expect(ids(await it.get('/customers'))).toEqual([c, a]);
    expect(ids(await it.get('/customers', { isIncludingDeleted: false }))).toEqual([c, a]);
    const all = await it.get('/customers', { isIncludingDeleted: true, region: 'US' });
    expect(ids(all)).toEqual([c, b, a]);
    expect(all.body.data.map((customer: { isDeleted: boolean }) => customer.isDeleted)).toEqual([false, true, false]);
    expect(all.body.totalCount).toBe(3);
  });

  test('the list of customers shows the same as a read of each', async () => {
    const it = await kit();
    const [id] = await some(it, 1);
    expect((await it.get('/customers')).body.data[0]).toEqual((await it.get(`/customers/${id}`)).body);
  });

  test('unknown query parameters of the list of customers are ignored', async () => {
    const it = await kit();
    await some(it, 1);
    expect((await it.get('/customers', { more: 1, __proto__x: 'y' })).body.totalCount).toBe(1);
  });
});

describe('GET /customers, 400', () => {
  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', ''],
    ['limit', '9999999999999999999'],
    ['customerType', 'PERSON'],
    ['customerType', ''],
    ['createdAfter', 'yesterday'],
    ['createdAfter', '2026-01'],
    ['createdBefore', '2026-02-30T00:00:00Z'],
    ['updatedAfter', '1767603600'],
    ['updatedBefore', ''],
    ['region', 'XX'],
    ['region', 'us'],
    ['currency', 'usd'],
    ['isIncludingDeleted', 'yes'],
    ['isIncludingDeleted', ''],
    ['cursor', ''],
    ['cursor', 'abc'],
    ['cursor', 'Y3VzdG9tZXJzOi0x'],
    ['cursor', 'Y3VzdG9tZXJzOjFlMQ'],
  ])('the list of customers with %s=%s is refused with 400 INVALID_INPUT', async (field, value) => {
    const { get } = await kit();
    expect(refusal(await get('/customers', { [field]: value }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: [field],
    });
  });

  test('a list of customers with a parameter given twice is refused with 400 INVALID_INPUT, every bad parameter named', async () => {
    const { call } = await kit();
    const answer = await call('GET', '/customers?limit=1&limit=2&region=XX');
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(refusal(answer).fields.sort()).toEqual(['limit', 'region']);
  });
});

describe('GET /customers, 401 and 403', () => {
  test('the list of customers is refused with 401 without credentials, and with 403 without VIEW', async () => {
    const { call } = await kit({ scenario: { credentials: [{ id: 'm', secret: 's', permissions: ['MANAGE'] }] } });
    expect((await call('GET', '/customers', undefined, { as: null })).status).toBe(401);
    expect((await call('GET', '/customers')).status).toBe(403);
  });

  test('every token id reaches a sandbox of its own, with its own customers', async () => {
    const it = await kit();
    await some(it, 2);
    const list = async (as: string) => (await it.call('GET', '/customers', undefined, { as })).body.totalCount;
    expect(await list('other:x')).toBe(0);
    await it.post('/customers', { customerType: 'BUSINESS' }, { as: 'other:y' });
    expect([await list('test:secret'), await list('other:z'), await list('third:x')]).toEqual([2, 1, 0]);
  });
});
