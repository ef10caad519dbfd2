import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ACCOUNT_TYPES } from '../../src/areas/external-accounts/types.ts';
import { readScenarioText } from '../../src/scenario/load.ts';
import { isAmount } from '../../src/scenario/minor-units.ts';
import { scenarioJsonSchema } from '../../src/scenario/publish.ts';

interface Node {
  type?: string;
  description?: string;
  pattern?: string;
  $ref?: string;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
}

const SCHEMA = scenarioJsonSchema() as Node & { $defs?: Record<string, Node> };

/** A schema, or the one that it refers to: editors show that one's description. */
const wholeOf = (node: Node): Node =>
  node.$ref ? { ...SCHEMA.$defs?.[node.$ref.split('/').at(-1) ?? ''], ...node, $ref: '' } : node;

/** Every property that the schema names, with the path to it. */
function* properties(node: Node, path = ''): Generator<readonly [path: string, node: Node]> {
  const whole = wholeOf(node);
  for (const [name, member] of Object.entries(whole.properties ?? {})) {
    yield [`${path}${name}`, wholeOf(member)];
    yield* properties(member, `${path}${name}.`);
  }
  for (const part of [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.items ? [whole.items] : [])])
    yield* properties(part, path);
  if (typeof whole.additionalProperties === 'object') yield* properties(whole.additionalProperties, `${path}*.`);
}

describe('the JSON schema of a scenario, as editors read it', () => {
  test('every property of the JSON schema of a scenario has a description (U20)', () => {
    const all = [...properties(SCHEMA)];
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([]);
  });

  test('the JSON schema of a scenario refuses a policy that no start would take by its pattern (U20, U15)', () => {
    const kinds = [...properties(SCHEMA)].filter(([path]) => path.startsWith('policies.'));
    expect(kinds.length).toBeGreaterThan(10);
    for (const [, { pattern = '' }] of kinds) {
      const taken = (text: string) => new RegExp(pattern).test(text);
      expect(['at once', 'hold', 'after 2s', 'after PT2S', 'after 1h30m', 'after 500ms'].every(taken)).toBe(true);
      expect(['later', 'after', 'after 2', 'after two hours', 'now', '', 'at once '].some(taken)).toBe(false);
    }
  });
});

/** Every schema within one, each with the path to it. */
function* parts(node: Node, path = '', seen = new Set<Node>()): Generator<readonly [path: string, node: Node]> {
  const whole = node.$ref ? (SCHEMA.$defs?.[node.$ref.split('/').at(-1) ?? ''] ?? node) : node;
  if (seen.has(whole)) return;
  seen.add(whole);
  yield [path, whole];
  for (const [name, member] of Object.entries(whole.properties ?? {}))
    yield* parts(member, path === '' ? name : `${path}.${name}`, seen);
  const values = typeof whole.additionalProperties === 'object' ? [whole.additionalProperties] : [];
  for (const part of [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.items ? [whole.items] : []), ...values])
    yield* parts(part, path, seen);
}

const BANK =
  'accountType: USD_ACCOUNT, accountNumber: "123456789", routingNumber: "021000021", beneficiary: { beneficiaryType: INDIVIDUAL, fullName: Ada Keller }';
const POLICY = 'permissions: [], defaultExecutionMode: AUTO, spendingLimits: { currency: USD, perTransactionLimit: 1 }';

/** Right scenarios, each with § where one more member may stand. */
const PLACES = [
  'title: a§',
  'platform: { regulated: true§ }',
  'platform: { fees: [{ feeType: CROSS_CURRENCY_TRANSACTION, sourceCurrency: USD, variableFeeBps: 5, fixedFee: { amount: 5, currency: USD§ } }] }',
  'platform: { currencies: [{ code: USD§ }] }',
  'customers: [{ customerType: INDIVIDUAL, fullName: Ada§ }]',
  'customers: [{ customerType: INDIVIDUAL, address: { line1: a, city: b, country: US, postalCode: "1"§ } }]',
  'customers: [{ customerType: BUSINESS, businessInfo: { legalName: Ada§ } }]',
  'customers: [{ customerType: BUSINESS, credentials: [{ type: SMS_OTP§ }], phoneNumber: "+12065550147" }]',
  `externalAccounts: [{ currency: USD§, accountInfo: { ${BANK} } }]`,
  `externalAccounts: [{ currency: USD, accountInfo: { ${BANK}§ } }]`,
  `externalAccounts: [{ currency: USD, accountInfo: { ${BANK.replace('Ada Keller', 'Ada Keller§')} } }]`,
  'transactions: [{ type: INCOMING, currency: USD, amount: 1§ }]',
  `customers: [{ label: a, customerType: BUSINESS }]\nagents: [{ name: a, customer: a, policy: { ${POLICY}§ } }]`,
  `customers: [{ label: a, customerType: BUSINESS }]\nagents: [{ name: a, customer: a, policy: { ${POLICY.replace('Limit: 1', 'Limit: 1§')} } }]`,
  'faults: [{ match: { operation: createQuote§ }, then: { status: 503 } }]',
  'faults: [{ match: { webhook: "*" }, then: { drop: true§ } }]',
];

describe('unknown members of a scenario', () => {
  const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(scenarioJsonSchema());
  const [whole = ''] = PLACES;

  test.each(PLACES)(
    'an unknown member is refused by the loader and by the schema, and the file without it by neither: %s',
    async (place) => {
      const right = place.replace('§', '');
      await expect(readScenarioText(right, 'x')).resolves.toEqual(parse(right));
      expect([accepts(parse(right)), accepts.errors]).toEqual([true, null]);
      const wrong = place === whole ? `${right}\nqqqqqqqqqq: 1` : place.replace('§', ', qqqqqqqqqq: 1');
      await expect(readScenarioText(wrong, 'x')).rejects.toThrow('unknown key qqqqqqqqqq');
      expect(accepts(parse(wrong))).toBe(false);
    },
  );

  test('a scenario refuses the id of an owner, who is named by label, but takes the rails of an account', async () => {
    const owned = `externalAccounts: [{ currency: USD, customerId: "Customer:1", accountInfo: { ${BANK} } }]`;
    await expect(readScenarioText(owned, 'x')).rejects.toThrow('unknown key customerId; did you mean customer?');
    expect(accepts(parse(owned))).toBe(false);
    const rails = `externalAccounts: [{ currency: USD, accountInfo: { ${BANK}, paymentRails: [ACH] } }]`;
    await readScenarioText(rails, 'x');
    expect(accepts(parse(rails))).toBe(true);
  });

  test('the JSON schema of a scenario refuses unknown members in every kind of account', () => {
    const info = [...properties(SCHEMA)].find(([path]) => path.endsWith('externalAccounts.accountInfo'))?.[1];
    expect(info?.anyOf?.length).toBe(ACCOUNT_TYPES.length);
    expect(info?.anyOf?.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
  });

  test('the JSON schema of a scenario refuses unknown members in every object, but in platform.oidcJwks', () => {
    const objects = [...parts(SCHEMA)].filter(([, node]) => node.properties);
    expect(objects.length).toBeGreaterThan(60);
    const open = objects.filter(([, node]) => node.additionalProperties !== false).map(([path]) => path);
    expect(open).toEqual(['platform.oidcJwks', 'platform.oidcJwks.keys']);
  });
});

/** Whole numbers of a scenario that are not money. */
const COUNTS = [
  'agents.policy.spendingLimits.dailyTransactionLimit',
  'faults.match.after',
  'faults.match.every',
  'faults.match.times',
  'faults.then.delayMs',
  'faults.then.retryAfter',
  'faults.then.status',
  'generate.customers',
  'generate.days',
  'generate.transactions',
  'limits.challengesPerMinute',
  'limits.scaResendsPerMinute',
  'limits.scaResetsPerDay',
  'limits.scaWrongAnswers',
  'limits.serviceFeeBps',
  'platform.fees.variableFeeBps',
  'platform.sca.challenges',
];

test('every whole number of a scenario is a count, or an amount whose decimal point is checked', () => {
  const isWhole = (node: Node): boolean =>
    [node, ...(node.anyOf ?? []), Object(node.additionalProperties) as Node].some(({ type }) => type === 'integer');
  const found = [...properties(SCHEMA)].filter(([, node]) => isWhole(node));
  const steps = ([path, node]: (typeof found)[number]) => [
    ...path.split('.'),
    ...(typeof node.additionalProperties === 'object' ? ['USD'] : []),
  ];
  const counts = found.filter((one) => !isAmount(steps(one))).map(([path]) => path);
  expect([...new Set(counts)].sort()).toEqual(COUNTS);
  expect(found.length).toBeGreaterThan(COUNTS.length + 10);
});
