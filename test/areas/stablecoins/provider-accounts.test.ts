import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { coinKit, LINK } from './material.ts';

describe('POST /stablecoin-provider-accounts', () => {
  test('a new provider account is answered with 201 and ACTIVE in the sandbox, and shows no credentials (reference 11.2)', async () => {
    const { link, get } = await coinKit();
    const { status, body } = await link('client-one', { providerAccountId: 'issuer-1' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^StablecoinProviderAccount:/),
      provider: 'STABLECOIN_PROVIDER_1',
      providerAccountId: 'issuer-1',
      providerEnvironment: 'SANDBOX',
      status: 'ACTIVE',
      lastVerifiedAt: '2026-01-05T09:00:00.000Z',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect((await get(`/stablecoin-provider-accounts/${body.id}`)).body).toEqual(body);
  });

  test('the id of a provider account follows from the client id when none is named (reference 11)', async () => {
    const [one, other] = [await coinKit(), await coinKit()];
    const ids = [await one.link(), await other.link(), await other.link('client-two')].map(
      ({ body }) => body.providerAccountId,
    );
    expect(ids[0]).toMatch(/^[1-9A-HJ-NP-Za-km-z]{27}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('the client secret of a provider account appears in no log, state or list', async () => {
    const { link, get, control } = await coinKit();
    await link();
    for (const text of [
      (await control('GET', '/requests')).text,
      (await control('GET', '/state')).text,
      (await get('/stablecoin-provider-accounts')).text,
    ])
      expect(text).not.toContain(LINK.apiClientSecret);
  });

  test('profile grid names the provider BRALE in requests, replies and refusals (reference 0.1)', async () => {
    const { link, get } = await coinKit({ profile: 'grid' });
    expect((await link('client-one', { provider: 'BRALE' })).body.provider).toBe('BRALE');
    const named = (await get('/stablecoin-provider-accounts', { provider: 'BRALE' })).body;
    expect(named.data).toHaveLength(1);
    const refused = await link('client-two', { provider: 'NOBODY' });
    expect(refused.text).toContain('BRALE');
    expect(refused.text).not.toContain('STABLECOIN_PROVIDER_1');
  });

  test.each([
    ['ends in 002 and the credentials are wrong', 'client-002', {}, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
    [
      'ends in 003 and the credentials open several accounts of which none is named',
      'client-003',
      {},
      'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
    ],
  ])('a new provider account is refused with 400 when the client id %s', async (_, apiClientId, more, code) => {
    const { link } = await coinKit();
    expect(refusal(await link(apiClientId, more))).toMatchObject({ status: 400, code });
  });

  test('a new provider account is taken for credentials that open several accounts when it names one of them', async () => {
    const { link } = await coinKit();
    expect((await link('client-003', { providerAccountId: 'second' })).body).toMatchObject({
      providerAccountId: 'second',
      status: 'ACTIVE',
    });
  });

  test.each([
    ['004', 'INVALID'],
    ['005', 'REVOKED'],
  ])('a provider account whose client id ends in %s becomes %s when its policy says', async (end, status) => {
    const { link, get, advance, policies } = await coinKit();
    policies({ 'stablecoin-provider-account.check': 'after PT1H' });
    const { id } = (await link(`client-${end}`)).body;
    await advance('PT59M');
    expect((await get(`/stablecoin-provider-accounts/${id}`)).body.status).toBe('ACTIVE');
    await advance('PT1M');
    expect((await get(`/stablecoin-provider-accounts/${id}`)).body).toMatchObject({
      status,
      updatedAt: '2026-01-05T10:00:00.000Z',
      lastVerifiedAt: '2026-01-05T09:00:00.000Z',
    });
  });

  test('a decision on a provider account by hand cancels its held check (W5)', async () => {
    const { link, get, settle, policies, decide, control } = await coinKit();
    policies({ 'stablecoin-provider-account.check': 'hold' });
    const { id } = (await link('client-004')).body;
    await decide(`/stablecoin-provider-accounts/${id}/status`, { status: 'INVALID' });
    expect((await control('GET', '/jobs')).body.data).toEqual([]);
    await settle();
    const { status, updatedAt, createdAt } = (await get(`/stablecoin-provider-accounts/${id}`)).body;
    expect([status, updatedAt]).toEqual(['INVALID', createdAt]);
  });

  test('a second provider account for the same account is refused with 409 until the first is INVALID (reference 11)', async () => {
    const { link, decide } = await coinKit();
    const first = (await link()).body;
    expect(refusal(await link())).toMatchObject({ status: 409, code: 'CONFLICT' });
    await decide(`/stablecoin-provider-accounts/${first.id}/status`, { status: 'INVALID' });
    const again = await link();
    expect([again.status, again.body.providerAccountId]).toEqual([201, first.providerAccountId]);
  });

  test('a retried new provider account gets the first reply, and another body under its key is refused with 409 (reference 2.3)', async () => {
    const { keyed } = await coinKit();
    const first = await keyed('/stablecoin-provider-accounts', LINK, 'once');
    const replay = await keyed('/stablecoin-provider-accounts', LINK, 'once');
    expect([replay.status, replay.text]).toEqual([201, first.text]);
    const other = await keyed('/stablecoin-provider-accounts', { ...LINK, apiClientId: 'else' }, 'once');
    expect(refusal(other)).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('a new provider account is refused with 400 without an Idempotency-Key (reference 2.3)', async () => {
    const { post } = await kit();
    expect(refusal(await post('/stablecoin-provider-accounts', LINK))).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    });
  });
});

describe('POST /_emulator/stablecoin-provider-accounts/{id}/status', () => {
  test('a decision makes a provider account INVALID, ACTIVE again, or REVOKED for good (reference 11.1)', async () => {
    const { link, decide, advance } = await coinKit();
    const path = `/stablecoin-provider-accounts/${(await link()).body.id}/status`;
    await advance('PT1H');
    const seen = [];
    for (const status of ['INVALID', 'ACTIVE', 'REVOKED', 'ACTIVE']) seen.push(await decide(path, { status }));
    expect(seen.map(({ status, body }) => [status, body.status, body.lastVerifiedAt])).toEqual([
      [200, 'INVALID', '2026-01-05T09:00:00.000Z'],
      [200, 'ACTIVE', '2026-01-05T10:00:00.000Z'],
      [200, 'REVOKED', '2026-01-05T10:00:00.000Z'],
      [409, 409, undefined],
    ]);
  });
});

describe('GET /stablecoin-provider-accounts', () => {
  test('the list of provider accounts is newest first, filtered by status and provider, and paged (reference 2.2)', async () => {
    const { link, decide, get } = await coinKit();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await link(name)).body.id);
    await decide(`/stablecoin-provider-accounts/${ids[1]}/status`, { status: 'INVALID' });
    const list = async (query: Record<string, string | number>) => {
      const { body } = await get('/stablecoin-provider-accounts', query);
      return [body.data.map(({ id }: { id: string }) => ids.indexOf(id)), body.hasMore, body.totalCount];
    };
    expect(await list({ provider: 'STABLECOIN_PROVIDER_1' })).toEqual([[2, 1, 0], false, 3]);
    expect(await list({ status: 'ACTIVE', limit: 1 })).toEqual([[2], true, 2]);
    expect(await list({ status: 'INVALID' })).toEqual([[1], false, 1]);
    const { nextCursor } = (await get('/stablecoin-provider-accounts', { limit: 2 })).body;
    expect(await list({ limit: 2, cursor: nextCursor })).toEqual([[0], false, 3]);
  });

  test('the list of provider accounts is refused with 400 for an unknown status', async () => {
    const { get } = await kit();
    expect(refusal(await get('/stablecoin-provider-accounts', { status: 'GONE' }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['status'],
    });
  });

  test('an unknown provider account is refused with 404 (reference 2.4)', async () => {
    const { get } = await kit();
    expect(refusal(await get('/stablecoin-provider-accounts/none'))).toMatchObject({
      status: 404,
      code: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
    });
  });
});
