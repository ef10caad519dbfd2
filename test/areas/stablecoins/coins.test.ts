import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { coinKit, coinKitWithCoin, tokenOf } from './material.ts';

describe('POST /stablecoins', () => {
  test('a new stablecoin is answered with 201 and under review, and is then provisioned and enabled without a decision (reference 11.2)', async () => {
    const { link, keyed, get, settle } = await coinKit();
    const linked = (await link()).body;
    const { status, body } = await keyed('/stablecoins', tokenOf('ACME'));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^Stablecoin:/),
      name: 'ACME',
      symbol: 'ACME',
      baseCurrency: 'USD',
      network: 'SPARK',
      decimals: 6,
      issuanceStatus: 'PENDING_REVIEW',
      serviceOperationsStatus: 'NOT_ENABLED',
      networkTokenIdentifier: 'btkn1acme',
      provider: 'STABLECOIN_PROVIDER_1',
      stablecoinProviderAccountId: linked.id,
      providerEnvironment: 'SANDBOX',
      providerTokenIdentifier: 'ACME',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    await settle();
    expect((await get(`/stablecoins/${body.id}`)).body).toEqual({
      ...body,
      issuanceStatus: 'PROVISIONED',
      serviceOperationsStatus: 'ENABLED',
      currency: 'ACME',
    });
  });

  test('a policy can hold a stablecoin in every state before ENABLED, and it has no currency until then (reference 11.1)', async () => {
    const { link, keyed, get, advance, policies } = await coinKit();
    await link();
    for (const [i, step] of ['review', 'provision', 'approve', 'enable'].entries())
      policies({ [`stablecoin.${step}`]: `after PT${i + 1}H` });
    const { id } = (await keyed('/stablecoins', tokenOf('ACME'))).body;
    const seen = [];
    for (const wait of ['PT0S', 'PT1H', 'PT2H', 'PT3H', 'PT4H']) {
      await advance(wait);
      const { issuanceStatus, serviceOperationsStatus, currency } = (await get(`/stablecoins/${id}`)).body;
      seen.push([issuanceStatus, serviceOperationsStatus, currency]);
    }
    expect(seen).toEqual([
      ['PENDING_REVIEW', 'NOT_ENABLED', undefined],
      ['PROVISIONING', 'NOT_ENABLED', undefined],
      ['PROVISIONED', 'PENDING_APPROVAL', undefined],
      ['PROVISIONED', 'ENABLING', undefined],
      ['PROVISIONED', 'ENABLED', 'ACME'],
    ]);
  });

  test.each([
    ['001', 'PENDING_REVIEW', 'NOT_ENABLED'],
    ['002', 'REJECTED', 'NOT_ENABLED'],
    ['003', 'FAILED', 'NOT_ENABLED'],
    ['004', 'PROVISIONED', 'PENDING_APPROVAL'],
    ['005', 'PROVISIONED', 'ENABLED'],
  ])('a stablecoin whose name at the provider ends in %s ends up %s and %s', async (end, issuance, use) => {
    const { link, coin, control } = await coinKit();
    await link();
    const { issuanceStatus, serviceOperationsStatus } = await coin(`ACME-${end}`);
    expect([issuanceStatus, serviceOperationsStatus]).toEqual([issuance, use]);
    expect((await control('GET', '/jobs')).body.data).toEqual([]);
  });

  test('no event is emitted for a stablecoin, a provider account, a mint or a burn (reference 15)', async () => {
    const { events, link, coin, mint, burn, decide } = await coinKit();
    const before = events().length;
    await link();
    const acme = await coin();
    await mint(acme);
    const burnt = (await burn(acme, { source: { type: 'PROVIDER_INTERNAL_BALANCE' } })).body;
    await decide(`/stablecoin-operations/${burnt.id}/outcome`, { outcome: 'COMPLETED' });
    expect(events()).toHaveLength(before);
  });

  test('a new stablecoin uses the only ACTIVE provider account, or the one that is named (reference 11)', async () => {
    const { link, decide, coin } = await coinKit();
    const [one, other] = [(await link('a')).body, (await link('b')).body];
    await decide(`/stablecoin-provider-accounts/${one.id}/status`, { status: 'INVALID' });
    expect((await coin('ACME')).stablecoinProviderAccountId).toBe(other.id);
    await decide(`/stablecoin-provider-accounts/${one.id}/status`, { status: 'ACTIVE' });
    const named = await coin('BOLT', { stablecoinProviderAccountId: one.id });
    expect(named.stablecoinProviderAccountId).toBe(one.id);
  });

  test('a new stablecoin is refused with 404 when no provider account is ACTIVE, or the named one does not exist (reference 2.4, 11)', async () => {
    const { keyed } = await coinKit();
    const code = 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND';
    expect(refusal(await keyed('/stablecoins', tokenOf('ACME')))).toMatchObject({ status: 404, code });
    const named = { ...tokenOf('ACME'), stablecoinProviderAccountId: 'none' };
    expect(refusal(await keyed('/stablecoins', named))).toMatchObject({ status: 404, code });
  });

  test('a new stablecoin is refused with 400 when several provider accounts are ACTIVE and none is named (reference 11)', async () => {
    const { link, keyed } = await coinKit();
    const ids = [(await link('a')).body.id, (await link('b')).body.id];
    const refused = await keyed('/stablecoins', tokenOf('ACME'));
    expect(refusal(refused)).toMatchObject({
      status: 400,
      code: 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
    });
    expect(refused.body.details.stablecoinProviderAccountIds).toEqual(ids);
  });

  test.each(['INVALID', 'REVOKED'])(
    'a new stablecoin is refused with 400 when the provider account that it names is %s (reference 11)',
    async (status) => {
      const { link, decide, keyed } = await coinKit();
      const { id } = (await link()).body;
      await decide(`/stablecoin-provider-accounts/${id}/status`, { status });
      const refused = await keyed('/stablecoins', { ...tokenOf('ACME'), stablecoinProviderAccountId: id });
      expect(refusal(refused)).toMatchObject({ status: 400, code: `STABLECOIN_PROVIDER_ACCOUNT_${status}` });
    },
  );

  test.each([
    ['the name at the provider', { ...tokenOf('ACME'), networkTokenIdentifier: 'btkn1other' }],
    ['the name on the network', { ...tokenOf('BOLT'), networkTokenIdentifier: 'btkn1acme' }],
  ])(
    'a new stablecoin is refused with 409 when its token is registered already, by %s (reference 11)',
    async (_, sent) => {
      const { keyed } = await coinKitWithCoin();
      expect(refusal(await keyed('/stablecoins', sent))).toMatchObject({ status: 409, code: 'CONFLICT' });
    },
  );

  test('a token that was rejected can be registered again', async () => {
    const { coin } = await coinKitWithCoin('ACME-002');
    expect((await coin('ACME-002')).issuanceStatus).toBe('REJECTED');
  });

  test('a retried new stablecoin gets the first reply; another body under its key is refused with 409, and no key with 400 (reference 2.3)', async () => {
    const { link, keyed, post } = await coinKit();
    await link();
    const first = await keyed('/stablecoins', tokenOf('ACME'), 'once');
    expect((await keyed('/stablecoins', tokenOf('ACME'), 'once')).text).toBe(first.text);
    expect(refusal(await keyed('/stablecoins', tokenOf('BOLT'), 'once'))).toMatchObject({ status: 409 });
    expect(refusal(await post('/stablecoins', tokenOf('ACME')))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
});

describe('decisions on a coin', () => {
  test.each([
    ['PROVISIONED', 200, 'PROVISIONED', 'PENDING_APPROVAL'],
    ['REJECTED', 200, 'REJECTED', 'NOT_ENABLED'],
    ['FAILED', 200, 'FAILED', 'NOT_ENABLED'],
  ])('a decision on its issuance makes a stablecoin under review %s', async (outcome, status, issuance, use) => {
    const { acme, decide } = await coinKitWithCoin('ACME-001');
    const { body } = await decide(`/stablecoins/${acme.id}/issuance`, { outcome });
    expect([status, body.issuanceStatus, body.serviceOperationsStatus]).toEqual([status, issuance, use]);
    expect((await decide(`/stablecoins/${acme.id}/issuance`, { outcome: 'PROVISIONED' })).status).toBe(409);
  });

  test('a stablecoin that is being provisioned can fail, and its rejection is refused with 409', async () => {
    const { link, keyed, decide, settle, policies } = await coinKit();
    await link();
    policies({ 'stablecoin.provision': 'hold' });
    const { id } = (await keyed('/stablecoins', tokenOf('ACME'))).body;
    await settle();
    expect((await decide(`/stablecoins/${id}/issuance`, { outcome: 'REJECTED' })).status).toBe(409);
    expect((await decide(`/stablecoins/${id}/issuance`, { outcome: 'FAILED' })).body.issuanceStatus).toBe('FAILED');
  });

  test('a stablecoin that is provisioned by hand is then enabled by policy, and its held review has no effect any more', async () => {
    const { link, keyed, get, decide, control, settle, policies } = await coinKit();
    await link();
    policies({ 'stablecoin.review': 'hold' });
    const { id } = (await keyed('/stablecoins', tokenOf('ACME'))).body;
    const [job] = (await control('GET', '/jobs')).body.data;
    await decide(`/stablecoins/${id}/issuance`, { outcome: 'PROVISIONED' });
    await settle();
    await control('POST', `/jobs/${job.id}/run`);
    expect((await get(`/stablecoins/${id}`)).body.serviceOperationsStatus).toBe('ENABLED');
  });

  test('a stablecoin is enabled, disabled, which removes its currency, and enabled again by decisions on its use (reference 11.1)', async () => {
    const { acme, decide } = await coinKitWithCoin('ACME-004');
    const seen = [];
    for (const outcome of ['ENABLED', 'ENABLED', 'DISABLED', 'DISABLED', 'ENABLED']) {
      const { status, body } = await decide(`/stablecoins/${acme.id}/use`, { outcome });
      seen.push([status, body.serviceOperationsStatus, body.currency]);
    }
    expect(seen).toEqual([
      [200, 'ENABLED', 'ACME-004'],
      [409, undefined, undefined],
      [200, 'DISABLED', undefined],
      [409, undefined, undefined],
      [200, 'ENABLED', 'ACME-004'],
    ]);
  });

  test('a decision to enable a stablecoin that is not provisioned is refused with 409', async () => {
    const { acme, decide } = await coinKitWithCoin('ACME-001');
    expect((await decide(`/stablecoins/${acme.id}/use`, { outcome: 'ENABLED' })).status).toBe(409);
  });
});

describe('GET /stablecoins', () => {
  test('the list of stablecoins is newest first, filtered by both statuses and by provider, and paged (reference 2.2)', async () => {
    const { link, coin, get } = await coinKit();
    await link();
    const names = ['A', 'B-004', 'C-001', 'D'];
    for (const name of names) await coin(name);
    const list = async (query: Record<string, string | number>) => {
      const { body } = await get('/stablecoins', query);
      return [body.data.map(({ name }: { name: string }) => name), body.hasMore, body.totalCount];
    };
    expect(await list({ provider: 'STABLECOIN_PROVIDER_1' })).toEqual([['D', 'C-001', 'B-004', 'A'], false, 4]);
    expect(await list({ issuanceStatus: 'PROVISIONED', limit: 2 })).toEqual([['D', 'B-004'], true, 3]);
    expect(await list({ serviceOperationsStatus: 'PENDING_APPROVAL' })).toEqual([['B-004'], false, 1]);
    const { nextCursor } = (await get('/stablecoins', { issuanceStatus: 'PROVISIONED', limit: 2 })).body;
    expect(await list({ issuanceStatus: 'PROVISIONED', limit: 2, cursor: nextCursor })).toEqual([['A'], false, 3]);
  });

  test('profile grid uses gridOperationsStatus in stablecoins, queries and refusals (reference 0.1)', async () => {
    const { link, coin, get } = await coinKit({ profile: 'grid' });
    await link('client-one', { provider: 'BRALE' });
    const acme = await coin();
    expect([acme.gridOperationsStatus, acme.serviceOperationsStatus]).toEqual(['ENABLED', undefined]);
    const list = async (status: string) => (await get('/stablecoins', { gridOperationsStatus: status })).body;
    expect((await list('ENABLED')).data).toEqual([acme]);
    expect((await list('DISABLED')).data).toEqual([]);
    expect(refusal(await get('/stablecoins', { gridOperationsStatus: 'ON' }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['gridOperationsStatus'],
    });
  });

  test('GET /stablecoins/{stablecoinId} is refused with 404 for an unknown stablecoin (reference 2.4)', async () => {
    const { get } = await kit();
    expect(refusal(await get('/stablecoins/none'))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
  });
});
