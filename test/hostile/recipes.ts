import { request as externalAccount, SAMPLES } from '../areas/external-accounts/material.ts';
import { individual, northPier, owner } from '../areas/onboarding/material.ts';
import { EXTENDED } from './extended-recipes.ts';
import type { FormPlan } from './plan.ts';
import type { Source } from './values.ts';

type Recipe = (source: Source) => unknown;

const NONE = '00000000-0000-7000-8000-000000000000';
const customerIn = ({ memory, random }: Source): string => memory.id(random, 'Customer') ?? `Customer:${NONE}`;
const accountIn = ({ memory, random }: Source, type: 'Internal' | 'External', currency?: string): string =>
  memory.account(random, type, currency)?.id ?? `${type}Account:${NONE}`;

/** A wallet that can be proven to be one's own. */
const WALLETS = SAMPLES.filter(({ info }) => 'address' in info && !('beneficiary' in info));

function customer({ random }: Source): unknown {
  const n = random.below(1e6);
  const names = ['Omar Diaz', 'Ada Keller', 'Ben Ito 001', 'Cy Novak 002', 'Zoe Lindqvist'];
  const contact = random.once(0.5)
    ? { email: `user${n}@example.com`, phoneNumber: `+14155${String(n).padStart(6, '0')}` }
    : {};
  const more = random.once(0.3)
    ? { umaAddress: `$u${n}@pay.example`, platformCustomerId: `user-${n}`, region: 'US' }
    : {};
  if (random.once(0.3)) return { ...northPier(random.of(['HRB 555', 'HRB 45002', 'HRB 001'])), ...contact, ...more };
  return { ...individual, fullName: random.of(names), ...contact, ...more };
}

function ownAccount(source: Source): object {
  const sample = source.random.once(0.3) ? source.random.of(WALLETS) : source.random.of(SAMPLES);
  const first = WALLETS.includes(sample)
    ? { ownershipType: source.random.of(['FIRST_PARTY', 'FIRST_PARTY', 'THIRD_PARTY']) }
    : {};
  return { ...externalAccount(sample), ...(source.random.once(0.9) ? first : {}) };
}

function quote(source: Source): unknown {
  const { random, memory } = source;
  const from = memory.account(random, 'Internal');
  const funded = { sourceType: 'ACCOUNT', accountId: from?.id ?? `InternalAccount:${NONE}` };
  const pushed = {
    sourceType: 'REALTIME_FUNDING',
    currency: random.of(['USD', 'EUR', 'USDC']),
    customerId: customerIn(source),
  };
  const umaAddress = random.of(['$success.usd', '$success.eur']).concat('@sandbox.uma.money');
  const lookupId = random.once(0.3) ? memory.named(random, `lookup of ${umaAddress}`) : undefined;
  const uma = { destinationType: 'UMA_ADDRESS', umaAddress };
  const own = random.once(0.8) ? memory.account(random, 'External', undefined, from?.customerId)?.id : undefined;
  const account = {
    destinationType: 'ACCOUNT',
    accountId: own ?? accountIn(source, random.once(0.7) ? 'External' : 'Internal'),
  };
  return {
    source: random.once(0.7) ? funded : pushed,
    destination: lookupId ? uma : account,
    ...(lookupId ? { lookupId } : {}),
    lockedCurrencySide: random.of(['SENDING', 'SENDING', 'RECEIVING']),
    lockedCurrencyAmount: random.of([100, 2500, 20_000]),
    ...(random.once(0.2) ? { immediatelyExecute: true } : {}),
  };
}

function transfer(source: Source, out: boolean): unknown {
  const currency = source.random.of(['USD', 'USD', 'EUR', 'USDC']);
  const inner = { accountId: accountIn(source, 'Internal', currency) };
  const outer = { accountId: accountIn(source, 'External', currency) };
  return { source: out ? inner : outer, destination: out ? outer : inner, amount: source.random.of([1, 100, 2500]) };
}

const amountOfCoins = ({ random }: Source): string => random.of(['10000', '1000000', '90000000000000000000']);
const coinOf = ({ memory, random }: Source): object => ({
  providerTokenIdentifier: random.of(['USDB', `C${random.below(50)}`, `C${random.below(50)}-004`]),
  networkTokenIdentifier: `btkn1${random.below(1e6)}`,
  network: 'SPARK',
  ...(random.once(0.8) ? { stablecoinProviderAccountId: memory.id(random, 'StablecoinProviderAccount') } : {}),
});

function mint(source: Source): unknown {
  const externalAccountId = accountIn(source, 'External', 'USD');
  return {
    amount: amountOfCoins(source),
    fundingSource: source.random.of<object>([{ type: 'WIRE' }, { type: 'ACH_DEBIT', externalAccountId }]),
    destination: { accountId: accountIn(source, source.random.once(0.7) ? 'Internal' : 'External', 'USDB') },
  };
}

/** Bodies that the schema alone would rarely get right. */
const BODIES: Readonly<Record<string, Recipe>> = {
  ...EXTENDED,
  createCustomer: customer,
  createCustomerExternalAccount: (source) => ({ customerId: customerIn(source), ...ownAccount(source) }),
  createPlatformExternalAccount: ownAccount,
  createBeneficialOwner: (source) => owner(customerIn(source)),
  createVerification: (source) => ({ customerId: customerIn(source) }),
  createQuote: quote,
  agentCreateExternalAccount: ownAccount,
  agentCreateQuote: quote,
  agentCreateTransferIn: (source) => transfer(source, false),
  agentCreateTransferOut: (source) => transfer(source, true),
  createTransferIn: (source) => transfer(source, false),
  createTransferOut: (source) => transfer(source, true),
  registerStablecoin: coinOf,
  createStablecoinMint: mint,
  createStablecoinBurn: (source) => ({
    amount: amountOfCoins(source),
    source: { type: source.random.of(['EXTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE']) },
    destination: {
      type: 'EXTERNAL_ACCOUNT',
      externalAccountId: accountIn(source, 'External', 'USD'),
      rail: source.random.of(['WIRE', 'ACH_CREDIT']),
    },
  }),
  sandboxReceive: (source) => ({
    senderUmaAddress: source.random
      .of(['$success.usd', '$pending.long.usd', '$success.eur'])
      .concat('@sandbox.uma.money'),
    customerId: customerIn(source),
    receivingCurrencyCode: source.random.of(['USD', 'EUR']),
    receivingCurrencyAmount: source.random.of([1, 2500, 100_000]),
  }),
  sandboxSend: ({ random, memory }) => ({
    quoteId: memory.named(random, 'pushed') ?? memory.id(random, 'Quote') ?? `Quote:${NONE}`,
    currencyCode: random.of(['USD', 'EUR', 'USDC']),
  }),
  estimateCryptoWithdrawalFee: (source) => ({
    internalAccountId: accountIn(source, 'Internal', 'USDC'),
    currency: 'USDC',
    cryptoNetwork: source.random.of(['SOLANA', 'BASE']),
    amount: 2500,
    destinationAddress: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg',
  }),
  'POST /clock': ({ random }) =>
    random.of([{ advance: 'PT5S' }, { advance: 'PT10M' }, { mode: 'held' }, { advance: 'P2D' }]),
  'POST /faults': ({ random }) =>
    random.of([
      { match: { operation: 'createQuote', times: 1 }, then: { status: 503 } },
      { match: { path: '/customers/*', times: 2 }, then: { code: 'RATE_LIMITED', retryAfter: 1 } },
      { match: { method: 'POST', path: '/**', times: 1 }, then: { drop: true, when: 'after' } },
      { match: { method: 'GET', path: '/**', times: 1 }, then: { truncate: true } },
      { match: { webhook: 'CUSTOMER.*', times: 2 }, then: { duplicate: true } },
    ]),
  'POST /sandboxes': ({ random }) => random.of([{}, { scenario: 'default' }, { scenario: 'unregulated', seed: 7 }]),
};

/** A body that an operation will probably take, when the schema alone would not do. */
export const recipeFor = (name: string): Recipe | undefined => BODIES[name];

const PDF = '%PDF-1.7\n';
const COLUMNS =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country';

/** The form of an operation that takes a file. */
export function formFor(name: string, source: Source): FormPlan | undefined {
  const { random } = source;
  if (name === 'uploadCustomersCsv') {
    const rows = Array.from({ length: 1 + random.below(4) }, () => {
      const n = random.below(1e6);
      return `$u${n}@pay.example,u-${n},INDIVIDUAL,Ada Keller,1990-01-02,1 Elm St,Tacoma,WA,98402,US`;
    });
    return { fields: {}, file: { name: 'customers.csv', type: 'text/csv', content: [COLUMNS, ...rows].join('\n') } };
  }
  const file = { name: 'scan.pdf', type: 'application/pdf', content: PDF };
  const described = {
    documentType: random.of(['PASSPORT', 'PROOF_OF_ADDRESS', 'OTHER']),
    country: 'ES',
    side: 'FRONT',
  };
  if (name === 'uploadDocument') return { fields: { documentHolder: customerIn(source), ...described }, file };
  return name === 'replaceDocument' ? { fields: described, file } : undefined;
}
