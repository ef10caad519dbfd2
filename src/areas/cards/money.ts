import type { World } from '../../engine/world.ts';
import { balanceOf, type Line, outsideAccount, post } from '../../ledger/ledger.ts';
import { tellBalance } from '../accounts/index.ts';
import type { CardPayment } from '../transactions/index.ts';

/** Returns the outside account for money at the card network, in a currency. */
const network = (currency: string): string => outsideAccount('card', currency);

type Pocket = 'available' | 'held' | 'network';

const line = ({ accountId, accountCurrency: currency }: CardPayment, pocket: Pocket, amount: number): Line =>
  pocket === 'network'
    ? { account: network(currency), currency, amount }
    : { account: accountId, currency, amount, ...(pocket === 'held' ? { part: 'held' as const } : {}) };

/** Moves money of the account that pays, in its minor units, and emits its new balance; does nothing for 0. */
export function shift(
  world: World,
  t: CardPayment,
  reason: string,
  ...moves: readonly { readonly from: Pocket; readonly to: Pocket; readonly amount: number }[]
): void {
  const real = moves.filter(({ amount }) => amount > 0);
  if (real.length === 0) return;
  const lines = real.flatMap(({ from, to, amount }) => [line(t, from, -amount), line(t, to, amount)]);
  post(world, { reason, cause: t.id, lines });
  tellBalance(world, t.accountId);
}

/** Returns whether the account can pay an amount more, in its minor units. */
export const covers = (world: World, accountId: string, amount: number): boolean =>
  balanceOf(world, accountId).available >= amount;
