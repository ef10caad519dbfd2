import { CURRENCIES } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf, countable, type Line, outsideAccount as outside, POSTINGS, post } from '../../ledger/ledger.ts';
import { accountsOf, tellBalance } from '../accounts/index.ts';
import { accountForRefund } from '../customers/index.ts';
import type { Trigger } from './machine.ts';
import type { Transaction } from './row-shape.ts';
import { payeeOf } from './uma-home.ts';

export const inside = (account: string): boolean => account.startsWith('InternalAccount:');

const DEBIT = 'debit';
const SETTLEMENT = 'settlement';

/** Returns the platform's own account in a currency, which receives its fees. */
export const feeAccount = (world: World, currency: string): string | undefined =>
  accountsOf(world).find((account) => account.currency === currency)?.id;

function move(world: World, t: Transaction, reason: string, lines: readonly Line[]): void {
  const real = lines.every((line) => line.amount !== 0) ? lines : lines.filter((line) => line.amount !== 0).slice();
  post(world, { reason, cause: t.id, lines: real });
  for (let i = 0; i < real.length; i += 1) {
    const { account } = real[i] as Line;
    if (inside(account) && isFirstOf(account, real, i)) tellBalance(world, account);
  }
}

/** Returns whether this is the first line of the account. */
function isFirstOf(account: string, lines: readonly Line[], at: number): boolean {
  for (let i = 0; i < at; i += 1) if (lines[i]?.account === account) return false;
  return true;
}

/** Debits the payer with the whole amount, fees included, at once (spec 3.4). 400 INSUFFICIENT_BALANCE. */
export function debit(world: World, t: Transaction): void {
  const { amount, currency } = t.sent;
  move(world, t, DEBIT, [
    { account: t.payer, currency, amount: -amount },
    { account: outside('transit', currency), currency, amount },
  ]);
}

/**
 * Returns the account that receives the platform's fee of a payment. A fee of zero is never posted, so any account will
 * do.
 */
const feesOf = (world: World, { platformFees, sent: { currency } }: Transaction): string =>
  (platformFees === 0 ? undefined : feeAccount(world, currency)) ?? outside('platform-fees', currency);

/** Returns the lines that complete a payment: fees go to their owners, the rest, exchanged, to the payee. */
function settlementOf(world: World, t: Transaction): Line[] {
  const { amount: sent, currency: from } = t.sent;
  const { amount: received, currency: to } = t.received;
  const exchanged = from === to ? received : sent - t.fees;
  const service = sent - t.platformFees - exchanged;
  const transit = { account: outside('transit', from), currency: from, amount: -sent };
  const fee = { account: outside('service-fees', from), currency: from, amount: service };
  const platformFee = { account: feesOf(world, t), currency: from, amount: t.platformFees };
  const payee = { account: t.payee, currency: to, amount: received };
  if (from === to) return [transit, fee, platformFee, payee];
  const sold = { account: outside('exchange', from), currency: from, amount: exchanged };
  const bought = { account: outside('exchange', to), currency: to, amount: -received };
  return [transit, fee, platformFee, sold, bought, payee];
}

/** Completes a payment; see `settlementOf`. */
export const settle = (world: World, t: Transaction): void => move(world, t, SETTLEMENT, settlementOf(world, t));

const creditOf = (t: Transaction): Line[] => [
  { account: t.payer, currency: t.received.currency, amount: -t.received.amount },
  { account: t.payee, currency: t.received.currency, amount: t.received.amount },
];

/** Credits an incoming payment, on success only (spec 3.4). */
export const credit = (world: World, t: Transaction): void => move(world, t, 'credit', creditOf(t));

/**
 * Returns the lines of a posting, of each no more than its account can give back once the lines before it are posted: it
 * owes the rest, as no balance goes below zero.
 */
function affordable(world: World, lines: readonly Line[]): Line[] {
  const left = new Map<string, number>();
  return lines.flatMap((line) => {
    const { account, currency, amount } = line;
    if (!inside(account)) return [line];
    const before = left.get(account) ?? balanceOf(world, account).available;
    const moved = Math.max(amount, -before);
    left.set(account, before + moved);
    if (moved === amount) return [line];
    return [
      { ...line, amount: moved },
      { account: outside('owed', currency), currency, amount: amount - moved },
    ];
  });
}

/** Returns every posting of a payment reversed; the payer's money goes to the account for refunds. */
const reversed = (world: World, t: Transaction): Line[] =>
  world
    .rows(POSTINGS)
    .all('cause', t.id)
    .flatMap((posting) =>
      posting.lines.map((line) => ({
        ...line,
        account: posting.reason === DEBIT && line.account === t.payer ? t.refundTo : line.account,
        amount: -line.amount,
      })),
    );

const refundOf = (world: World, t: Transaction): Line[] => affordable(world, reversed(world, t));

/**
 * Returns the account for a refund: crypto from outside is never sent back there, but to an account of that asset
 * (reference 11.4).
 */
export function refundAccount(world: World, { type, source, sent, refundTo }: Transaction): string {
  const crypto = CURRENCIES.get(sent.currency)?.kind !== 'fiat';
  if (type !== 'OUTGOING' || source.kind !== 'REALTIME_FUNDING' || inside(refundTo) || !crypto) return refundTo;
  return accountForRefund(world, sent.currency, source.customerId).id;
}

/** Reverses every posting of a payment (spec 3.4). */
export const refund = (world: World, t: Transaction): void => move(world, t, 'refund', refundOf(world, t));

/**
 * Returns the lines that complete a payment, and those of its other side within the platform, which completes with it.
 */
const completionOf = (world: World, t: Transaction, twin: Transaction | undefined): Line[] =>
  [t, ...(twin ? [twin] : [])].flatMap((side) =>
    side.type === 'INCOMING' ? creditOf({ ...side, payee: payeeOf(world, side) }) : settlementOf(world, side),
  );

/** Returns whether every balance stays a safe integer after a step of a payment, on both sides within the platform. */
export function hasRoom(world: World, t: Transaction, on: Trigger, twin?: Transaction): boolean {
  if (on === 'complete' && t.refund === undefined) return countable(world, completionOf(world, t, twin));
  if (on === 'refunded' && t.type === 'OUTGOING') return countable(world, refundOf(world, t));
  return true;
}
