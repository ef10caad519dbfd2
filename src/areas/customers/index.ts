/**
 * Customers: who they are, and whether they may move money.
 *
 * Chosen where the specification is silent or says two things:
 * - Spec 3.1 creates `PENDING`, spec 5.1 (6) approves automatically: the policy `customer.decide` says when. At once
 *   (scenario `default`), the reply says `APPROVED` and one `CUSTOMER.KYC_APPROVED` follows; otherwise `PENDING`.
 * - Creation tells no `KYC_PENDING`; a regulated platform's customers tell nothing at all.
 * - Every customer gets an account in every configured currency. A currency requires its fields of those who name it in
 *   `currencies`; the currencies of one who names none are those whose fields are all there, also of one that
 *   the platform adds later. Moving money in another is
 *   400 `MISSING_MANDATORY_USER_INFO` until a change supplies them.
 * - A change is checked where it differs from what is kept; `null` clears what nothing requires. `platformCustomerId`,
 *   `region` and members of the other type are refused when they differ.
 * - An email that a wallet credential of another customer is tied to is refused in a change (409), not at creation; a
 *   deleted holder frees it.
 * - `platformCustomerId` collides unless the newcomer brings a UMA address of its own; deleted customers never collide.
 * - A deleted customer can be read, not changed (404); deleting again is 410 `CUSTOMER_DELETED`.
 * - Profile `grid`: a business starts `UNVERIFIED`, and so does whom a policy decides later; `HOLD` comes and goes only
 *   through the control API and tells nothing.
 * - A submission for review replaces the automatic decision of creation.
 * - End-user terms are requested only where the scenario says `platform.requireEndUserTerms`; then accounts open with
 *   the consent, not with the customer.
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
export { factsOf, lackingOf, requireCurrency, unansweredOf } from './required.ts';
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
export { requireTerms } from './terms.ts';
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
