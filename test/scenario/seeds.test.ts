import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';

// The first 200 replies of each built-in scenario under a seed, by hash: a change of ids or of their order is a line in CHANGELOG, and
// this file is written anew: UPDATE_SEEDS=1 npx vitest run --project sweep test/scenario/seeds

const FILE = 'test/scenario/seeds.json';
const CALLS = 200;
const SCENARIOS = readdirSync('scenarios').map((file) => file.replace('.yaml', ''));
const golden: Record<string, string> = JSON.parse(readFileSync(FILE, 'utf8'));

const LISTS = [
  '/config',
  '/customers?limit=20',
  '/customers/internal-accounts?limit=20',
  '/customers/external-accounts?limit=20',
  '/platform/internal-accounts',
  '/platform/external-accounts',
  '/transactions?limit=20',
  '/cards?limit=20',
  '/agents?limit=20',
  '/tokens',
  '/exchange-rates',
];

/** One round of a platform's day: a customer who is paid, pays, and is looked at. Returns the replies, status and text. */
async function round(it: Kit, day: number): Promise<string[]> {
  const replies: string[] = [];
  const call = async (method: string, path: string, body?: unknown) => {
    try {
      const { status, text, body: read } = await it.call(method, path, body);
      replies.push(`${status} ${text}`);
      return read ?? {};
    } catch (error) {
      // Scenario failures closes connections on purpose.
      replies.push((error as Error).message);
      return {};
    }
  };
  const made = await call('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: `Ada Keller the ${day}`,
    birthDate: '1990-01-02',
    nationality: 'US',
    email: `ada-${day}@example.com`,
  });
  await call('GET', `/customers/${made.id}`);
  const accounts = await call('GET', `/customers/internal-accounts?customerId=${made.id}`);
  const account = accounts.data?.[0]?.id;
  await call('POST', `/sandbox/internal-accounts/${account}/fund`, { amount: 100_000 + day });
  const bank = await call('POST', '/customers/external-accounts', {
    customerId: made.id,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: `12345678${10 + day}`,
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind', birthDate: '1990-01-02', nationality: 'US' },
    },
  });
  const quote = await call('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: account },
    destination: { destinationType: 'ACCOUNT', accountId: bank.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1_000 + day,
  });
  await call('POST', `/quotes/${quote.id}/execute`);
  await it.advance('PT6H');
  await call('GET', `/transactions/${quote.transactionId}`);
  for (const path of LISTS) await call('GET', path);
  return replies;
}

describe('under a seed and a held clock the first 200 replies are those of the version before (docs/compatibility.md)', () => {
  test.each(
    SCENARIOS.flatMap((scenario) => (['spec', 'grid'] as const).map((profile) => [scenario, profile] as const)),
  )(
    'the first 200 replies under a seed and a held clock are those of the version before: scenario %s, profile %s',
    async (scenario, profile) => {
      const it = await kit({ scenario, profile, compares: false });
      const replies: string[] = [];
      for (let day = 1; replies.length < CALLS; day += 1) replies.push(...(await round(it, day)));
      const digest = createHash('sha256').update(replies.slice(0, CALLS).join('\n')).digest('hex').slice(0, 24);
      const name = `${scenario} ${profile}`;
      if (process.env['UPDATE_SEEDS']) {
        golden[name] = digest;
        const sorted = Object.fromEntries(Object.entries(golden).sort());
        writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
      }
      expect(digest).toBe(golden[name]);
    },
  );

  test('the file of first replies names each scenario and profile, and no other', () => {
    expect(Object.keys(golden).sort()).toEqual(SCENARIOS.flatMap((name) => [`${name} grid`, `${name} spec`]).sort());
  });
});
