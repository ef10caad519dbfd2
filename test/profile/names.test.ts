import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { fromProfile, PROFILES, render } from '../../src/contract/profile.ts';
import { CATALOGUE } from '../kit/catalogue.ts';
import { moneyKit } from '../kit/money.ts';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit } from '../kit/sandbox.ts';
import { clientKey, walletKit } from '../kit/wallet.ts';

type Name = 'spec' | 'grid';
const { spec, grid } = PROFILES;

/** Every name that only one profile has: values, members, headers. */
const namesOf = (side: 'ours' | 'theirs'): string[] => {
  const pick = (names: Readonly<Record<string, string>>) =>
    side === 'ours' ? Object.keys(names) : Object.values(names);
  const profile = side === 'ours' ? spec : grid;
  return [
    ...Object.values(grid.values).flatMap(pick),
    ...pick(grid.members),
    profile.walletSignatureHeader,
    profile.webhookSignatureHeader,
  ];
};
/** What a text of a profile must not say: the other's names, or anything that looks like one more of them. */
const FOREIGN: Readonly<Record<Name, RegExp>> = {
  spec: new RegExp([...namesOf('theirs'), `\\b${grid.basePath.split('/')[1]}\\b`, 'GRID_'].join('|'), 'i'),
  grid: new RegExp(
    [...namesOf('ours'), 'X-Service-', 'KYC_PROVIDER_\\d', '\\bSERVICE_(?!UNAVAILABLE)', 'serviceApi'].join('|'),
    'i',
  ),
};

/** Lines of a text that say a foreign name, for a message that shows where. */
const foreign = (profile: Name, texts: Iterable<string>): string[] =>
  [...texts].flatMap((text) => {
    const at = text.search(FOREIGN[profile]);
    return at < 0 ? [] : [text.slice(Math.max(0, at - 80), at + 120)];
  });

/** Every reply this sandbox has given, with its headers, and every delivery it has told. */
function heard(it: Kit): { call: Kit['overlapping']; texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    call: async (...sent) => {
      const answer = await it.overlapping(...sent);
      texts.push(answer.text, JSON.stringify([...answer.headers]));
      return answer;
    },
  };
}

describe.each(['spec', 'grid'] as const)('the names of profile %s', (profile) => {
  test('the OpenAPI document has only the names of its profile', async () => {
    const { text } = await (await kit({ profile })).control('GET', '/openapi.json');
    expect(foreign(profile, [text])).toEqual([]);
    for (const name of namesOf(profile === 'spec' ? 'ours' : 'theirs')) expect(text, 'none is missing').toContain(name);
  });

  test('refusals of every operation have only the names of the profile: no credentials, a wrong type, an unknown id', async () => {
    const it = await walletKit({ profile });
    const { call, texts } = heard(it);
    for (const { method, path } of CATALOGUE) {
      const at = path.replaceAll(/\{\w+\}/g, 'Customer:00000000-0000-7000-8000-000000000000');
      await call(method, at, undefined, { as: null });
      await call('OPTIONS', at);
      await call(method, at);
      if (method === 'GET') continue;
      for (const raw of ['', '{', '{}', '[1]', '{"type":1,"customerType":"BUSINESS","provider":"x","code":0}'])
        await call(method, at, undefined, { raw, headers: { 'content-type': 'application/json' } });
      const proof = { [it.host.profile.walletSignatureHeader]: 'x' };
      for (const headers of [{ 'request-id': 'x' }, proof, { ...proof, 'request-id': 'x' }])
        await call(method, at, {}, { headers });
    }
    expect(texts.length).toBeGreaterThan(CATALOGUE.length * 10);
    expect(foreign(profile, texts)).toEqual([]);
  });

  test('replies and webhooks of a day of payments and reviews have only the names of the profile', async () => {
    const hooks = await receiver();
    const it = await moneyKit({ profile, webhookUrl: hooks.url });
    const { call, texts } = heard(it);
    const usd = await it.funded('USD', 500_000);
    for (const destination of [it.bank('EUR'), it.bank('EUR', '002'), it.bank('MXN', '005'), it.wallet('005')]) {
      const { body } = await call('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: usd.id },
        destination: { destinationType: 'ACCOUNT', accountId: destination.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 20_000,
      });
      await call('POST', `/quotes/${body.id}/execute`);
    }
    for (const fullName of ['Omar Diaz', 'Omar Diaz 001', 'Omar Diaz 003']) {
      const { body } = await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName });
      await call('POST', `/customers/${body.id}/kyc-link`);
      await call('POST', '/verifications', { customerId: body.id });
    }
    await it.settle();
    await it.advance('PT1H');
    for (const { method, path } of OPERATIONS.filter(
      (op) => op.method === 'GET' && !/[{]|external-accounts/.test(op.path),
    ))
      await call(method, path, undefined, { query: { accountId: 'x', customerId: it.customer.id } });
    await call('GET', '/transactions');
    for (const { raw, headers } of hooks.received) texts.push(raw, JSON.stringify(headers));
    expect(hooks.received.length).toBeGreaterThan(15);
    expect(texts.join()).toContain('rateDetails');
    expect(foreign(profile, texts)).toEqual([]);
  });

  test('the control API shows requests, reasons, deliveries and jobs with the names of the profile only', async () => {
    const it = await walletKit({ profile });
    const { key } = await it.login();
    await it.sign(key, 'POST', `/internal-accounts/${it.accountId}/export`, {
      clientPublicKey: clientKey().uncompressed,
    });
    await it.overlapping('POST', `/internal-accounts/${it.accountId}/export`, {}, { headers: { 'request-id': 'x' } });
    await it.post(`/customers/${it.customerId}/kyc-link`);
    const texts: string[] = [];
    for (const path of ['/requests', '/webhooks', '/jobs', '/codes', '/clock', '/operations', '/health'])
      texts.push((await it.control('GET', path)).text.replaceAll('"profile":"grid"', ''));
    for (const { id } of (await it.control('GET', '/requests')).body.data ?? [])
      texts.push((await it.control('GET', `/requests/${id}`)).text);
    expect(texts.length).toBeGreaterThan(10);
    expect(foreign(profile, texts)).toEqual([]);
  });
});

describe('the exchange of names', () => {
  test('a request may use the public values, which are translated to ours; a body without them stays the same object', () => {
    const said = (value: unknown) => fromProfile(grid, value);
    for (const [field, names] of Object.entries(grid.values))
      for (const [ours, theirs] of Object.entries(names)) {
        expect(said({ [field]: theirs })).toEqual({ [field]: ours });
        expect(said({ deep: [{ [field]: [theirs, 'x'] }] })).toEqual({ deep: [{ [field]: [ours, 'x'] }] });
        expect(said({ another: theirs })).toEqual({ another: theirs });
        expect(fromProfile(spec, { [field]: theirs })).toEqual({ [field]: theirs });
        expect(said(JSON.parse(render(grid, { [field]: ours })))).toEqual({ [field]: ours });
      }
    const plain = { a: [{ b: 'c' }], d: null };
    expect(said(plain)).toBe(plain);
  });

  test('the exchange of names leaves names such as __proto__ and constructor as they are', () => {
    const odd = JSON.parse(
      '{"__proto__":{"x":1},"provider":"constructor","constructor":"toString","rateDetails":{"constructor":1}}',
    );
    expect(JSON.parse(render(grid, odd))).toEqual(odd);
    expect(fromProfile(grid, odd)).toBe(odd);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test('the exchange of names leaves a body that is nested 100,000 deep as it is', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(fromProfile(grid, deep)).toBe(deep);
  });

  test('the exchange of names covers the query of a list, and a retry with the same key and public names gets the same reply', async () => {
    const it = await kit({ profile: 'grid' });
    const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Obi' })).body;
    const [theirs] = Object.values(grid.values['provider'] ?? {});
    const sent = { headers: { 'idempotency-key': 'k' } };
    const first = await it.post(`/customers/${id}/kyc-link`, { provider: theirs }, sent);
    expect(first.body.provider).toBe(theirs);
    expect((await it.post(`/customers/${id}/kyc-link`, { provider: theirs }, sent)).text).toBe(first.text);
    expect((await it.get('/customers', { provider: theirs as string })).status).toBe(200);
  });
});
