import type { World } from '../../engine/world.ts';
import { outsideAccount } from '../../ledger/ledger.ts';
import { accountOf, fund, type InternalAccount } from '../accounts/index.ts';
import { activeCustomer, CUSTOMERS, requireCurrency } from '../customers/index.ts';
import { apply, openTransaction } from '../transactions/index.ts';

/**
 * Funds an account at once (spec 5.1 rule 7). The newer contract makes a payment of it, with an event of its own; the
 * specification names only the event of the balance. 404 USER_NOT_FOUND for an account of a deleted customer, 400
 * MISSING_MANDATORY_USER_INFO if the customer lacks a field that the currency requires.
 */
export function fundAccount(world: World, id: string, amount: number): InternalAccount {
  const account = accountOf(world, id);
  if (account.customerId !== undefined)
    requireCurrency(world, activeCustomer(world, account.customerId), account.currency);
  if (!world.profile.rules.fundingIsPayment || account.status !== 'ACTIVE') return fund(world, id, amount);
  const { currency, customerId } = account;
  const payer = outsideAccount('funding', currency);
  const opened = openTransaction(
    world,
    customerId === undefined ? undefined : world.rows(CUSTOMERS).get(customerId),
    {
      type: 'INCOMING',
      source: { kind: 'REALTIME_FUNDING', currency, customerId },
      destination: { kind: 'ACCOUNT', accountId: id, currency },
      sent: { amount, currency },
      received: { amount, currency },
      fees: 0,
      platformFees: 0,
      payer,
      payee: id,
      refundTo: payer,
      cancellable: false,
      description: 'Internal account funding',
    },
    'collect',
  );
  apply(world, opened, { on: 'complete' });
  return accountOf(world, id);
}
