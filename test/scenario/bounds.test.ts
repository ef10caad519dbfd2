import { describe, expect, test } from 'vitest';
import { parsedScenario, scenarioJsonSchema } from '../../src/scenario/publish.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit } from '../kit/sandbox.ts';
import { quoteOf } from '../kit/sure.ts';

interface Bounded {
  properties: Record<string, { maximum?: number } & Partial<Bounded>>;
}
const { $defs } = scenarioJsonSchema() as unknown as { $defs: { Scenario: Bounded } };
const { limits, policies } = $defs.Scenario.properties;
const LASTING = ['sessionSeconds', 'challengeSeconds', 'quoteSeconds', 'kycLinkHours'];

/** A customer, a quote, the jobs and a day of virtual time. */
async function lives(it: Kit): Promise<void> {
  const call = (method: string, path: string, body?: object) => it.overlapping(method, path, body);
  await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
  const { data } = (await it.get('/platform/internal-accounts', { currency: 'USD' })).body;
  const recipient = await it.post('/platform/external-accounts', {
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789900',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
    },
  });
  const quote = await quoteOf(call, { from: data[0].id, to: recipient.body.id });
  await it.post(`/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 1_000_000 });
  expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(200);
  for (const path of ['/jobs', '/state', '/webhooks']) expect((await it.control('GET', path)).status).toBe(200);
  await it.advance('P1D');
}

describe('bounds of a scenario (H7)', () => {
  test('every span of time in a scenario has an upper bound, in the published schema as well', () => {
    for (const name of LASTING) expect([name, limits?.properties?.[name]?.maximum]).toEqual([name, expect.any(Number)]);
  });

  test.each([undefined, '9998-12-30T23:00:00Z'])(
    'a scenario with the longest limit and policy of each kind works, with the clock at %s',
    async (now) => {
      const longest = Object.fromEntries(LASTING.map((name) => [name, limits?.properties?.[name]?.maximum]));
      // The recipient must be there to be paid.
      const kinds = Object.keys(policies?.properties ?? {}).filter((kind) => kind !== 'external-account.activate');
      const later = Object.fromEntries(kinds.map((kind) => [kind, 'after P365D']));
      await lives(await kit({ scenario: { limits: longest, policies: later }, ...(now ? { now } : {}) }));
    },
  );

  test.each(['spec', 'grid'] as const)(
    'limits with parts of a millisecond leave whole moments and ids, and a state that loads again, profile %s',
    async (profile) => {
      const spans = Object.keys(limits?.properties ?? {}).filter((name) => /(?:Seconds|Hours)$/.test(name));
      const odd = Object.fromEntries(spans.map((name, i) => [name, (100 + i) / 3]));
      expect(spans).toEqual(expect.arrayContaining([...LASTING, 'cardHoldSeconds', 'scaChallengeSeconds']));
      const it = await fullLife(profile, 1, { limits: odd });
      await it.control('POST', '/clock', { settle: 'P30D' });
      await it.post('/customers', { customerType: 'BUSINESS' });
      const state = (await it.control('GET', '/state')).text;
      expect(state.match(/"(?:dueAt|expiresAt|at|now|lastMs)":\d+\.\d+|\\u0000/g)).toBeNull();
      expect((await it.control('PUT', '/state', JSON.parse(state))).status).toBe(200);
    },
  );

  test.each(LASTING)('limits.%s beyond its bound is refused, and the refusal names it', (name) => {
    const most = limits?.properties?.[name]?.maximum as number;
    for (const value of [most + 1, 1e12, 1e300])
      expect(() => parsedScenario({ limits: { [name]: value } })).toThrow(name);
  });

  test.each(['after P366D', 'after P99999999D', 'after 9000000h'])(
    'policy "%s" is refused, because it waits for more than 365 days',
    (policy) => {
      expect(() => parsedScenario({ policies: { 'customer.decide': policy } })).toThrow('at most 365 days');
    },
  );
});
