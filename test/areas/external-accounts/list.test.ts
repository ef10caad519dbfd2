import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { usd } from './material.ts';

const wallet = (n: number) => ({
  currency: 'USDC',
  accountInfo: { accountType: 'BASE_WALLET', address: `0x${String(n).padStart(40, '0')}` },
});
const ids = (page: { data: { id: string }[] }) => page.data.map((account) => account.id);

describe('GET /customers/external-accounts', () => {
  const made = async () => {
    const the = await kit();
    const customer = async () => (await the.post('/customers', { customerType: 'INDIVIDUAL' })).body.id as string;
    const [ada, bo] = [await customer(), await customer()];
    const add = async (body: object) => (await the.post('/customers/external-accounts', body)).body.id as string;
    const adas = [await add({ ...usd('1'), customerId: ada }), await add({ ...wallet(1), customerId: ada })];
    const bos = [await add({ ...usd('1'), customerId: bo })];
    await add(usd('9'));
    return { ...the, ada, bo, adas, bos, add };
  };

  test('external accounts of all customers are listed with 200, newest first, without those of the platform', async () => {
    const { get, adas, bos } = await made();
    const { status, body } = await get('/customers/external-accounts');
    expect(status).toBe(200);
    expect(ids(body)).toEqual([...bos, ...[...adas].reverse()]);
    expect(body).toMatchObject({ hasMore: false, totalCount: 3 });
  });

  test('external accounts are filtered by customer, by currency, and by both', async () => {
    const { get, ada, adas, bos } = await made();
    const list = async (query: Record<string, string>) => ids((await get('/customers/external-accounts', query)).body);
    expect(await list({ customerId: ada })).toEqual([...adas].reverse());
    expect(await list({ currency: 'USD' })).toEqual([bos[0], adas[0]]);
    expect(await list({ currency: 'USDC', customerId: ada })).toEqual([adas[1]]);
    expect(await list({ customerId: 'Customer:nobody' })).toEqual([]);
  });

  test('pages of external accounts neither lose nor repeat one while others are added and deleted', async () => {
    const { get, add, ada, del } = await made();
    const all: string[] = [];
    for (let n = 10; n < 22; n += 1) all.unshift(await add({ ...wallet(n), customerId: ada }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await get('/customers/external-accounts', { limit: 5, ...(cursor ? { cursor } : {}) });
      seen.push(...ids(body));
      cursor = body.nextCursor;
      await add({ ...wallet(100 + seen.length), customerId: ada });
      if (seen.length === 5) await del(`/customers/external-accounts/${seen[0]}`);
    } while (cursor);
    expect(seen.slice(0, 12)).toEqual(all);
    expect(seen).toHaveLength(15);
    expect(new Set(seen).size).toBe(15);
  });

  test('the list of external accounts is refused with 400 for a limit out of range, or a cursor that no list returned', async () => {
    const { get } = await made();
    for (const query of [{ limit: 0 }, { limit: 101 }, { cursor: 'x' }] as Record<string, number | string>[])
      expect(refusal(await get('/customers/external-accounts', query))).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
      });
  });

  test('the list of external accounts is refused with 401 without credentials', async () => {
    const { call } = await kit();
    expect((await call('GET', '/customers/external-accounts', undefined, { as: null })).status).toBe(401);
  });
});

describe('/platform/external-accounts', () => {
  test('the platform registers external accounts with 201, and lists its own, filtered and paged', async () => {
    const { get, post } = await kit();
    const made: string[] = [];
    for (const body of [usd('1'), wallet(2), wallet(3)]) {
      const answer = await post('/platform/external-accounts', { ...body, customerId: 'Customer:ignored' });
      expect(answer.status).toBe(201);
      expect(answer.body).not.toHaveProperty('customerId');
      made.unshift(answer.body.id);
    }
    expect(ids((await get('/platform/external-accounts')).body)).toEqual(made);
    expect(ids((await get('/platform/external-accounts', { currency: 'USD' })).body)).toEqual([made[2]]);
    const { body: first } = await get('/platform/external-accounts', { limit: 2 });
    const { body: second } = await get('/platform/external-accounts', { limit: 2, cursor: first.nextCursor });
    expect([...ids(first), ...ids(second)]).toEqual(made);
  });

  test('an external account of the platform is refused with 400 INVALID_INPUT, INVALID_CURRENCY or INVALID_BANK_ACCOUNT', async () => {
    const { post } = await kit();
    const refused = async (body: object) => {
      const { status, code } = refusal(await post('/platform/external-accounts', body));
      return `${status} ${code}`;
    };
    expect(await refused({ currency: 'USD' })).toBe('400 INVALID_INPUT');
    expect(await refused({ ...usd(), currency: 'ABC' })).toBe('400 INVALID_CURRENCY');
    expect(await refused(usd('105'))).toBe('400 INVALID_BANK_ACCOUNT');
  });

  test('the same external account of the platform again is refused with 409 CONFLICT', async () => {
    const { post } = await kit();
    await post('/platform/external-accounts', usd());
    expect(refusal(await post('/platform/external-accounts', usd()))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('external accounts of the platform are refused with 400 for a bad limit, and with 401 without credentials', async () => {
    const { get, call } = await kit();
    expect((await get('/platform/external-accounts', { limit: 'many' })).status).toBe(400);
    for (const method of ['GET', 'POST'])
      expect((await call(method, '/platform/external-accounts', undefined, { as: null })).status).toBe(401);
  });
});
