import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { usd } from './material.ts';

const TREES = ['customers', 'platform'] as const;

describe.each(TREES)('GET /%s/external-accounts/{externalAccountId}', (tree) => {
  const made = async () => {
    const { post, ...rest } = await kit();
    const customerId = (await post('/customers', { customerType: 'INDIVIDUAL' })).body.id;
    const theirs = (await post('/customers/external-accounts', { ...usd(), customerId })).body;
    const ours = (await post('/platform/external-accounts', usd())).body;
    return { ...rest, post, mine: tree === 'customers' ? theirs : ours, other: tree === 'customers' ? ours : theirs };
  };

  test('a read of an external account returns it, its id percent-encoded or not', async () => {
    const { get, mine } = await made();
    expect((await get(`/${tree}/external-accounts/${mine.id}`)).body).toEqual(mine);
    expect((await get(`/${tree}/external-accounts/${encodeURIComponent(mine.id)}`)).body).toEqual(mine);
  });

  test('a read of an external account is refused with 401 without credentials', async () => {
    const { call, mine } = await made();
    expect((await call('GET', `/${tree}/external-accounts/${mine.id}`, undefined, { as: null })).status).toBe(401);
  });

  test('a read of an external account is refused with 404 when it is unknown, deleted, or belongs under the other path', async () => {
    const { get, del, mine, other } = await made();
    await del(`/${tree}/external-accounts/${mine.id}`);
    for (const id of ['ExternalAccount:none', other.id, mine.id])
      expect(refusal(await get(`/${tree}/external-accounts/${id}`))).toMatchObject({
        status: 404,
        code: 'REFERENCE_NOT_FOUND',
      });
  });
});

describe.each(TREES)('DELETE /%s/external-accounts/{externalAccountId}', (tree) => {
  const made = async () => {
    const { post, ...rest } = await kit();
    const customerId = (await post('/customers', { customerType: 'INDIVIDUAL' })).body.id;
    const owner = tree === 'customers' ? { customerId } : {};
    const { body } = await post(`/${tree}/external-accounts`, { ...usd(), ...owner });
    return { ...rest, post, path: `/${tree}/external-accounts`, id: body.id as string, owner };
  };

  test('the deletion of an external account is 204 with an empty body, takes it off the list and emits no event', async () => {
    const { del, get, events, path, id } = await made();
    const before = events().length;
    const answer = await del(`${path}/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await get(path)).body).toMatchObject({ data: [], totalCount: 0 });
    expect(events()).toHaveLength(before);
  });

  test('the deletion of an external account is refused with 401 without credentials', async () => {
    const { del, path, id } = await made();
    expect((await del(`${path}/${id}`, { as: null })).status).toBe(401);
  });

  test('the deletion of an external account is refused with 404 when it is unknown or already deleted', async () => {
    const { del, path, id } = await made();
    await del(`${path}/${id}`);
    for (const each of [id, 'ExternalAccount:none'])
      expect(refusal(await del(`${path}/${each}`))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
  });
});
