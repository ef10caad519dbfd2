import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectAgent, createAgent } from '../../src/areas/agents/agents.ts';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { exampleOf } from '../../src/calls/example.ts';
import { formOf } from '../../src/calls/form.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import type { World } from '../../src/engine/world.ts';
import { describeAll } from '../../src/http/openapi.ts';
import { type CallOptions, type Kit, kit } from '../kit/sandbox.ts';

/** Each refusal that a profile's document declares has to be possible there: what only the other profile gives is left out. */

type Name = 'spec' | 'grid';
const NAMES: readonly Name[] = ['spec', 'grid'];
type Described = { paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>> };

/** The refusals of each operation as a profile's document declares them: `401/UNAUTHORIZED`. */
function declaredIn(name: Name): Map<string, string[]> {
  const { paths } = describeAll(PROFILES[name]) as unknown as Described;
  return new Map(
    OPERATIONS.map(({ id, path, method }) => {
      const responses = Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {});
      const refusals = responses.filter(([status]) => /^4/.test(status));
      return [
        id,
        refusals.flatMap(([status, { description }]) => description.split(', ').map((code) => `${status}/${code}`)),
      ];
    }),
  );
}

/** Refusals that one profile alone declares, by operation, with the reason why the other cannot give them. */
const ALONE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'executeQuote spec': {
    '401/WALLET_SIGNATURE_BODY_MISMATCH':
      'grid signs what is in the quote: there is no first call whose body could differ',
  },
};

/** Every place that asks a rule of the profile, and what that does to the refusals that operations declare. */
const SAME = 'the refusals stay the same: it decides what happens, or adds a reason to a code that is declared anyway';
const ASKED: Readonly<Record<string, string>> = {
  'areas/customers/details.ts businessInfoRequired': SAME,
  'areas/customers/linked-credentials.ts contactsApart': SAME,
  'areas/customers/rules.ts unverifiedFirst': SAME,
  'areas/external-accounts/create.ts residenceRequired': SAME,
  'areas/onboarding/decisions.ts unverifiedFirst': 'a control, which is not an operation',
  'areas/onboarding/kyc-link/rules.ts verificationEnds': SAME,
  'areas/onboarding/owners/rules.ts unverifiedFirst': SAME,
  'areas/onboarding/verifications/business.ts businessFactsRequired': SAME,
  'areas/onboarding/verifications/rules.ts decisionIsFinal': SAME,
  'areas/onboarding/verifications/rules.ts verificationEnds': SAME,
  'areas/quotes/endpoints.ts bankSourcePushed': SAME,
  'areas/quotes/rules.ts walletInvoice': SAME,
  'areas/sandbox/funding.ts fundingIsPayment': SAME,
  'areas/signing/rules.ts quoteChallenge': 'a known payload: REQUEST_ID_MISSING is left out in both profiles',
  'areas/signing/signature.ts quoteChallenge': 'a known payload: WALLET_SIGNATURE_BODY_MISMATCH is left out in grid',
  'areas/transactions/rules.ts bareOutgoingPayment': SAME,
  'areas/webhooks/rules.ts longestWebhookPauseMs': SAME,
};

describe('refusals that the document of a profile declares', () => {
  test('the document of a profile declares the same refusals in both, but for those that the other cannot give, each with its reason', () => {
    const [spec, grid] = [declaredIn('spec'), declaredIn('grid')];
    const alone: Record<string, string[]> = {};
    for (const [id, codes] of spec) {
      const others = grid.get(id) ?? [];
      const differ: [string, string[]][] = [
        [`${id} spec`, codes.filter((code) => !others.includes(code))],
        [`${id} grid`, others.filter((code) => !codes.includes(code))],
      ];
      for (const [name, list] of differ) if (list.length > 0) alone[name] = list;
    }
    expect(alone).toEqual(Object.fromEntries(Object.entries(ALONE).map(([name, codes]) => [name, Object.keys(codes)])));
  });

  test('the rules of profiles are read only in the listed places, and each place says what it does to refusals', () => {
    const rule = new RegExp(`\\b(?:${Object.keys(PROFILES.spec.rules).join('|')})\\b`, 'g');
    const src = join(import.meta.dirname, '../../src');
    const asked = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && file !== 'contract/profile.ts')
      .flatMap((file) => (readFileSync(join(src, file), 'utf8').match(rule) ?? []).map((name) => `${file} ${name}`));
    expect([...new Set(asked)].sort()).toEqual(Object.keys(ASKED).sort());
  });
});

const NO_ID = '00000000-0000-7000-8000-000000000000';
const NOBODY = `Customer:${NO_ID}`;
const LONG = 'x'.repeat(5000);

/** Calls of an operation that are wrong each in its way: no credentials, too few permissions, broken in body, query or key. */
function wrongCalls({ permission, auth, query, body, upload, idempotency, method }: (typeof OPERATIONS)[number]) {
  const json = { 'content-type': 'application/json' };
  const plain: CallOptions = method === 'GET' ? {} : { raw: '{}', headers: json };
  const names = query ? Object.keys((query() as unknown as { shape?: object }).shape ?? { accountId: 1 }) : [];
  const calls: [status: number, call: CallOptions][] = [[401, { ...plain, as: null }]];
  if (auth === 'basic') calls.push([403, { ...plain, as: `not-${permission}:s` }]);
  if (body || upload) calls.push([400, { raw: '{', headers: json }]);
  for (const name of names) calls.push([400, { ...plain, query: { [name]: LONG } }]);
  if (idempotency)
    calls.push([400, { ...plain, headers: { ...plain.headers, 'idempotency-key': LONG.slice(0, 300) } }]);
  return calls;
}

/** The access token of an agent that its policy permits nothing. */
function powerlessAgent(world: World): string {
  const [customer] = [...world.rows(CUSTOMERS).rows()];
  const spendingLimits = { currency: 'USD', perTransactionLimit: 1 };
  const policy = { permissions: [], defaultExecutionMode: 'AUTO' as const, spendingLimits };
  return connectAgent(world, createAgent(world, { name: 'Powerless', customerId: customer?.id ?? '', policy }));
}

async function started(profile: Name): Promise<Kit> {
  const all = ['VIEW', 'TRANSACT', 'MANAGE'] as const;
  const lacking = all.map((one) => ({
    id: `not-${one}`,
    secret: 's',
    permissions: all.filter((other) => other !== one),
  }));
  const credentials = [{ id: 'test', secret: 'secret', permissions: [...all] }, ...lacking];
  return kit({ profile, scenario: ['agents', { credentials }], compares: false });
}

/** The example of an operation where nothing that it names is there: ids that nobody has, in path, query and body. */
function namingNobody(it: Kit, op: (typeof OPERATIONS)[number]): CallOptions & { path: string } {
  const { query, body, headers: declared } = exampleOf(it.sandbox.world, op);
  const { authorization: _, Authorization: __, ...headers } = declared;
  const nobody = (name: string, text: string): string =>
    /^<.*>$|^\w+:[0-9a-f-]{36}$/.test(text)
      ? `${/account/i.test(name) ? 'InternalAccount' : 'Customer'}:${NO_ID}`
      : text;
  const named = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? {}), (name, one) => (typeof one === 'string' ? nobody(name, one) : one));
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'receiverUmaAddress' ? '$nobody@pay.example' : nobody(name, '<>')),
  );
  const sent = op.upload
    ? { raw: formOf(op.upload, named(body)) }
    : body === undefined
      ? {}
      : { raw: JSON.stringify(named(body)), headers: { 'content-type': 'application/json' } };
  return { path, query: named(query) as Record<string, string>, ...sent, headers: { ...headers, ...sent.headers } };
}

/** Statuses that a call alone can get from a sandbox without rows; the others need rows in some state. */
const BY_CALL = [400, 401, 403, 404];

/** Those that need rows all the same, each with what it needs; no rule of a profile decides on them, as the table above says. */
const NEEDS_ROWS: Readonly<Record<string, string>> = {
  'agentCreateQuote 404': 'an account to pay from, and a lookup that is unknown',
  'cancelInvitation 400': 'an invitation that has ended',
  'createQuote 404': 'an account to pay from, and a lookup that is unknown',
  'deleteTokenById 400': 'the token that makes the call',
  'redeemAgentDeviceCode 400': 'a code that was redeemed',
  'revokeAuthCredential 400': 'the only credential of a wallet',
  'revokeDelegatedKey 400': 'a key that has ended',
  'startBeneficiaryTrust 400': 'a customer with neither phone nor passkey',
  'startBeneficiaryUntrust 400': 'a customer with neither phone nor passkey',
};

test.each(NAMES)(
  'every operation refuses callers, requests and unknown ids as its document declares, with 400, 401, 403, 404: profile %s',
  async (profile) => {
    const it = await started(profile);
    const powerless = `Bearer ${powerlessAgent(it.sandbox.world)}`;
    const inDocument = declaredIn(profile);
    const missing: string[] = [];
    for (const op of OPERATIONS) {
      const seen = new Set<number>();
      for (const [status, options] of wrongCalls(op)) {
        const path = op.path.replaceAll(/\{\w+\}/g, NOBODY);
        if (!seen.has(status)) seen.add((await it.call(op.method, path, undefined, options)).status);
      }
      const { path, ...unknown } = namingNobody(it, op);
      seen.add((await it.call(op.method, path, undefined, unknown)).status);
      if (op.auth === 'bearer') {
        const headers = { ...unknown.headers, authorization: powerless };
        seen.add((await it.call(op.method, path, undefined, { ...unknown, as: null, headers })).status);
      }
      const declared = new Set((inDocument.get(op.id) ?? []).map((code) => Number(code.slice(0, 3))));
      missing.push(...BY_CALL.filter((one) => declared.has(one) && !seen.has(one)).map((one) => `${op.id} ${one}`));
    }
    expect(missing.sort()).toEqual(Object.keys(NEEDS_ROWS));
  },
);
