import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

const all = ['VIEW', 'TRANSACT', 'MANAGE'];

describe('GET /tokens, 200', () => {
  test('the list of tokens shows the credentials of the scenario too, without a secret', async () => {
    const { get } = await kit();
    const { body } = await get('/tokens');
    expect(body).toMatchObject({
      data: [{ name: 'test', clientId: 'test', permissions: all }],
      hasMore: false,
      totalCount: 1,
    });
    expect(body.data[0].clientSecret).toBeUndefined();
  });

  test('the list of tokens is newest first, in pages, filtered by name and by time, both ends included (reference 3.3, 16.4)', async () => {
    const { post, get, control } = await kit();
    for (const name of ['a', 'b', 'a']) {
      await control('POST', '/clock', { advance: 'PT1H' });
      await post('/tokens', { name, permissions: all });
    }
    const names = async (query?: Record<string, string | number>) =>
      (await get('/tokens', query)).body.data.map((t: { name: string }) => t.name);
    expect(await names()).toEqual(['a', 'b', 'a', 'test']);
    expect(await names({ name: 'a' })).toEqual(['a', 'a']);
    expect(await names({ createdAfter: '2026-01-05T11:00:00Z' })).toEqual(['a', 'b']);
    expect(await names({ createdBefore: '2026-01-05T10:00:00Z' })).toEqual(['a', 'test']);
    expect(await names({ updatedAfter: '2026-01-05T11:00:00Z', updatedBefore: '2026-01-05T11:00:00Z' })).toEqual(['b']);
    const { body } = await get('/tokens', { limit: 3 });
    expect(body).toMatchObject({ hasMore: true, totalCount: 4 });
    expect(await names({ limit: 3, cursor: body.nextCursor })).toEqual(['test']);
  });

  test('a reset removes the tokens made since the start', async () => {
    const { post, get, control, call } = await kit();
    const { clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: all })).body;
    const as = `${clientId}:${clientSecret}`;
    expect((await call('GET', '/config', undefined, { as })).status).toBe(200);
    await control('POST', '/reset');
    expect((await get('/tokens')).body.totalCount).toBe(1);
    expect((await call('GET', '/config', undefined, { as })).status).toBe(401);
  });
});

test('GET /tokens is refused with 400 for a bad filter', async () => {
  const { get } = await kit();
  expect(refusal(await get('/tokens', { createdAfter: 'yesterday', limit: 101 })).fields).toEqual([
    'createdAfter',
    'limit',
  ]);
});

test('GET /tokens/{tokenId} is refused with 404 TOKEN_NOT_FOUND for an unknown token (reference 16.4)', async () => {
  const { get } = await kit();
  expect(refusal(await get('/tokens/Token:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'))).toMatchObject({
    status: 404,
    code: 'TOKEN_NOT_FOUND',
  });
});

test('GET of tokens is refused with 401 without credentials, and with 403 without VIEW', async () => {
  const { call, post } = await kit();
  const { id, clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: ['TRANSACT'] })).body;
  for (const path of ['/tokens', `/tokens/${id}`]) {
    expect((await call('GET', path, undefined, { as: null })).status).toBe(401);
    expect((await call('GET', path, undefined, { as: `${clientId}:${clientSecret}` })).status).toBe(403);
  }
});
