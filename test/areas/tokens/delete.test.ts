import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

const all = ['VIEW', 'TRANSACT', 'MANAGE'];

describe('DELETE /tokens/{tokenId}, 204', () => {
  test('a call with a deleted token is refused with 401, also under open authentication (reference 16.4)', async () => {
    for (const [auth, used] of [
      ['open', true],
      ['open', false],
      ['known', true],
    ] as const) {
      const { post, del, get, call } = await kit({ auth });
      const { id, clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: all })).body;
      const as = `${clientId}:${clientSecret}`;
      if (used) expect((await call('GET', '/config', undefined, { as })).status).toBe(200);
      expect((await del(`/tokens/${id}`)).status).toBe(204);
      expect(refusal(await call('GET', '/config', undefined, { as }))).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      });
      expect((await get(`/tokens/${id}`)).status).toBe(404);
      expect((await get('/tokens')).body.totalCount).toBe(1);
    }
  });

  test('a credential of the scenario can be deleted by another one', async () => {
    const { post, get, call } = await kit();
    const [{ id }] = (await get('/tokens')).body.data;
    const { clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: all })).body;
    const as = `${clientId}:${clientSecret}`;
    expect((await call('DELETE', `/tokens/${id}`, undefined, { as })).status).toBe(204);
    expect((await get('/config')).status).toBe(401);
    expect((await call('GET', '/tokens', undefined, { as })).body.totalCount).toBe(1);
  });

  test('a saved state restores its tokens, and the deleted ones as deleted', async () => {
    const { post, del, control } = await kit();
    const made = async () => (await post('/tokens', { name: 'T', permissions: all })).body;
    const [kept, gone] = [await made(), await made()];
    await del(`/tokens/${gone.id}`);
    const { body: state } = await control('GET', '/state');
    const other = await kit();
    await other.control('PUT', '/state', state);
    const login = async (t: { clientId: string; clientSecret: string }) =>
      (await other.call('GET', '/config', undefined, { as: `${t.clientId}:${t.clientSecret}` })).status;
    expect([await login(kept), await login(gone)]).toEqual([200, 401]);
  });

  test('a restored state brings back a token that was deleted since', async () => {
    const { post, del, call, control } = await kit();
    const { id, clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: all })).body;
    const { body: state } = await control('GET', '/state');
    await del(`/tokens/${id}`);
    await control('PUT', '/state', state);
    expect((await call('GET', '/config', undefined, { as: `${clientId}:${clientSecret}` })).status).toBe(200);
  });
});

describe('DELETE /tokens/{tokenId}, 400', () => {
  test('the token in use cannot delete itself: 400, so a token with MANAGE always remains (reference 16.4)', async () => {
    const { get, del } = await kit();
    const [{ id }] = (await get('/tokens')).body.data;
    expect(refusal(await del(`/tokens/${id}`))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
});

test('DELETE /tokens/{tokenId} is refused with 401 without credentials, 403 without MANAGE and 404 for a deleted token', async () => {
  const { del, post } = await kit();
  const { id, clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
  expect((await del(`/tokens/${id}`, { as: null })).status).toBe(401);
  expect((await del(`/tokens/${id}`, { as: `${clientId}:${clientSecret}` })).status).toBe(403);
  expect((await del(`/tokens/${id}`)).status).toBe(204);
  expect(refusal(await del(`/tokens/${id}`))).toMatchObject({ status: 404, code: 'TOKEN_NOT_FOUND' });
});
