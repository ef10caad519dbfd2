import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

describe('GET /customers/{customerId}, 200', () => {
  test('a customer is read as it was created, its id written plainly or percent-encoded', async () => {
    const { post, get } = await kit();
    const { body } = await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    expect(await get(`/customers/${body.id}`)).toMatchObject({ status: 200, body });
    expect((await get(`/customers/${encodeURIComponent(body.id)}`)).body).toEqual(body);
  });

  test('every read of a customer shows the present state, whatever was read before', async () => {
    const { post, get, patch, control, sandbox } = await kit();
    const { id } = (await post('/customers', { customerType: 'INDIVIDUAL' })).body;
    const email = async () => (await get(`/customers/${id}`)).body.email;
    await control('POST', '/snapshots', { name: 'before' });
    expect(await email()).toBeUndefined();
    await patch(`/customers/${id}`, { email: 'a@example.com' });
    expect(await email()).toBe('a@example.com');
    await patch(`/customers/${id}`, { email: 'b@example.com' });
    expect(await email()).toBe('b@example.com');
    await control('POST', '/snapshots/before/restore');
    expect(await email()).toBeUndefined();
    await sandbox.begin({ from: 'scenario' });
    expect((await get(`/customers/${id}`)).status).toBe(404);
  });

  test('a deleted customer can be read (spec 2.1: kept as a record)', async () => {
    const { post, get, del } = await kit();
    const { id } = (await post('/customers', { customerType: 'INDIVIDUAL' })).body;
    await del(`/customers/${id}`);
    expect((await get(`/customers/${id}`)).body).toMatchObject({ id, isDeleted: true });
  });
});

describe('GET /customers/{customerId}, 401, 403, 404', () => {
  test('a read of a customer who is unknown, or of another platform, is refused with 404 USER_NOT_FOUND', async () => {
    const { call, post } = await kit();
    const theirs = (await post('/customers', { customerType: 'BUSINESS' }, { as: 'other:x' })).body.id;
    for (const id of ['Customer:00000000-0000-7000-8000-000000000000', theirs, 'x', '%00', 'constructor'])
      expect(refusal(await call('GET', `/customers/${id}`))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('a read of a customer is refused with 401 without credentials, and with 403 without VIEW', async () => {
    const { call } = await kit({ scenario: { credentials: [{ id: 'm', secret: 's', permissions: ['MANAGE'] }] } });
    expect((await call('GET', '/customers/x', undefined, { as: null })).status).toBe(401);
    expect((await call('GET', '/customers/x')).status).toBe(403);
  });
});
