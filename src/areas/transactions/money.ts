import type { World } from '../../engine/world.ts';
import { balanceOf, type Line, outsideAccount as outside, POSTINGS, post } from '../../ledger/ledger.ts';
import { accountsOf, tellBalance } from '../accounts/index.ts';
import type { Transaction } from './row-shape.ts';

export const inside = (account: string): boolean => account.startsWith('InternalAccount:');

const DEBIT = 'debit';
const SETTLEMENT = 'settlement';

/** The platform's own account of a currency: where its fees go. */
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

/** Returns whether no line before one is of the same account. */
function isFirstOf(account: string, lines: readonly Line[], at: number): boolean {
  for (let i = 0; i < at; i += 1) if (lines[i]?.account === account) return false;
  return true;
}

/** The whole amount, fees included, leaves the payer at once (spec 3.4). 400 `INSUFFICIENT_BALANCE`, nothing moved. */
export function debit(world: World, t: Transaction): void {
  const { amount, currency } = t.sent;
  move(world, t, DEBIT, [
    { account: t.payer, currency, amount: -amount },
    { account: outside('transit', currency), currency, amount },
  ]);
}

/** Returns where the platform's fee of a payment goes; a line of nothing is not posted, whatever it names. */
const feesOf = (world: World, { platformFees, sent: { currency } }: Transaction): string =>
  (platformFees === 0 ? undefined : feeAccount(world, currency)) ?? outside('platform-fees', currency);

/** Completes a payment: the fees arrive where they belong, the rest, exchanged, at the payee. */
export function settle(world: World, t: Transaction): void {
  const { amount: sent, currency: from } = t.sent;
  const { amount: received, currency: to } = t.received;
  const exchanged = from === to ? received : sent - t.fees;
  const service = sent - t.platformFees - exchanged;
  const transit = { account: outside('transit', from), currency: from, amount: -sent };
  const fee = { account: outside('service-fees', from), currency: from, amount: service };
  const platformFee = { account: feesOf(world, t), currency: from, amount: t.platformFees };
  const payee = { account: t.payee, currency: to, amount: received };
  if (from === to) {
    move(world, t, SETTLEMENT, [transit, fee, platformFee, payee]);
    return;
  }
  const sold = { account: outside('exchange', from), currency: from, amount: exchanged };
  const bought = { account: outside('exchange', to), currency: to, amount: -received };
  move(world, t, SETTLEMENT, [transit, fee, platformFee, sold, bought, payee]);
}

/** An incoming payment is credited, on success only (spec 3.4). */
export const credit = (world: World, t: Transaction): void =>
  move(world, t, 'credit', [
    { account: t.payer, currency: t.received.currency, amount: -t.received.amount },
    { account: t.payee, currency: t.received.currency, amount: t.received.amount },
  ]);

/** Returns the line, or as much of it as the account can give back: it owes the rest, and no balance goes below zero. */
function affordable(world: World, line: Line): Line[] {
  if (line.amount >= 0 || !inside(line.account)) return [line];
  const paid = Math.min(-line.amount, balanceOf(world, line.account).available);
  const owed = { account: outside('owed', line.currency), currency: line.currency, amount: line.amount + paid };
  return [{ ...line, amount: -paid }, owed];
}

/** Every posting of a payment is reversed (spec 3.4); what left the payer goes back to where refunds go. */
export function refund(world: World, t: Transaction): void {
  const lines = world
    .rows(POSTINGS)
    .all('cause', t.id)
    .flatMap((posting) =>
      posting.lines.map((line) => ({
        ...line,
        account: posting.reason === DEBIT && line.account === t.payer ? t.refundTo : line.account,
        amount: -line.amount,
      })),
    );
  move(
    world,
    t,
    'refund',
    lines.flatMap((line) => affordable(world, line)),
  );
}
