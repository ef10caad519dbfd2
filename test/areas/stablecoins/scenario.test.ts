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
  test('are there from the start, under ids that stay, with nothing left to happen', async () => {
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
    expect((await it.mint({ id: coinId })).status).toBe(201);
  });

  test('stand as the scenario says', async () => {
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
    ['a label that is not there', { stablecoins: [acme] }, 'issuer'],
    [
      'a link that is not ACTIVE',
      { stablecoinProviderAccounts: [{ ...issuer, status: 'INVALID' }], stablecoins: [acme] },
      'INVALID',
    ],
    [
      'a coin that is there twice',
      { stablecoinProviderAccounts: [issuer], stablecoins: [acme, { ...acme, label: 'two' }] },
      'registered already',
    ],
    [
      'a link that is there twice',
      { stablecoinProviderAccounts: [issuer, { ...issuer, label: 'two' }] },
      'linked already',
    ],
  ])('refuse %s', async (_, scenario, said) => {
    const { status, text } = await refusedFor(scenario);
    expect(status).toBe(400);
    expect(text).toContain(said);
  });

  test('are in the built-in scenario stablecoins, under both profiles', async () => {
    for (const profile of ['spec', 'grid'] as const) {
      const { get } = await kit({ profile, scenario: 'stablecoins' });
      expect((await get('/stablecoins')).body.data).toMatchObject([{ symbol: 'ACME', currency: 'ACME' }]);
    }
  });
});
