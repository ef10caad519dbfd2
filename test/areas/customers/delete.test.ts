import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

describe('DELETE /customers/{customerId}, 200', () => {
  test('a deleted customer is kept and marked, is hidden from the list, and frees its names (spec 2.1)', async () => {
    const { post, get, del, advance, events } = await kit();
    const sent = { customerType: 'INDIVIDUAL', platformCustomerId: 'u-1', umaAddress: '$ada@pay.example' };
    const customer = (await post('/customers', sent)).body;
    const told = events().length;
    await advance('PT1M');
    const { status, body } = await del(`/customers/${customer.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...customer, isDeleted: true, updatedAt: '2026-01-05T09:01:00.000Z' });
    expect((await get('/customers')).body.totalCount).toBe(0);
    expect((await get('/customers', { isIncludingDeleted: true })).body.data).toEqual([body]);
    expect((await post('/customers', sent)).status).toBe(201);
    expect(events()).toHaveLength(told + 1);
  });

  test('a deleted customer keeps its history: its accounts can still be read', async () => {
    const { post, get, del } = await kit();
    const { id } = (await post('/customers', { customerType: 'INDIVIDUAL' })).body;
    await del(`/customers/${id}`);
    expect((await get('/customers/internal-accounts', { customerId: id })).body.totalCount).toBe(3);
  });
});

describe('DELETE /customers/{customerId}, 401, 403, 404, 410', () => {
  test('the deletion of a customer is refused with 401 without credentials, and with 403 without MANAGE', async () => {
    const { del } = await kit({ scenario: { credentials: [{ id: 'v', secret: 's', permissions: ['VIEW'] }] } });
    expect((await del('/customers/x', { as: null })).status).toBe(401);
    expect((await del('/customers/x')).status).toBe(403);
  });

  test('the deletion of an unknown customer is refused with 404 USER_NOT_FOUND', async () => {
    const { del } = await kit();
    expect(refusal(await del('/customers/x'))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('a second deletion of a customer is refused with 410 CUSTOMER_DELETED', async () => {
    const { post, del } = await kit();
    const { id } = (await post('/customers', { customerType: 'INDIVIDUAL' })).body;
    await del(`/customers/${id}`);
    expect(refusal(await del(`/customers/${id}`))).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' });
  });
});
