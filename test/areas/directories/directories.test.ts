import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../../src/contract/money.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

describe('GET /discoveries', () => {
  test('the list of banks has every bank, or those of a country and a currency (reference 16.3)', async () => {
    const { get } = await kit();
    const all = (await get('/discoveries')).body.data;
    expect(all.length).toBeGreaterThan(150);
    for (const bank of all) expect(CURRENCIES.has(bank.currency), bank.currency).toBe(true);
    expect(new Set(all.map((b: { bankName: string; country: string }) => `${b.country} ${b.bankName}`)).size).toBe(
      all.length,
    );
    const manila = (await get('/discoveries', { country: 'PH', currency: 'PHP' })).body.data;
    expect(manila).toContainEqual({
      bankName: 'BPI',
      displayName: 'Bank of the Philippine Islands',
      country: 'PH',
      currency: 'PHP',
    });
    const cfa = (await get('/discoveries', { currency: 'XOF' })).body.data;
    expect(new Set(cfa.map((b: { country: string }) => b.country))).toEqual(new Set(['SN', 'CI', 'BJ', 'TG']));
    expect((await get('/discoveries', { country: 'PH', currency: 'USD' })).body).toEqual({ data: [] });
  });

  test('the list of banks is refused with 400 for what is not a country or a currency', async () => {
    const { get } = await kit();
    expect(refusal(await get('/discoveries', { country: 'ph', currency: 'php' }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['country', 'currency'],
    });
  });
});

describe('GET /uma-providers', () => {
  test('UMA providers are listed by pages, newest first unless the query says otherwise (reference 16.1)', async () => {
    const { get } = await kit();
    const whole = (await get('/uma-providers')).body;
    expect(whole).toMatchObject({ hasMore: false, totalCount: whole.data.length });
    expect(whole.data[0]).toEqual({
      name: expect.any(String),
      supportedRegions: expect.any(Array),
      domain: expect.stringMatching(/\.example$/),
      logoUrl: expect.stringMatching(/^https:/),
      supportedCurrencies: expect.arrayContaining([expect.objectContaining({ decimals: expect.any(Number) })]),
      lei: expect.stringMatching(/^[A-Z0-9]{20}$/),
      allowListStatus: expect.any(Boolean),
    });
    for (const p of whole.data) expect(p.lei, p.name).toMatch(/^[A-Z0-9]{20}$/);
    const turned = (await get('/uma-providers', { sortOrder: 'asc' })).body.data;
    expect(turned).toEqual([...whole.data].reverse());
    const first = (await get('/uma-providers', { limit: 10 })).body;
    const second = (await get('/uma-providers', { limit: 10, cursor: first.nextCursor })).body;
    expect([...first.data, ...second.data]).toEqual(whole.data);
    expect(second).toMatchObject({ hasMore: false });
  });

  test('UMA providers are listed by country, by currency and without those that are blocked; all are there by default', async () => {
    const { get } = await kit();
    const names = async (query: Record<string, string>) =>
      (await get('/uma-providers', query)).body.data.map((p: { name: string }) => p.name);
    expect(await names({ countryCode: 'ZA' })).toEqual(['Zebra Vault']);
    expect(await names({ countryCode: 'ZA', hasBlockedProviders: 'false' })).toEqual([]);
    expect(await names({ countryCode: 'ZA', hasBlockedProviders: 'true' })).toEqual(['Zebra Vault']);
    expect(await names({ currencyCode: 'INR' })).toEqual(['Monsoon Pay']);
  });

  test('the list of UMA providers is refused with 400 INVALID_INPUT for bad parameters, each named, and for the cursor of another order', async () => {
    const { get } = await kit();
    const { nextCursor: cursor } = (await get('/uma-providers', { limit: 1 })).body;
    const bad = (...fields: string[]) => ({ status: 400, code: 'INVALID_INPUT', fields });
    expect(refusal(await get('/uma-providers', { cursor, sortOrder: 'asc' }))).toEqual(bad('cursor'));
    const wrong = refusal(await get('/uma-providers', { limit: 0, sortOrder: 'up', hasBlockedProviders: 'no' }));
    expect({ ...wrong, fields: wrong.fields.sort() }).toEqual(bad('hasBlockedProviders', 'limit', 'sortOrder'));
  });
});

describe('GET /vasps', () => {
  test('VASPs are listed by pages without a total (reference 16.2)', async () => {
    const { get } = await kit();
    const first = (await get('/vasps')).body;
    expect(first).toEqual({ data: expect.any(Array), hasMore: true, nextCursor: expect.any(String) });
    const second = (await get('/vasps', { cursor: first.nextCursor })).body;
    expect(second.hasMore).toBe(false);
    expect(new Set([...first.data, ...second.data].map((v) => v.vaspName)).size).toBe(
      first.data.length + second.data.length,
    );
    expect(first.data).toContainEqual({ vaspName: 'Kraken', url: 'https://www.kraken.com' });
  });

  test('the list of VASPs is refused with 400 INVALID_INPUT for a bad limit and for a bad cursor', async () => {
    const { get } = await kit();
    const bad = (field: string) => ({ status: 400, code: 'INVALID_INPUT', fields: [field] });
    expect(refusal(await get('/vasps', { limit: 101 }))).toEqual(bad('limit'));
    expect(refusal(await get('/vasps', { cursor: 'x' }))).toEqual(bad('cursor'));
  });
});

test.each(['/discoveries', '/uma-providers', '/vasps'])(
  'GET %s is refused with 401 without credentials, and with 403 without VIEW',
  async (path) => {
    const { call, post } = await kit();
    const { clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: ['TRANSACT'] })).body;
    expect((await call('GET', path, undefined, { as: null })).status).toBe(401);
    expect((await call('GET', path, undefined, { as: `${clientId}:${clientSecret}` })).status).toBe(403);
  },
);
