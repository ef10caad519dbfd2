import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectAgent } from '../../src/areas/agents/agents.ts';
import { AGENTS } from '../../src/areas/agents/tables.ts';
import { OPERATIONS } from '../../src/areas.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { individual } from '../areas/onboarding/material.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

interface Example {
  params: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: unknown;
  needs?: string;
}

/** A token of the agent that an example names: the sandbox keeps no more than its hash. */
function connected({ world }: Sandbox, headers: Record<string, string>): Record<string, string> {
  const id = /<access token of (.*)>/.exec(headers['Authorization'] ?? '')?.[1];
  const agent = id === undefined ? undefined : world.rows(AGENTS).get(id);
  if (!agent) return headers;
  return { ...headers, Authorization: `Bearer ${world.transact(() => connectAgent(world, agent))}` };
}

/** What the example of an operation is answered, and what it needed; the sandbox is as before then. */
async function tried(it: Kit, id: string) {
  const before = it.sandbox.snapshot();
  const { needs, ...example }: Example = (await it.control('GET', `/operations/${id}`)).body.example;
  const headers = connected(it.sandbox, example.headers);
  const { body } = await it.control('POST', `/operations/${id}/call`, { ...example, headers });
  await it.sandbox.begin({ from: 'state', state: before });
  return { id, status: body.status, code: body.body?.code, message: body.body?.message, needs, example };
}

/** Calls an operation by its example, with other members of the body. */
async function done(it: Kit, id: string, change: object = {}, status = 200) {
  const { needs: _, ...example }: Example = (await it.control('GET', `/operations/${id}`)).body.example;
  const body = { ...(example.body as object), ...change };
  const headers = connected(it.sandbox, example.headers);
  const answer = await it.control('POST', `/operations/${id}/call`, { ...example, headers, body });
  expect([id, answer.body.status], answer.text).toEqual([id, status]);
  return answer.body.body;
}

/** What a full life does not leave waiting: proofs, trust, a login, a reset, a return, and an agent that may do everything. */
async function more(it: Kit): Promise<void> {
  const accountInfo = { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' };
  const first = { currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo };
  for (const place of ['Platform', ''] as const) {
    if (place !== '') await done(it, 'createPlatformExternalAccount', first, 201);
    await done(it, `create${place}ExternalAccountOwnershipChallenge`, { method: 'WALLET_SIGNATURE' }, 201);
  }
  const { deviceCode } = await done(it, 'createAgent', {}, 201);
  expect((await it.post(`/agents/device-codes/${deviceCode.code}/redeem`, undefined, { as: null })).status).toBe(200);
  await done(it, 'createAgent', {}, 201);
  await done(it, 'sandboxSimulateCardReturn', {}, 202);
  await done(it, 'sandboxSimulateCardFinancialAuthorization', {}, 202);
  await done(it, 'agentCreateQuote', {}, 201);
  await done(it, 'startScaLogin');
  await it.control('POST', '/webhooks/pause');
  await done(it, 'sandboxReceive');
  await strongly(it);
}

/** Somebody in the EU with accounts of every trust, a reset that may be completed, and a payment that waits for a code. */
async function strongly(it: Kit): Promise<void> {
  const { resetId } = await done(it, 'startTwoFactorReset', {}, 201);
  await it.control('POST', `/sca-resets/${resetId}/liveness`, { outcome: 'LIVENESS_PASSED' });
  const { id: customerId } = (await it.get('/customers', { region: 'SE' })).body.data[0];
  const [{ id: accountId }] = (await it.get('/customers/internal-accounts', { customerId, currency: 'USD' })).body.data;
  await done(it, 'confirmBeneficiaryTrust');
  for (const [from, to] of [
    ['start', 'Untrust'],
    ['confirm', 'Trust'],
    ['', 'Trust'],
  ] as const) {
    await done(it, 'createCustomerExternalAccount', { customerId }, 201);
    await done(it, 'startBeneficiaryTrust');
    if (from === '') continue;
    await done(it, 'confirmBeneficiaryTrust');
    if (to === 'Untrust') await done(it, 'startBeneficiaryUntrust');
  }
  await done(it, 'createCustomerExternalAccount', { customerId }, 201);
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId };
  const destination = { destinationType: 'ACCOUNT', accountId };
  await done(it, 'createQuote', { source, destination, scaFactor: 'SMS_OTP' }, 202);
}

/** What an example can only be refused with until the operation that it names was called, or the scenario is another. */
const REFUSED: readonly string[] = [
  // Nobody's email or phone is to be verified here: see the scenario contact-verification, below.
  'sendCustomerEmailVerification 404 USER_NOT_FOUND, needs createCustomer',
  'confirmCustomerEmailVerification 404 USER_NOT_FOUND, needs createCustomer',
  'sendCustomerPhoneVerification 404 USER_NOT_FOUND, needs createCustomer',
  'confirmCustomerPhoneVerification 404 USER_NOT_FOUND, needs createCustomer',
  // Nobody listens where the webhooks of this life go.
  'sendTestWebhook 400 WEBHOOK_DELIVERY_ERROR',
];

describe.each(['spec', 'grid'] as const)('examples over a full life, profile %s', (profile) => {
  test('the examples of all operations succeed over a full life, except those listed here', async () => {
    const it = await fullLife(profile);
    await more(it);
    const refused = [];
    for (const { id } of OPERATIONS) {
      const { status, code, needs } = await tried(it, id);
      if (status >= 400 || needs) refused.push(`${id} ${status} ${code}${needs ? `, needs ${needs}` : ''}`);
    }
    expect(refused, 'create the row that an example lacks in test/kit/full-life.ts').toEqual(REFUSED);
  });
});

/** What examples of built-in scenarios are refused with although they need no other call. */
const MEANT: readonly string[] = [
  // No receiver is set, and both wait for its answer.
  'sendTestWebhook 400 WEBHOOK_ENDPOINT_NOT_SET',
  'sandboxReceive 400 WEBHOOK_ENDPOINT_NOT_SET',
  // A fault of the scenario.
  'createQuote 400 QUOTE_REQUEST_FAILED',
];

const BUILT_IN = readdirSync(new URL('../../scenarios', import.meta.url))
  .filter((name) => name.endsWith('.yaml') && !name.startsWith('load'))
  .map((name) => name.slice(0, -'.yaml'.length));

test.each(BUILT_IN)(
  'at the start of the scenario %s, each example that needs no other call succeeds',
  async (scenario) => {
    const it = await kit({ scenario });
    const refused = [];
    for (const { id } of OPERATIONS) {
      const { status, code, needs } = await tried(it, id);
      if (status >= 400 && !needs) refused.push(`${id} ${status} ${code}`);
    }
    expect(refused.filter((one) => !MEANT.includes(one))).toEqual([]);
    if (scenario !== 'failures') expect(refused).not.toContain(MEANT[2]);
  },
);

test('the example of a payment names a recipient of the platform where the customer has none', async () => {
  const it = await kit({ scenario: 'payouts' });
  for (const id of ['createQuote', 'createTransferOut', 'createTransferIn'])
    expect(await tried(it, id)).toMatchObject({ id, status: 201, needs: undefined });
  // An agent sees only its own customer's accounts.
  const { deviceCode } = await done(it, 'createAgent', {}, 201);
  expect((await it.post(`/agents/device-codes/${deviceCode.code}/redeem`, undefined, { as: null })).status).toBe(200);
  for (const id of ['agentCreateQuote', 'agentCreateTransferIn', 'agentCreateTransferOut'])
    expect(await tried(it, id)).toMatchObject({ id, needs: 'createCustomerExternalAccount' });
});

test('the example of a mint names the wallet of a customer where none has an account in the coin', async () => {
  const it = await kit({ scenario: 'stablecoins' });
  expect(await tried(it, 'createStablecoinMint')).toMatchObject({ status: 201, needs: undefined });
});

test('examples of strong authentication are about a customer who can answer, although a newer one cannot', async () => {
  const it = await kit({ scenario: 'sca' });
  const { body: made } = await it.post('/customers', { ...individual, region: 'DE', phoneNumber: undefined });
  for (const id of ['startScaLogin', 'listScaFactors', 'startBeneficiaryTrust']) {
    const { status, example } = await tried(it, id);
    expect([id, status < 300, JSON.stringify(example).includes(made.id)]).toEqual([id, true, false]);
  }
});

test('the examples of contact verification succeed on a platform that requires it', async () => {
  const it = await kit({ scenario: 'contact-verification' });
  await it.post('/customers', { ...individual, email: 'omar@example.com', phoneNumber: '+12065550100' });
  const ids = ['sendCustomerEmailVerification', 'confirmCustomerEmailVerification'];
  const told = [];
  for (const id of [...ids, ...ids.map((name) => name.replace('Email', 'Phone'))])
    told.push((await tried(it, id)).status);
  expect(told).toEqual([204, 200, 204, 200]);
});

test('no example names an enrolment or a change of trust whose challenge had too many wrong answers', async () => {
  const it = await kit({ scenario: 'sca' });
  const wrong = { code: '000000' };
  const missed = async (id: string) => {
    const { needs, ...example }: Example = (await it.control('GET', `/operations/${id}`)).body.example;
    expect(needs).toBeUndefined();
    const body = { ...(example.body as object), ...wrong };
    for (let n = 0; n < 3; n += 1)
      expect((await it.control('POST', `/operations/${id}/call`, { ...example, body })).body.body.code).toBe(
        'INVALID_INPUT',
      );
  };
  for (const [asks, confirms] of [
    ['startScaFactorEnrollment', 'confirmScaFactorEnrollment'],
    ['startBeneficiaryTrust', 'confirmBeneficiaryTrust'],
    ['startBeneficiaryUntrust', 'confirmBeneficiaryUntrust'],
  ] as const) {
    await done(it, asks);
    await missed(confirms);
    const { needs } = (await it.control('GET', `/operations/${confirms}`)).body.example;
    expect(needs, confirms).toBe(asks);
    await done(it, asks);
    await done(it, confirms);
  }
});
