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
 * The place where a customer keeps each field that a currency's provider wants; `undefined` is never wanted of that type.
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

/** Returns the places of the fields that a currency's provider wants of such a customer and that are missing. */
export const lackingFor = (
  { providerRequiredCustomerFields: fields }: CurrencyConfig,
  draft: Draft,
): readonly string[] => (fields === undefined ? NOTHING : lackingOf(fields, draft));
const NOTHING: readonly string[] = [];

/** Returns the places of those of some fields that a customer lacks; one that is never wanted of that type is not among them. */
export const lackingOf = (fields: readonly CustomerInfoField[], draft: Draft): string[] =>
  fields.flatMap((name) => {
    const path = KEPT[name]?.[draft.customerType];
    return path && !holds(draft, path) ? [path] : [];
  });

/** Returns those of some fields that no record of such a customer answers; one that is never wanted of that type is not among them. */
export const unansweredOf = (fields: readonly CustomerInfoField[], draft: Draft): CustomerInfoField[] =>
  fields.filter((name) => KEPT[name] === undefined || lackingOf([name], draft).length > 0);

/** Returns what a customer's record says of some fields. The identifier of an individual is never shown, so it is left out. */
export const factsOf = (fields: readonly CustomerInfoField[], draft: Draft): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((name) => {
      const path = KEPT[name]?.[draft.customerType];
      return path && path !== 'identifier' && holds(draft, path) ? [[name, valueAt(draft, path)]] : [];
    }),
  );

/** Refuses 400 `MISSING_MANDATORY_USER_INFO` naming every missing field at once; `lacking` is field and currency. */
function refuseLacking(lacking: ReadonlyMap<string, string>): void {
  if (lacking.size > 0)
    failFields(
      [...lacking].map(([field, code]) => ({ field, message: `required of a customer who is to use ${code}` })),
      'MISSING_MANDATORY_USER_INFO',
      'spec 2.1 (1): providerRequiredCustomerFields',
    );
}

/** Each missing field of some currencies, and the last currency that asks for it. */
const lackingIn = (configs: readonly CurrencyConfig[], draft: Draft): Map<string, string> =>
  new Map(configs.flatMap((config) => lackingFor(config, draft).map((path) => [path, config.currencyCode] as const)));

/**
 * Refuses a customer who lacks a field that the provider of a currency wants (spec 2.1 rule 1). Refuses 400
 * `INVALID_CURRENCY` for one that the platform lacks, then 400 `MISSING_MANDATORY_USER_INFO` naming every missing field at
 * once.
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
 * Refuses a change that names a currency the platform lacks, or leaves one without its fields. What was so before is not
 * required: a currency that was listed, a field that was missing already (spec 2.1 rule 1).
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

/** The platform's currencies whose required fields are all there: those of a customer who named none (spec 2.1). */
export const usableCurrencies = (world: World, draft: Draft): string[] =>
  platformOf(world)
    .currencies.filter((config) => lackingFor(config, draft).length === 0)
    .map(({ currencyCode }) => currencyCode);

/**
 * Refuses 400 `MISSING_MANDATORY_USER_INFO` for a customer who moves money in a currency whose required fields are
 * missing; one that the platform does not configure asks for nothing (spec 2.1 rule 1).
 */
export function requireCurrency(world: World, customer: Customer, currency: string): void {
  const config = configuredCurrency(world, currency);
  if (config) refuseLacking(lackingIn([config], customer));
}
