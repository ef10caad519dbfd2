import type * as z from 'zod';
import { CustomerCreate } from '../areas/customers/index.ts';
import { ExternalAccountCreate } from '../areas/external-accounts/index.ts';

interface OfACall {
  /** The call whose members the entries have. */
  readonly call: string;
  readonly shape: () => z.ZodType;
  /** Members that the list has besides, or in place of, those of the call. */
  readonly own: readonly string[];
  /** Members of the call that the entries do not have. */
  readonly without: readonly string[];
}

/** The lists of scenarios whose entries have the members of an API call. */
export const OF_A_CALL: Readonly<Record<'customers' | 'externalAccounts', OfACall>> = {
  customers: {
    call: 'POST /customers',
    shape: CustomerCreate,
    own: ['label', 'id', 'accounts', 'accountIds', 'credentials', 'kycStatus'],
    without: [],
  },
  externalAccounts: {
    call: 'POST /customers/external-accounts',
    shape: ExternalAccountCreate,
    own: ['label', 'id', 'customer', 'trusted'],
    without: ['customerId'],
  },
};
