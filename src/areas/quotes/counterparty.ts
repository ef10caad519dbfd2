import { failFields } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS, lackingOf } from '../customers/index.ts';
import type { ExternalAccount } from '../external-accounts/index.ts';
import { type CustomerInfoField, configuredCurrency } from '../platform/index.ts';
import type { QuoteDestination, QuoteSource } from './endpoints.ts';

/** The place where an account elsewhere keeps each field of its beneficiary; one that a type cannot keep is not wanted of it. */
const KEPT: Readonly<Partial<Record<CustomerInfoField, Readonly<Partial<Record<'INDIVIDUAL' | 'BUSINESS', string>>>>>> =
  {
    FULL_NAME: { INDIVIDUAL: 'fullName', BUSINESS: 'legalName' },
    COMPANY_LEGAL_NAME: { BUSINESS: 'legalName' },
    BIRTH_DATE: { INDIVIDUAL: 'birthDate' },
    NATIONALITY: { INDIVIDUAL: 'nationality' },
    PHONE_NUMBER: { INDIVIDUAL: 'phoneNumber', BUSINESS: 'phoneNumber' },
    EMAIL: { INDIVIDUAL: 'email', BUSINESS: 'email' },
    POSTAL_ADDRESS: { INDIVIDUAL: 'address', BUSINESS: 'address' },
    COUNTRY_OF_RESIDENCE: { INDIVIDUAL: 'countryOfResidence', BUSINESS: 'countryOfResidence' },
    REGISTRATION_NUMBER: { BUSINESS: 'registrationNumber' },
    TAX_ID: { BUSINESS: 'taxId' },
    IDENTIFIER: { BUSINESS: 'taxId' },
    ID_NUMBER: { BUSINESS: 'taxId' },
  };

/** The members that the beneficiary of an account lacks; somebody who is not named is an individual of whom nothing is known. */
function lackingOfBeneficiary(fields: readonly CustomerInfoField[], { accountInfo }: ExternalAccount): string[] {
  const { beneficiary } = accountInfo;
  return fields.flatMap((name) => {
    const member = KEPT[name]?.[beneficiary?.beneficiaryType ?? 'INDIVIDUAL'];
    return member && beneficiary?.[member] === undefined ? [`accountInfo.beneficiary.${member}`] : [];
  });
}

/**
 * Refuses to pay somebody of whom the provider of the currency wants to know more (`providerRequiredCounterpartyCustomerFields`): 400
 * `MISSING_MANDATORY_USER_INFO`, naming every missing field at once. Receivers that the sandbox plays lack nothing, nor does who pays
 * their own internal account.
 */
export function checkCounterparty(world: World, from: QuoteSource, to: QuoteDestination): void {
  const fields = configuredCurrency(world, to.currency)?.providerRequiredCounterpartyCustomerFields ?? [];
  const payee = to.towards === from.customerId ? undefined : world.rows(CUSTOMERS).get(to.towards ?? '');
  const lacking = [
    ...(to.external ? lackingOfBeneficiary(fields, to.external) : []),
    ...(payee ? lackingOf(fields, payee) : []),
  ];
  if (lacking.length > 0)
    failFields(
      lacking.map((field) => ({ field, message: `required of anyone who is paid in ${to.currency}` })),
      'MISSING_MANDATORY_USER_INFO',
      'reference 9.9: providerRequiredCounterpartyCustomerFields',
    );
}
