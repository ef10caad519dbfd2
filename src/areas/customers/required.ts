import { failFields } from '../../kernel/errors.ts';
import type { World } from '../../kernel/world.ts';
import { type CustomerInfoField, currencyOf } from '../platform/index.ts';
import type { Customer } from './rules.ts';
import type { CustomerType } from './schema.ts';

type Draft = Pick<Customer, 'customerType' | 'details'> &
  Partial<Pick<Customer, 'region' | 'email' | 'phoneNumber' | 'identifier'>>;

/** Where a customer keeps what a currency's provider asks for; `undefined` is never asked of that type. */
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
};

function holds(draft: Draft, path: string): boolean {
  if (path === 'region') return (draft.region ?? draft.details.address?.country) !== undefined;
  const [head, tail] = path.split('.') as [string, string?];
  const value = (draft as Record<string, unknown>)[head] ?? (draft.details as Record<string, unknown>)[head];
  return (tail ? (value as Record<string, unknown> | undefined)?.[tail] : value) !== undefined;
}

/**
 * What the provider of each currency asks for must be there (spec 2.1 rule 1). Refuses 400 `INVALID_CURRENCY`
 * for one that the platform lacks, then 400 `MISSING_MANDATORY_USER_INFO` naming every missing field at once.
 */
export function requireFor(world: World, currencies: readonly string[], draft: Draft): void {
  const missing = new Map<string, string>();
  currencies.forEach((code, i) => {
    for (const name of currencyOf(world, code, `currencies.${i}`).providerRequiredCustomerFields ?? []) {
      const path = KEPT[name]?.[draft.customerType];
      if (path && !holds(draft, path)) missing.set(path, code);
    }
  });
  if (missing.size > 0)
    failFields(
      [...missing].map(([field, code]) => ({ field, message: `required for a customer who is to use ${code}` })),
      'MISSING_MANDATORY_USER_INFO',
      'spec 2.1 (1): providerRequiredCustomerFields',
    );
}
