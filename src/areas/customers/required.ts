import { failFields } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import {
  type CurrencyConfig,
  type CustomerInfoField,
  configuredCurrency,
  currencyOf,
  platformOf,
} from '../platform/index.ts';
import type { Customer } from './row.ts';
import type { CustomerType } from './schema.ts';

type Draft = Pick<Customer, 'customerType' | 'details'> &
  Partial<Pick<Customer, 'region' | 'email' | 'phoneNumber' | 'identifier'>>;

/**
 * The place where a customer stores each field that a currency's provider may require; `undefined` is never required of
 * that type.
 */
const KEPT: Readonly<Partial<Record<CustomerInfoField, Readonly<Partial<Record<CustomerType, string>>>>>> = {
  FULL_NAME: { INDIVIDUAL: 'fullName', BUSINESS: 'businessInfo.legalName' },
  BIRTH_DATE: { INDIVIDUAL: 'birthDate', BUSINESS: 'businessInfo.incorporatedOn' },
  NATIONALITY: { INDIVIDUAL: 'nationality', BUSINESS: 'businessInfo.country' },
  PHONE_NUMBER: { INDIVIDUAL: 'phoneNumber', BUSINESS: 'phoneNumber' },
  EMAIL: { INDIVIDUAL: 'email', BUSINESS: 'email' },
  POSTAL_ADDRESS: { INDIVIDUAL: 'address', BUSINESS: 'address' },
  COUNTRY_OF_RESIDENCE: { INDIVIDUAL: 'region', BUSINESS: 'region' },
  TAX_ID: { INDIVIDUAL: 'identifier', BUSINESS: 'businessInfo.taxId' },
  IDENTIFIER: { INDIVIDUAL: 'identifier', BUSINESS: 'businessInfo.taxId' },
  ID_NUMBER: { INDIVIDUAL: 'identifier', BUSINESS: 'businessInfo.taxId' },
  ID_TYPE: { INDIVIDUAL: 'idType' },
  REGISTRATION_NUMBER: { BUSINESS: 'businessInfo.registrationNumber' },
  COMPANY_LEGAL_NAME: { BUSINESS: 'businessInfo.legalName' },
  BUSINESS_TYPE: { BUSINESS: 'businessInfo.businessType' },
  USER_TYPE: { INDIVIDUAL: 'customerType', BUSINESS: 'customerType' },
};

function valueAt(draft: Draft, path: string): unknown {
  if (path === 'region') return draft.region ?? draft.details.address?.country;
  const [head, tail] = path.split('.') as [string, string?];
  const value = (draft as Record<string, unknown>)[head] ?? (draft.details as Record<string, unknown>)[head];
  return tail ? (value as Record<string, unknown> | undefined)?.[tail] : value;
}

const holds = (draft: Draft, path: string): boolean => valueAt(draft, path) !== undefined;

/** Returns the paths of the fields that a currency's provider requires of this customer and that are missing. */
export const lackingFor = (
  { providerRequiredCustomerFields: fields }: CurrencyConfig,
  draft: Draft,
): readonly string[] => (fields === undefined ? NOTHING : lackingOf(fields, draft));
const NOTHING: readonly string[] = [];

/** Returns the paths of those fields that a customer lacks, except fields that are never required of its type. */
export const lackingOf = (fields: readonly CustomerInfoField[], draft: Draft): string[] =>
  fields.flatMap((name) => {
    const path = KEPT[name]?.[draft.customerType];
    return path && !holds(draft, path) ? [path] : [];
  });

/**
 * Returns those fields that the customer's record does not supply, except fields that are never required of its type.
 */
export const unansweredOf = (fields: readonly CustomerInfoField[], draft: Draft): CustomerInfoField[] =>
  fields.filter((name) => KEPT[name] === undefined || lackingOf([name], draft).length > 0);

/**
 * Returns the values of fields in a customer's record. An individual's identifier is left out, because it is never
 * shown.
 */
export const factsOf = (fields: readonly CustomerInfoField[], draft: Draft): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((name) => {
      const path = KEPT[name]?.[draft.customerType];
      return path && path !== 'identifier' && holds(draft, path) ? [[name, valueAt(draft, path)]] : [];
    }),
  );

/**
 * Refuses with 400 MISSING_MANDATORY_USER_INFO, naming every missing field at once; `lacking` maps fields to
 * currencies.
 */
function refuseLacking(lacking: ReadonlyMap<string, string>): void {
  if (lacking.size > 0)
    failFields(
      [...lacking].map(([field, code]) => ({ field, message: `required of a customer who is to use ${code}` })),
      'MISSING_MANDATORY_USER_INFO',
      'spec 2.1 (1): providerRequiredCustomerFields',
    );
}

/** Returns each missing field of some currencies, with the last currency that requires it. */
const lackingIn = (configs: readonly CurrencyConfig[], draft: Draft): Map<string, string> =>
  new Map(configs.flatMap((config) => lackingFor(config, draft).map((path) => [path, config.currencyCode] as const)));

/**
 * Refuses a customer who lacks a field that the provider of a currency requires (spec 2.1 rule 1). 400 INVALID_CURRENCY
 * for a currency that the platform lacks, then 400 MISSING_MANDATORY_USER_INFO naming every missing field at once.
 */
export function requireFor(world: World, currencies: readonly string[], draft: Draft): void {
  refuseLacking(
    lackingIn(
      currencies.map((code, i) => currencyOf(world, code, `currencies.${i}`)),
      draft,
    ),
  );
}

/**
 * Refuses a change that adds a currency the platform lacks, or leaves a currency without its fields. Currencies listed
 * and fields missing before the change are not checked (spec 2.1 rule 1).
 */
export function requireAfter(world: World, old: Draft & Listed, next: Draft & Listed): void {
  const added = next.currencies.map((code, i) =>
    old.currencies.includes(code) ? undefined : currencyOf(world, code, `currencies.${i}`),
  );
  const stays = platformOf(world).currencies.filter(
    ({ currencyCode }) => old.currencies.includes(currencyCode) && next.currencies.includes(currencyCode),
  );
  const before = lackingIn(stays, old);
  const kept = [...lackingIn(stays, next)].filter(([path]) => !before.has(path));
  refuseLacking(
    new Map([
      ...kept,
      ...lackingIn(
        added.filter((config) => config !== undefined),
        next,
      ),
    ]),
  );
}

interface Listed {
  readonly currencies: readonly string[];
}

/**
 * Returns the platform's currencies whose required fields are all present: those of a customer who named none (spec
 * 2.1).
 */
export const usableCurrencies = (world: World, draft: Draft): string[] =>
  platformOf(world)
    .currencies.filter((config) => lackingFor(config, draft).length === 0)
    .map(({ currencyCode }) => currencyCode);

/** Returns whether a customer has what a currency requires; one that the platform does not configure requires nothing. */
export function hasRequired(world: World, customer: Customer, currency: string): boolean {
  const config = configuredCurrency(world, currency);
  return config === undefined || lackingIn([config], customer).size === 0;
}

/**
 * Refuses a customer who moves money in a currency but lacks a field that it requires: 400 MISSING_MANDATORY_USER_INFO.
 * A currency that the platform does not configure requires nothing (spec 2.1 rule 1).
 */
export function requireCurrency(world: World, customer: Customer, currency: string): void {
  const config = configuredCurrency(world, currency);
  if (config) refuseLacking(lackingIn([config], customer));
}
