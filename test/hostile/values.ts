import { SAMPLES } from '../areas/external-accounts/material.ts';
import { individual, northPier } from '../areas/onboarding/material.ts';
import type { Memory } from './memory.ts';
import type { Random } from './random.ts';
import { resolved, type Schema } from './schemas.ts';

/** What a value is made from. */
export interface Source {
  readonly random: Random;
  readonly memory: Memory;
}

type Make = (source: Source) => unknown;

const one =
  (...values: readonly unknown[]): Make =>
  ({ random }) =>
    random.of(values);
const known =
  (name: string, ...others: readonly unknown[]): Make =>
  ({ random, memory }) =>
    (random.once(0.7) ? memory.named(random, name) : undefined) ?? random.of(others);
const id =
  (type: string): Make =>
  ({ random, memory }) =>
    memory.id(random, type) ?? `${type}:00000000-0000-7000-8000-000000000000`;
const fresh =
  (make: (n: number) => string): Make =>
  ({ random }) =>
    make(random.below(1e6));

const CURRENCY = one('USD', 'USD', 'USD', 'EUR', 'USDC', 'USDB', 'MXN', 'BTC');
const COUNTRY = one('US', 'US', 'DE', 'ES', 'GB', 'MX');
const MOMENT = one(
  '2026-01-05T09:00:00Z',
  '2026-01-06T10:11:12.345Z',
  '2025-12-31T23:59:59+02:00',
  '2027-01-01T00:00:00Z',
);
const UMA = one(
  '$success.usd@sandbox.uma.money',
  '$success.eur@sandbox.uma.money',
  '$pending.long.usd@sandbox.uma.money',
);

/** Values by the name of the member that holds them, where its schema alone would not be understood. */
const BY_NAME: Readonly<Record<string, Make>> = {
  customerId: id('Customer'),
  accountId: id('InternalAccount'),
  internalAccountId: id('InternalAccount'),
  externalAccountId: id('ExternalAccount'),
  quoteId: id('Quote'),
  transactionId: id('Transaction'),
  documentId: id('Document'),
  beneficialOwnerId: id('BeneficialOwner'),
  verificationId: id('Verification'),
  accessToken: known('accessToken', 'none'),
  agentId: id('Agent'),
  actionId: id('AgentAction'),
  cardId: id('Card'),
  cardholderId: id('Customer'),
  cardTransactionId: id('CardTransaction'),
  fundingSources: id('InternalAccount'),
  fundingSourceId: id('CardFundingSource'),
  stablecoinId: id('Stablecoin'),
  stablecoinOperationId: id('StablecoinOperation'),
  stablecoinProviderAccountId: id('StablecoinProviderAccount'),
  credentialId: known('credentialId', 'none'),
  resetId: known('resetId', 'none'),
  tokenId: known('id', 'Token:00000000-0000-7000-8000-000000000000'),
  jobId: known('jobId', 'Job:00000000-0000-7000-8000-000000000000'),
  lookupId: known('lookupId', 'none'),
  cursor: known('nextCursor', 'none'),
  umaAddress: ({ random, memory }) =>
    (random.once(0.4) ? memory.named(random, 'umaAddress') : undefined) ?? `$u${random.below(1e6)}@pay.example`,
  receiverUmaAddress: known('umaAddress', '$success.usd@sandbox.uma.money', '$nobody@pay.example'),
  inviterUma: known('umaAddress', '$zoe@pay.example'),
  inviteeUma: known('umaAddress', '$new@pay.example'),
  senderUmaAddress: UMA,
  platformCustomerId: fresh((n) => `user-${n}`),
  currency: CURRENCY,
  currencyCode: CURRENCY,
  sourceCurrency: CURRENCY,
  destinationCurrency: CURRENCY,
  receivingCurrencyCode: CURRENCY,
  sourceCurrencyCode: CURRENCY,
  supportedCurrencies: CURRENCY,
  amount: one(1, 100, 2500, 100_000, 5_000_000),
  lockedCurrencyAmount: one(1, 100, 2500, 20_000, 100_000),
  receivingCurrencyAmount: one(1, 100, 2500, 100_000),
  currencyAmount: one(100, 2500, 20_000),
  sendingAmount: one('100', '2500', '20000'),
  country: COUNTRY,
  nationality: COUNTRY,
  region: COUNTRY,
  countryCode: COUNTRY,
  countryOfResidence: COUNTRY,
  countryOfIssuance: COUNTRY,
  countriesOfOperation: COUNTRY,
  birthDate: one('1990-01-02', '1978-06-15', '2001-12-31'),
  incorporatedOn: one('2019-04-30', '2001-01-01'),
  fullName: one('Ada Keller', 'Omar Diaz', 'Ben Ito 001', 'Cy Novak 002', 'Zoë Müller-O’Neil', 'नागरिक कुमार'),
  firstName: one('Mara', 'Ada'),
  lastName: one('Novak', 'Keller', 'Ito 002'),
  legalName: one('North Pier Trading LLC', 'Lind Trading Ltd'),
  email: fresh((n) => `user${n}@example.com`),
  phoneNumber: fresh((n) => `+1415555${String(n % 10_000).padStart(4, '0')}`),
  code: one('424242', '000000', '123456'),
  identifier: one('987-65-4320', '912-70-1234'),
  webhookUrl: one('http://127.0.0.1:9/hooks'),
  webhookEndpoint: one('http://127.0.0.1:9/hooks'),
  url: one('http://127.0.0.1:9/hooks', null),
  redirectUri: one('https://app.example/done', 'http://localhost:3000/back?x=1'),
  umaDomain: one('pay.example', 'bank.example'),
  name: fresh((n) => `name ${n % 7}`),
  to: known('name', 'name 1'),
  advance: one('PT0S', 'PT1S', 'PT7S', 'PT10M', 'PT3H', 'P2D'),
  speed: one(0.5, 1, 10),
  mode: one('held'),
  decision: one('APPROVED', 'APPROVED', 'REJECTED'),
  operation: one('createCustomer', 'createQuote', 'getCustomerById'),
  path: one('/customers', '/customers/*', '/**'),
  webhook: one('CUSTOMER.*', '*', 'TEST'),
  delayMs: one(0, 1, 5),
  subject: id('Customer'),
  scenario: one('default', 'wallet', 'unregulated', { platform: { currencies: [{ code: 'USD' }] } }),
  seed: one(1, 'a'),
  limit: one('1', '2', '20', '100'),
  businessInfo: () => northPier().businessInfo,
  termsVersion: known('termsVersion', '1'),
  expiresAt: one('2027-01-01T00:00:00Z', '2026-01-05T09:00:01Z'),
  signature: one('sandbox-valid-signature', 'zz'),
  address: one({ line1: '8 Elm Ct', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' }),
};

const FORMATS: Readonly<Record<string, Make>> = {
  'date-time': MOMENT,
  date: one('1990-01-02', '2020-02-29'),
  email: fresh((n) => `u${n}@example.com`),
  uri: one('https://example.com/x', 'http://localhost:1/y'),
};

/** Texts of which one will fit most patterns. */
const CANDIDATES: readonly string[] = [
  ...[
    '123456',
    '021000021',
    '1',
    '12',
    '200',
    'US',
    'USD',
    'Ada Keller',
    'ABCDEF2A',
    '/x',
    '+14155550123',
    'a@b.co',
    'abcd',
  ],
  ...SAMPLES.flatMap(({ info }) => Object.values(info)).filter((value) => typeof value === 'string'),
  ...Object.values(individual).filter((value) => typeof value === 'string'),
];
const fits = new Map<string, readonly string[]>();

function matching(pattern: string): readonly string[] {
  let found = fits.get(pattern);
  if (!found) {
    const test = new RegExp(pattern, 'u');
    found = CANDIDATES.filter((text) => test.test(text));
    fits.set(pattern, found);
  }
  return found;
}

/** A value that a schema takes, as far as it can be known from the schema, the name of its member and earlier replies. */
export function makeValue(schema: Schema, root: Schema, name: string, source: Source, depth = 0): unknown {
  const { random } = source;
  const at = resolved(schema, root);
  const byName = BY_NAME[name];
  if ('const' in at) return at.const;
  if (at.enum) return random.of(at.enum);
  if (name === 'accountInfo') return random.of(SAMPLES).info;
  if (byName && (at.type === undefined || typeof at.type === 'string') && at.type !== 'array') {
    const value = byName(source);
    if (suits(value, at)) return value;
  }
  const alternatives = at.anyOf ?? at.oneOf;
  if (alternatives) return makeValue(random.of(alternatives), root, name, source, depth + 1);
  if (at.type === 'object' || at.properties) return objectOf(at, root, source, depth);
  if (at.type === 'array') {
    if (!at.items) return [];
    const items = at.items;
    const length = Math.max(at.minItems ?? 0, 1 + random.below(2));
    return Array.from({ length }, () => makeValue(items, root, name, source, depth + 1));
  }
  return scalarOf(at, source);
}

function objectOf(at: Schema, root: Schema, source: Source, depth: number): unknown {
  const { random } = source;
  const share = random.of([0, 0.3, 0.6, 1]);
  const made: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(at.properties ?? {}))
    if (at.required?.includes(name) || (depth < 5 && random.once(share)))
      made[name] = makeValue(member, root, name, source, depth + 1);
  return made;
}

function scalarOf(at: Schema, source: Source): unknown {
  const { random } = source;
  if (at.type === 'boolean') return random.once(0.5);
  if (at.type === 'integer' || at.type === 'number') {
    const low = Math.max(at.minimum ?? 0, -1000);
    return Math.min(low + random.below(50), at.maximum ?? Number.POSITIVE_INFINITY);
  }
  if (at.type === 'null') return null;
  const byFormat = at.format === undefined ? undefined : FORMATS[at.format];
  if (byFormat) return byFormat(source);
  if (at.pattern !== undefined) {
    const found = matching(at.pattern);
    if (found.length > 0) return random.of(found);
  }
  return random.of(['x', 'Example', 'a longer text, with a comma', 'Ünïcode ✓']).padEnd(at.minLength ?? 0, 'x');
}

/** Whether a value by name is of the type that is asked for here. */
function suits(value: unknown, { type }: Schema): boolean {
  if (type === undefined) return true;
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  if (type === 'object') return typeof value === 'object' && value !== null;
  return typeof value === type;
}

/** A text as a part of a URL; half a surrogate pair, which no URL can carry, becomes what a client would send for it. */
export const inPath = (text: string): string => encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
