/**
 * Customers: who they are, and whether they may move money.
 * Chosen where the specification is silent or contradicts itself:
 * - Spec 3.1 creates `PENDING`, spec 5.1 (6) approves automatically: the policy `customer.decide` says when. At once
 *   (scenario `default`), the reply says `APPROVED` and one `CUSTOMER.KYC_APPROVED` follows; otherwise `PENDING`.
 * - Creation emits no `KYC_PENDING`; customers of a regulated platform emit no event at all.
 * - Every customer gets an account in every configured currency. The fields that a currency requires must be present if
 *   a customer names it in `currencies`. A customer who names none has every currency whose fields are present,
 *   including those that the platform adds later. Moving money in another is 400 `MISSING_MANDATORY_USER_INFO` until a
 *   change supplies them.
 * - A change is checked only where it differs from what is stored; `null` clears optional members.
 *   `platformCustomerId`, `region` and members of the other type are refused if they differ.
 * - An email tied to another customer's wallet credential is refused in a change (409), not at creation; deleting the
 *   holder frees it.
 * - A repeated `platformCustomerId` conflicts unless the new customer has a UMA address of its own; deleted customers
 *   never conflict.
 * - A deleted customer can be read but not changed (404); deleting it again is 410 `CUSTOMER_DELETED`.
 * - Profile `grid`: a business starts `UNVERIFIED`, and so does any customer whom a policy decides later. `HOLD` starts
 *   only through the control API, without an event; a decision there ends it, or a new submission, as any status (spec 3.1).
 * - A submission for review replaces the automatic decision made at creation.
 * - End-user terms are required only if the scenario says `platform.requireEndUserTerms`; then accounts open with the
 *   consent, not with the customer.
 * - A business shows its status as `kycStatus` and as `kybStatus`, always equal.
 */

import { area, on } from '../../declare/area.ts';
import { CONFIG_CHANGED } from '../platform/index.ts';
import { AFTER_DECISIONS } from './examples.ts';
import { jobs } from './jobs.ts';
import { KYC } from './machine.ts';
import { MAGIC } from './magic.ts';
import { routes } from './routes.ts';
import { addCurrencies, CUSTOMERS } from './rules.ts';
import { CustomerShape } from './schema.ts';

export { ADDRESS_OF, type Channel } from './channels.ts';
export { awaitingChannel, unverifiedChannels, verifiedChannel } from './contact.ts';
export { hosted } from './examples.ts';
export { birthDateError, identityErrors } from './identity.ts';
export { checkPhoneFree } from './linked-credentials.ts';
export { factsOf, hasRequired, lackingOf, requireCurrency, unansweredOf } from './required.ts';
export {
  accountForRefund,
  activeCustomer,
  CUSTOMER_DELETED,
  CUSTOMERS,
  countryOf,
  createCustomer,
  customerName,
  customerOf,
  decide,
  dropDecision,
  importCustomer,
  mirrorOwners,
  personName,
  readyCustomer,
  showCustomer,
  submitCustomer,
} from './rules.ts';
export {
  BeneficialOwnerShape,
  CustomerCreate,
  CustomerUpdate,
  ID_TYPES,
  OWNER_ROLES,
  type Status,
} from './schema.ts';
export { consentAt, requireTerms } from './terms.ts';
export { updateCustomer } from './update.ts';
export { CustomerShape };

export const customers = area('customers', {
  machines: [KYC],
  magic: MAGIC,
  tables: [CUSTOMERS],
  operations: routes,
  jobs,
  events: [
    {
      name: 'customer-update',
      summary: "A customer's verification moved on",
      types: [
        'CUSTOMER.KYC_PENDING',
        'CUSTOMER.KYC_APPROVED',
        'CUSTOMER.KYC_REJECTED',
        'CUSTOMER.KYB_PENDING',
        'CUSTOMER.KYB_APPROVED',
        'CUSTOMER.KYB_REJECTED',
      ],
      data: CustomerShape,
      after: AFTER_DECISIONS,
      kinds: {
        'CUSTOMER.KYC_PENDING': 'IndividualCustomer',
        'CUSTOMER.KYC_APPROVED': 'IndividualCustomer',
        'CUSTOMER.KYC_REJECTED': 'IndividualCustomer',
        'CUSTOMER.KYB_PENDING': 'BusinessCustomer',
        'CUSTOMER.KYB_APPROVED': 'BusinessCustomer',
        'CUSTOMER.KYB_REJECTED': 'BusinessCustomer',
      },
    },
  ],
  reactions: [on(CONFIG_CHANGED, addCurrencies)],
});
export type { Customer } from './row.ts';
