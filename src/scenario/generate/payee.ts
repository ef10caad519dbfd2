import type { InternalAccount } from '../../areas/accounts/index.ts';
import type { Customer } from '../../areas/customers/index.ts';

/** The owner of made-up payments and their account: a customer, or the platform if none is given. */
export interface Payee {
  readonly customer?: Customer | undefined;
  readonly account: InternalAccount;
}
