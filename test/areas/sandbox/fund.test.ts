import { describe, expect, test } from 'vitest';
import { ACCOUNTS } from '../../../src/areas/accounts/rules.ts';
import { BALANCES, POSTINGS } from '../../../src/ledger/ledger.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

const MOST = 100_000_000_000;
const platformAccount = async ({ get }: Awaited<ReturnType<typeof kit>>, currency = 'USD') =>
  (await get('/platform/internal-accounts', { currency })).body.data[0];

describe('POST /sandbox/internal-accounts/{accountId}/fund, 200', () => {
  test('a funded account is credited at once, and an event shows its new balance (spec 5.1 rule 7)', async () => {
    const it = await kit();
    const account = await platformAccount(it);
    await it.advance('PT1S');
    const { status, body } = await it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 2500 });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...account,
      balance: { ...account.balance, amount: 2500 },
      totalBalance: { ...account.totalBalance, amount: 2500 },
      updatedAt: '2026-01-05T09:00:01.000Z',
    });
    expect(await platformAccount(it)).toEqual(body);
    expect(it.events()).toMatchObject([
      { type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', timestamp: '2026-01-05T09:00:01.000Z', data: body },
    ]);
  });

  test('funded amounts add up, from 1 to the largest, in one account only', async () => {
    const it = await kit();
    const { id } = await platformAccount(it, 'USDC');
    await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 1 });
    const { body } = await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: MOST });
    expect(body.balance.amount).toBe(MOST + 1);
    expect((await platformAccount(it)).balance.amount).toBe(0);
    expect(it.events('INTERNAL_ACCOUNT.BALANCE_UPDATED').map((event) => event.data.balance.amount)).toEqual([
      1,
      MOST + 1,
    ]);
  });

  test("a customer's account can be funded too, with a colon written as %3A in the path", async () => {
    const it = await kit();
    const customer = (await it.post('/customers', { customerType: 'BUSINESS' })).body;
    const [account] = (await it.get('/customers/internal-accounts', { customerId: customer.id, currency: 'USD' })).body
      .data;
    const path = `/sandbox/internal-accounts/${encodeURIComponent(account.id)}/fund`;
    expect((await it.post(path, { amount: 7 })).body).toMatchObject({ id: account.id, balance: { amount: 7 } });
  });

  test('funded money comes from somewhere: the postings sum to zero', async () => {
    const it = await kit();
    const { id } = await platformAccount(it);
    for (const amount of [5, 50, 500]) await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount });
    const lines = [...it.sandbox.world.rows(POSTINGS).rows()].flatMap((posting) => posting.lines);
    expect(lines).toHaveLength(6);
    expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0);
    expect(it.sandbox.world.rows(BALANCES).get(id)).toMatchObject({ available: 555, held: 0 });
  });
});

describe('POST /sandbox/internal-accounts/{accountId}/fund, 400', () => {
  test.each([0, -1, 1.5, MOST + 1, 1e300, '100', null, true, [], {}, undefined])(
    'funding an account with the amount %j is refused with 400',
    async (amount) => {
      const it = await kit();
      const { id } = await platformAccount(it);
      expect(refusal(await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['amount'],
      });
    },
  );

  test('funding an account is refused with 400 when its balance could no longer be counted exactly', async () => {
    const it = await kit({
      scenario: {
        customers: [{ customerType: 'BUSINESS', accounts: { USDC: Number.MAX_SAFE_INTEGER } }],
      },
    });
    const [account] = (await it.get('/customers/internal-accounts', { currency: 'USDC' })).body.data;
    expect(account.balance.amount).toBe(Number.MAX_SAFE_INTEGER);
    expect(refusal(await it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 1 }))).toMatchObject({
      status: 400,
      code: 'AMOUNT_OUT_OF_RANGE',
    });
  });

  test('funding an account is refused with 400 without a body', async () => {
    const it = await kit();
    const { id } = await platformAccount(it);
    expect(refusal(await it.post(`/sandbox/internal-accounts/${id}/fund`))).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST_FORMAT',
    });
  });
});

describe('POST /sandbox/internal-accounts/{accountId}/fund, 401, 403, 404, 409', () => {
  test('funding an account is refused with 401 without credentials', async () => {
    const it = await kit();
    expect((await it.post('/sandbox/internal-accounts/x/fund', { amount: 1 }, { as: null })).status).toBe(401);
  });

  test('funding an account is refused with 403 for a token without TRANSACT', async () => {
    const it = await kit({ scenario: { credentials: [{ id: 'v', secret: 's', permissions: ['VIEW', 'MANAGE'] }] } });
    const { id } = await platformAccount(it);
    expect(refusal(await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 1 }))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
  });

  test("funding a deleted customer's account is refused with 404", async () => {
    const it = await kit();
    const { body: customer } = await it.post('/customers', { customerType: 'INDIVIDUAL' });
    const { id } = (await it.get('/customers/internal-accounts', { customerId: customer.id })).body.data[0];
    await it.settle();
    await it.del(`/customers/${customer.id}`);
    const answer = await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 1 });
    expect(refusal(answer)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('funding an unknown account, or another kind of id, is refused with 404', async () => {
    const it = await kit();
    const customer = (await it.post('/customers', { customerType: 'BUSINESS' })).body;
    for (const id of ['InternalAccount:00000000-0000-7000-8000-000000000000', customer.id, 'platform', '__proto__'])
      expect(refusal(await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 1 }))).toMatchObject({
        status: 404,
        code: 'REFERENCE_NOT_FOUND',
      });
  });

  test("funding another sandbox's account is refused with 404: sandboxes share nothing", async () => {
    const it = await kit();
    const { id } = await platformAccount(it);
    const other = await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 1 }, { as: 'stranger:any' });
    expect(refusal(other)).toMatchObject({ status: 404 });
  });

  test.each(['PENDING', 'CLOSED', 'FROZEN', 'FAILED'] as const)(
    'funding an account that is %s is refused with 409, because only an ACTIVE account can receive',
    async (status) => {
      const it = await kit();
      const { id } = await platformAccount(it);
      const accounts = it.sandbox.world.rows(ACCOUNTS);
      const account = accounts.get(id);
      if (account) accounts.put({ ...account, status });
      expect(refusal(await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 1 }))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      });
    },
  );
});
