import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

const all = ['VIEW', 'TRANSACT', 'MANAGE'];

describe('POST /tokens, 201', () => {
  test('a new token shows a 32-digit client id, and its secret once (reference 16.4)', async () => {
    const { post, get } = await kit();
    const made = await post('/tokens', { name: 'Reader', permissions: ['VIEW'] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: 'Reader',
      permissions: ['VIEW'],
      clientId: expect.stringMatching(/^[0-9a-f]{32}$/),
      clientSecret: expect.stringMatching(/^[0-9a-f]{36}$/),
      id: expect.stringMatching(/^Token:/),
    });
    const { clientSecret, ...shown } = made.body;
    expect((await get(`/tokens/${made.body.id}`)).body).toEqual(shown);
    expect((await get('/tokens')).text).not.toContain(clientSecret);
  });

  test('a token logs in to the sandbox that made it, under open and under known authentication (spec 5 rule 1)', async () => {
    for (const auth of ['open', 'known'] as const) {
      const { post, call } = await kit({ auth });
      const customer = (await post('/customers', { customerType: 'INDIVIDUAL' })).body;
      const { clientId, clientSecret } = (await post('/tokens', { name: 'Second', permissions: all })).body;
      const seen = await call('GET', `/customers/${customer.id}`, undefined, { as: `${clientId}:${clientSecret}` });
      expect(seen).toMatchObject({ status: 200, body: { id: customer.id } });
    }
  });

  test('a token may do what its permissions say: VIEW reads customers, MANAGE changes them, and either is refused with 403 for the other (reference 3.2)', async () => {
    const { post, call } = await kit();
    const { clientId, clientSecret } = (await post('/tokens', { name: 'Reader', permissions: ['VIEW'] })).body;
    const as = `${clientId}:${clientSecret}`;
    expect((await call('GET', '/customers', undefined, { as })).status).toBe(200);
    expect(refusal(await call('POST', '/customers', { customerType: 'INDIVIDUAL' }, { as }))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
    const writer = (await post('/tokens', { name: 'Writer', permissions: ['MANAGE'] })).body;
    const asWriter = { as: `${writer.clientId}:${writer.clientSecret}` };
    expect((await call('POST', '/customers', { customerType: 'INDIVIDUAL' }, asWriter)).status).toBe(201);
    expect((await call('GET', '/customers', undefined, asWriter)).status).toBe(403);
  });

  test('neither the request log nor the saved state holds the secret of a token', async () => {
    const { post, control } = await kit();
    const { clientSecret } = (await post('/tokens', { name: 'Reader', permissions: ['VIEW'] })).body;
    expect((await control('GET', '/requests')).text).not.toContain(clientSecret);
    expect((await control('GET', '/state')).text).not.toContain(clientSecret);
  });

  test('sandboxes of one seed issue different client ids, and each id finds its own sandbox', async () => {
    const { host, call } = await kit();
    const ids = new Set<string>();
    for (let i = 0; i < 2; i += 1) {
      const { id, credentials } = await host.create({ seed: 'same' });
      const as = `${id}:${credentials[0]?.secret}`;
      const { clientId, clientSecret } = (await call('POST', '/tokens', { name: 'T', permissions: all }, { as })).body;
      ids.add(clientId);
      expect((await host.authenticate(clientId, clientSecret)).sandbox.id).toBe(id);
    }
    expect(ids.size).toBe(2);
  });
});

describe('POST /tokens, 400', () => {
  test.each([
    ['no name', { permissions: all }, 'name'],
    ['an empty name', { name: '', permissions: all }, 'name'],
    ['no permissions', { name: 'T' }, 'permissions'],
    ['empty permissions', { name: 'T', permissions: [] }, 'permissions'],
    ['an unknown permission', { name: 'T', permissions: ['ROOT'] }, 'permissions.0'],
  ])('a new token with %s is refused with 400 (reference 16.4)', async (_name, body, field) => {
    const { post } = await kit();
    expect(refusal(await post('/tokens', body))).toEqual({ status: 400, code: 'INVALID_INPUT', fields: [field] });
  });
});

test('a call without credentials, or with the wrong secret of a token, is refused with 401 (spec 5 rule 1)', async () => {
  const { post, call } = await kit();
  expect((await call('POST', '/tokens', { name: 'T', permissions: all }, { as: null })).status).toBe(401);
  const { clientId } = (await post('/tokens', { name: 'T', permissions: all })).body;
  const as = `${clientId}:${'0'.repeat(36)}`;
  expect(refusal(await call('GET', '/config', undefined, { as }))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
});

test('POST /tokens is refused with 403 for a token without MANAGE (reference 3.2)', async () => {
  const { post, call } = await kit();
  const { clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: ['VIEW', 'TRANSACT'] })).body;
  const as = `${clientId}:${clientSecret}`;
  expect((await call('POST', '/tokens', { name: 'U', permissions: all }, { as })).status).toBe(403);
});
