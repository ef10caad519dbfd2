import { isDeepStrictEqual } from 'node:util';
import { isLoopback, reachable } from '../../contract/address.ts';
import { type FieldError, fail, failFields } from '../../contract/errors.ts';
import { CURRENCIES } from '../../contract/money.ts';
import { patched, present } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import { resource } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import type { CurrencyConfig, Platform } from './row.ts';
import { PlatformRow } from './row.ts';
import type { CustomerInfoField, PlatformConfigUpdate } from './schema.ts';

/** Returns the channels that must be verified for a customer of this country (spec 2.1, contactVerification). */
export function channelsFor({ contactVerification: rules }: Platform, country: string | undefined) {
  if (isList(rules)) return rules;
  return (country === undefined ? undefined : rules[country]) ?? rules['default'] ?? [];
}

type ChannelRules = Platform['contactVerification'];
const isList = (rules: ChannelRules): rules is Extract<ChannelRules, readonly unknown[]> => Array.isArray(rules);
export const PLATFORM = resource('platform', {
  row: PlatformRow,
  single: true,
  titles: ['Platform', 'Platform', 'The configuration of this platform'],
  prefix: 'PlatformConfig',
  label: (p) => p.umaDomain,
  view: (row) => showPlatform(row),
  columns: { 'Webhook endpoint': 'webhookEndpoint', Created: ['createdAt', 'time'] },
});

/** Returns the configuration as `GET /config` shows it (spec 4.4). */
export const showPlatform = (p: Platform) => ({
  id: p.id,
  umaDomain: p.umaDomain,
  proxyUmaSubdomain: p.umaDomain.split('.')[0] as string,
  webhookEndpoint: p.webhookEndpoint,
  supportedCurrencies: p.currencies,
  isRegulatedFinancialInstitution: p.regulated,
  embeddedWalletConfig: p.embeddedWallet,
  cardTokenization2faConfig: p.cardTokenization,
  feeConfigs: p.fees,
  createdAt: p.createdAt,
  updatedAt: p.updatedAt,
});

/** Returns the platform of this world. Every world has one, which the scenario opens. */
export function platformOf(world: World): Platform {
  const row = world.rows(PLATFORM).first();
  if (!row) throw new Error('this world has no platform yet');
  return row;
}

/** A currency in a scenario. */
export interface CurrencySeed {
  code: string;
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
  requiredCounterpartyFields?: CurrencyConfig['requiredCounterpartyFields'] | undefined;
  enabledTransactionTypes?: CurrencyConfig['enabledTransactionTypes'] | undefined;
  providerRequiredCustomerFields?: readonly CustomerInfoField[] | undefined;
  providerRequiredCounterpartyCustomerFields?: readonly CustomerInfoField[] | undefined;
}

/** The default minimum and maximum of a currency's amounts, in minor units. */
const [LEAST, MOST] = [1, 100_000_000_000];

function currencyConfig(seed: CurrencySeed): CurrencyConfig {
  const { code: currencyCode, requiredCounterpartyFields = [] } = seed;
  // A given bound moves the other's default: nobody means a currency in which no amount fits.
  const minAmount = seed.minAmount ?? Math.min(LEAST, seed.maxAmount ?? LEAST);
  const maxAmount = seed.maxAmount ?? Math.max(MOST, minAmount);
  const { enabledTransactionTypes = ['INCOMING', 'OUTGOING'] } = seed;
  const ofCustomer = seed.providerRequiredCustomerFields ?? [];
  const ofCounterparty = seed.providerRequiredCounterpartyCustomerFields ?? [];
  if (ofCustomer.length === 0 && ofCounterparty.length === 0)
    return { currencyCode, minAmount, maxAmount, requiredCounterpartyFields, enabledTransactionTypes };
  return {
    currencyCode,
    minAmount,
    maxAmount,
    requiredCounterpartyFields,
    ...(ofCustomer.length > 0 ? { providerRequiredCustomerFields: [...ofCustomer] } : {}),
    ...(ofCounterparty.length > 0 ? { providerRequiredCounterpartyCustomerFields: [...ofCounterparty] } : {}),
    enabledTransactionTypes,
  };
}

export interface PlatformSeed
  extends Pick<
    Platform,
    'umaDomain' | 'invitations' | 'cards' | 'regulated' | 'contactVerification' | 'requireEndUserTerms' | 'verification'
  > {
  webhookUrl?: string | undefined;
  currencies: readonly CurrencySeed[];
  oidc?: Platform['oidc'] | undefined;
  fees?: Platform['fees'] | undefined;
}

/** Creates the platform of a new world. */
export function openPlatform(world: World, seed: PlatformSeed): Platform {
  const now = world.clock.iso();
  return world.rows(PLATFORM).insert({
    id: world.newId('PlatformConfig'),
    umaDomain: seed.umaDomain.toLowerCase(),
    regulated: seed.regulated,
    webhookEndpoint: seed.webhookUrl,
    currencies: seed.currencies.map(currencyConfig),
    contactVerification: seed.contactVerification,
    invitations: seed.invitations,
    cards: seed.cards,
    requireEndUserTerms: seed.requireEndUserTerms,
    verification: seed.verification,
    fees: seed.fees?.length ? mergeFees([], seed.fees) : [],
    oidc: seed.oidc ?? { verifySignatures: false, issuers: [] },
    createdAt: now,
    updatedAt: now,
  });
}

/** Returns the currencies that a change of the configuration adds. */
export const addedCurrencies = (before: Platform, after: Platform): CurrencyConfig[] =>
  after.currencies.filter(({ currencyCode: code }) => !before.currencies.some((c) => c.currencyCode === code));

/** Sets or clears the endpoint; `webhookTarget` decides whether anything is sent there. */
export const setWebhookEndpoint = (world: World, url: string | undefined): Platform =>
  world.rows(PLATFORM).put({ ...platformOf(world), webhookEndpoint: url, updatedAt: world.clock.iso() });

/**
 * Changes the configuration: members not sent stay, `null` clears optional ones. Only what differs from what is stored
 * is checked; if nothing differs, nothing is written. 400 INVALID_INPUT, 501 NOT_IMPLEMENTED.
 */
export function configure(world: World, change: Infer<typeof PlatformConfigUpdate>): Platform {
  const old = platformOf(world);
  const endpoint = change.webhookEndpoint;
  const next: Platform = {
    ...old,
    umaDomain: change.umaDomain?.toLowerCase() ?? old.umaDomain,
    webhookEndpoint: endpoint === undefined ? old.webhookEndpoint : (endpoint ?? undefined),
    currencies: change.supportedCurrencies
      ? mergeCurrencies(old.currencies, change.supportedCurrencies)
      : old.currencies,
    embeddedWallet: merged(old.embeddedWallet, change.embeddedWalletConfig),
    cardTokenization: mergeCardTokenization(old.cardTokenization, change.cardTokenization2faConfig),
    fees: change.feeConfigs ? mergeFees(old.fees, change.feeConfigs) : old.fees,
  };
  if (isDeepStrictEqual(present(next), present(old))) return old;
  noteCurrencies(world, old, next);
  return world.rows(PLATFORM).put({ ...next, updatedAt: world.clock.iso() });
}

/** Notes in the request log what a replaced list of currencies means for the customers. */
function noteCurrencies(world: World, old: Platform, next: Platform): void {
  const codesOf = ({ currencies }: Platform) => currencies.map((c) => c.currencyCode);
  const added = codesOf(next).filter((code) => !codesOf(old).includes(code));
  const dropped = codesOf(old).filter((code) => !codesOf(next).includes(code));
  if (added.length > 0)
    world.magic(
      `supportedCurrencies: every customer is given an account in ${added.join(', ')}; one who named no currencies, and has what its provider requires, uses it from now on`,
    );
  if (dropped.length === 0) return;
  const wallet = dropped.includes(WALLET_CURRENCY) ? ', hence no embedded wallet' : '';
  world.magic(
    `supportedCurrencies is replaced: customers created from now on have no account in ${dropped.join(', ')}${wallet}; accounts that exist stay`,
  );
}

/** The currency that embedded wallets hold. */
const WALLET_CURRENCY = 'USDB';

/** Returns a record after a change of it; `null` removes the whole record. */
const merged = <T extends object>(
  old: T | undefined,
  change: { readonly [K in keyof T]?: T[K] | null } | null | undefined,
): T | undefined => (change === undefined ? old : change === null ? undefined : patched(old, change));

/** A currency in a refused request: invalid members are left out. */
type SentCurrency = { readonly [K in 'currencyCode' | 'minAmount' | 'maxAmount']?: CurrencyConfig[K] | undefined };

/** Returns what is wrong with a new list of currencies beyond the schema; gaps stand for entries already refused. */
export function wrongCurrencies(
  old: Platform['currencies'],
  sent: readonly (SentCurrency | undefined)[],
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { currencyCode, minAmount = 0, maxAmount = Number.POSITIVE_INFINITY } = {}] of sent.entries()) {
    if (currencyCode !== undefined && seen.has(currencyCode))
      errors.push({ field: `supportedCurrencies.${i}.currencyCode`, message: 'listed twice' });
    if (currencyCode !== undefined) seen.add(currencyCode);
    const stands = old.some(
      (c) => c.currencyCode === currencyCode && c.minAmount === minAmount && c.maxAmount === maxAmount,
    );
    if (minAmount > maxAmount && !stands)
      errors.push({ field: `supportedCurrencies.${i}.minAmount`, message: 'more than maxAmount' });
  }
  return errors;
}

/** Returns the new list of currencies; what the provider requires stays, as the platform cannot change it. */
function mergeCurrencies(
  old: Platform['currencies'],
  sent: NonNullable<Infer<typeof PlatformConfigUpdate>['supportedCurrencies']>,
): CurrencyConfig[] {
  const errors = wrongCurrencies(old, sent);
  if (errors.length > 0) failFields(errors);
  return sent.map((config) => {
    const known = old.find((c) => c.currencyCode === config.currencyCode);
    return currencyConfig({
      ...config,
      code: config.currencyCode,
      providerRequiredCustomerFields: known?.providerRequiredCustomerFields,
      providerRequiredCounterpartyCustomerFields: known?.providerRequiredCounterpartyCustomerFields,
    });
  });
}

function mergeCardTokenization(
  old: Platform['cardTokenization'],
  sent: Infer<typeof PlatformConfigUpdate>['cardTokenization2faConfig'],
): Platform['cardTokenization'] {
  if (!sent) return merged(old, sent);
  const { email, sms, ...rest } = sent;
  const next = { ...merged(old, rest), email: merged(old?.email, email), sms: merged(old?.sms, sms) };
  return present(next);
}

/** Returns fees merged by (feeType, sourceCurrency); a fee of zero is dropped. */
function mergeFees(old: Platform['fees'], sent: Platform['fees']): Platform['fees'] {
  const keyOf = (fee: Platform['fees'][number]) => `${fee.feeType} ${fee.sourceCurrency}`;
  const byKey = new Map(old.map((fee) => [keyOf(fee), fee]));
  for (const fee of sent) {
    if (isDeepStrictEqual(byKey.get(keyOf(fee)), fee)) continue;
    if (fee.sourceCurrency !== 'USD')
      fail('NOT_IMPLEMENTED', `fees are offered for USD only, not for ${fee.sourceCurrency}`);
    if (fee.fixedFee.currency !== fee.sourceCurrency)
      fail('NOT_IMPLEMENTED', `the fixed fee must be in ${fee.sourceCurrency}, not in ${fee.fixedFee.currency}`);
    const key = keyOf(fee);
    if (fee.variableFeeBps === 0 && fee.fixedFee.amount === 0) byKey.delete(key);
    else byKey.set(key, fee);
  }
  return [...byKey.values()];
}

/** The URL of the endpoint; `unsent` says why nothing is sent to an endpoint that is set. */
export interface WebhookTarget {
  readonly url?: string | undefined;
  readonly unsent?: string | undefined;
}

/**
 * Decides where webhooks go, whichever way the endpoint was set. An address beyond this machine is shown, but nothing
 * is sent to it. Exceptions: the user allowed remote webhooks, or named this very URL at the start.
 */
export function webhookTarget(world: World): WebhookTarget {
  const url = platformOf(world).webhookEndpoint;
  const { remote, url: named } = world.outbound;
  if (url === undefined || remote || isLoopback(reachable(new URL(url).hostname)) || isSame(url, named)) return { url };
  return { url, unsent: `${url} is not on this machine: start with --allow-remote-webhooks to send there` };
}

/** Returns whether two URLs request the same, however they are written. */
const isSame = (url: string, other: string | undefined): boolean =>
  url === other ||
  (other !== undefined && new URL(url.split('#')[0] ?? '').href === new URL(other.split('#')[0] ?? '').href);

/** Returns the settings of one currency, if the platform has it. */
export const configuredCurrency = (world: World, code: string): CurrencyConfig | undefined =>
  platformOf(world).currencies.find((c) => c.currencyCode === code);

/**
 * Returns what this platform asks of anyone who sends in some currencies: always the name, and what the currencies'
 * settings say.
 */
export function wantedOfSenders(world: World, codes: readonly string[]): CurrencyConfig['requiredCounterpartyFields'] {
  const wanted = new Map<CustomerInfoField, boolean>([['FULL_NAME', false]]);
  for (const code of codes)
    for (const { name, mandatory } of configuredCurrency(world, code)?.requiredCounterpartyFields ?? [])
      wanted.set(name, mandatory || wanted.get(name) === true);
  return [...wanted].map(([name, mandatory]) => ({ name, mandatory }));
}

/** Returns the settings of one currency. 400 INVALID_CURRENCY if the platform does not have it. */
export function currencyOf(world: World, code: string, field = 'currency'): CurrencyConfig {
  return (
    configuredCurrency(world, code) ??
    fail('INVALID_CURRENCY', `${code} is not among the platform's currencies`, {
      details: {
        errors: [
          {
            field,
            message: CURRENCIES.has(code) ? `${code} is not configured for this platform` : `${code} is not a currency`,
            constraint: { enum: platformOf(world).currencies.map((c) => c.currencyCode) },
          },
        ],
      },
      why: { rule: 'spec 2.1 (1)', seen: code },
    })
  );
}
