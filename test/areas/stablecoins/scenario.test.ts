import { describe, expect, test } from 'vitest';
import { kit } from '../../kit/sandbox.ts';
import { coinKit } from './material.ts';

const issuer = { label: 'issuer', providerAccountId: 'issuer-1' };
const acme = { label: 'acme', providerAccount: 'issuer', providerTokenIdentifier: 'ACME' };

const refusedFor = async (scenario: object) => {
  const { control } = await kit();
  const { status, text } = await control('POST', '/sandboxes', { scenario });
  return { status, text };
};

describe('stablecoinProviderAccounts and stablecoins of a scenario', () => {
  test("a scenario's provider accounts and stablecoins exist from the start, under the ids that it names, with no job left, ready to mint", async () => {
    const linkId = 'StablecoinProviderAccount:0196b0de-0000-7000-8000-000000000001';
    const coinId = 'Stablecoin:0196b0de-0000-7000-8000-000000000002';
    const it = await coinKit({
      scenario: { stablecoinProviderAccounts: [{ ...issuer, id: linkId }], stablecoins: [{ ...acme, id: coinId }] },
    });
    expect((await it.get(`/stablecoins/${coinId}`)).body).toMatchObject({
      stablecoinProviderAccountId: linkId,
      networkTokenIdentifier: 'btkn1acme',
      issuanceStatus: 'PROVISIONED',
      serviceOperationsStatus: 'ENABLED',
      currency: 'ACME',
    });
    expect((await it.get(`/stablecoin-provider-accounts/${linkId}`)).body.providerAccountId).toBe('issuer-1');
    expect((await it.control('GET', '/jobs')).body.data).toEqual([]);
    expect((await it.mint({ id: coinId })).status).toBe(201);
  });

  test("a scenario's provider accounts and stablecoins have the statuses that it names", async () => {
    const link = (label: string, status: string) => ({ label, providerAccountId: label, status });
    const coin = (providerTokenIdentifier: string, status: string) => ({
      ...acme,
      label: status,
      providerTokenIdentifier,
      status,
    });
    const { get } = await kit({
      scenario: {
        stablecoinProviderAccounts: [issuer, link('bad', 'INVALID'), link('gone', 'REVOKED')],
        stablecoins: [coin('A', 'PROVISIONED'), coin('B', 'ENABLED'), coin('C', 'DISABLED')],
      },
    });
    const statuses = async (path: string, member: string) =>
      (await get(path)).body.data.map((row: Record<string, string>) => row[member]).reverse();
    expect(await statuses('/stablecoin-provider-accounts', 'status')).toEqual(['ACTIVE', 'INVALID', 'REVOKED']);
    const use = await statuses('/stablecoins', 'serviceOperationsStatus');
    expect(use).toEqual(['PENDING_APPROVAL', 'ENABLED', 'DISABLED']);
  });

  test.each([
    ['a stablecoin whose provider account has an unknown label', { stablecoins: [acme] }, 'issuer'],
    [
      'a stablecoin whose provider account is not ACTIVE',
      { stablecoinProviderAccounts: [{ ...issuer, status: 'INVALID' }], stablecoins: [acme] },
      'INVALID',
    ],
    [
      'the same stablecoin twice',
      { stablecoinProviderAccounts: [issuer], stablecoins: [acme, { ...acme, label: 'two' }] },
      'registered already',
    ],
    [
      'the same provider account twice',
      { stablecoinProviderAccounts: [issuer, { ...issuer, label: 'two' }] },
      'linked already',
    ],
  ])('a scenario is refused with 400 for %s', async (_, scenario, said) => {
    const { status, text } = await refusedFor(scenario);
    expect(status).toBe(400);
    expect(text).toContain(said);
  });

  test('the built-in scenario stablecoins has an enabled stablecoin under both profiles', async () => {
    for (const profile of ['spec', 'grid'] as const) {
      const { get } = await kit({ profile, scenario: 'stablecoins' });
      expect((await get('/stablecoins')).body.data).toMatchObject([{ symbol: 'ACME', currency: 'ACME' }]);
    }
  });
});
