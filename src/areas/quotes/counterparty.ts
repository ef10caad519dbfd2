import { failFields } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS, lackingOf, unansweredOf } from '../customers/index.ts';
import type { ExternalAccount } from '../external-accounts/index.ts';
import {
  CUSTOMER_INFO_FIELDS,
  type CustomerInfoField,
  configuredCurrency,
  wantedOfSenders,
} from '../platform/index.ts';
import type { Transaction } from '../transactions/index.ts';
import type { QuoteDestination, QuoteSource } from './endpoints.ts';
import type { Request } from './row.ts';

/**
 * The place where an external account stores each field of its beneficiary; a field that a type cannot store is not
 * required of it.
 */
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

/**
 * Returns the members that an account's beneficiary lacks; without a beneficiary, those of an individual, all missing.
 */
function lackingOfBeneficiary(fields: readonly CustomerInfoField[], { accountInfo }: ExternalAccount): string[] {
  const { beneficiary } = accountInfo;
  return fields.flatMap((name) => {
    const member = KEPT[name]?.[beneficiary?.beneficiaryType ?? 'INDIVIDUAL'];
    return member && beneficiary?.[member] === undefined ? [`accountInfo.beneficiary.${member}`] : [];
  });
}

/**
 * Refuses to pay a counterparty who lacks a field that the currency's provider requires
 * (`providerRequiredCounterpartyCustomerFields`): 400 MISSING_MANDATORY_USER_INFO, naming every missing field at once.
 * Sandbox receivers lack nothing, nor does a customer who pays an internal account of their own.
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
      'reference 9.9, counterparty: providerRequiredCounterpartyCustomerFields',
    );
}

/** Returns a quote's information about the payer, by the names of the service; empty values are left out. */
export function payerInfoOf({ senderCustomerInfo = {} }: Request): Pick<Transaction, 'payerInfo'> {
  const said = CUSTOMER_INFO_FIELDS.filter((name) => !EMPTY.has(senderCustomerInfo[name]));
  if (said.length === 0) return {};
  return { payerInfo: Object.fromEntries(said.map((name) => [name, senderCustomerInfo[name]])) };
}
const EMPTY: ReadonlySet<unknown> = new Set([undefined, null, '']);

/**
 * Refuses a payment to a UMA address of this platform if required information about its sender is missing: 400
 * MISSING_MANDATORY_USER_INFO, naming every missing field at once. `requiredCounterpartyFields` of the currency says
 * what is required. A customer's record counts.
 */
export function checkPayerInfo(world: World, sent: Request, from: QuoteSource, to: QuoteDestination): void {
  if (to.towards === undefined || to.side.kind !== 'UMA_ADDRESS') return;
  const said = payerInfoOf(sent).payerInfo ?? {};
  const wanted = wantedOfSenders(world, [to.currency]).filter(({ name, mandatory }) => mandatory && !(name in said));
  const names = wanted.map(({ name }) => name);
  const payer = world.rows(CUSTOMERS).get(from.customerId ?? '');
  const missing = payer ? unansweredOf(names, payer) : names;
  if (missing.length > 0)
    failFields(
      missing.map((name) => ({
        field: `senderCustomerInfo.${name}`,
        message: `required of anyone who pays ${to.currency} to a UMA address of this platform`,
      })),
      'MISSING_MANDATORY_USER_INFO',
      'reference 9.9, counterparty: requiredCounterpartyFields',
    );
}
