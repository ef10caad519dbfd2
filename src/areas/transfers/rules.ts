import { fail, failFields } from '../../contract/errors.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf, outsideAccount } from '../../ledger/ledger.ts';
import type { InternalAccount } from '../accounts/index.ts';
import { type ExternalAccount, externalAccountOf, isWallet, payableAccount } from '../external-accounts/index.ts';
import {
  checkAmount,
  checkSize,
  countVolume,
  customerAllowedToMoveMoney,
  externalSide,
  follow,
  notePlan,
  openTransaction,
  payoutPlan,
  planIn,
  railFor,
  type Transaction,
  usableAccount,
} from '../transactions/index.ts';
import { IN, OUT } from './magic.ts';
import type { TransferInRequest, TransferOutRequest } from './schema.ts';

/**
 * Refuses two accounts that do not match: of different customers or currencies. 400 INVALID_INPUT, INVALID_CURRENCY.
 */
function checkPair(inner: InternalAccount, outer: ExternalAccount): void {
  if (inner.customerId && outer.customerId && inner.customerId !== outer.customerId)
    fail('INVALID_INPUT', `${outer.id} and ${inner.id} belong to different customers`, {
      why: { rule: 'a transfer stays with one owner', expected: inner.customerId, seen: outer.customerId },
    });
  if (inner.currency !== outer.currency)
    fail('INVALID_CURRENCY', `${inner.id} holds ${inner.currency}, ${outer.id} holds ${outer.currency}: use a quote`, {
      why: { rule: 'transfers stay within one currency', expected: inner.currency, seen: outer.currency },
    });
}

const customersOf = (world: World, inner: InternalAccount, outer: ExternalAccount) => {
  const mover = customerAllowedToMoveMoney(world, inner.customerId, inner.currency);
  if (outer.customerId !== inner.customerId) customerAllowedToMoveMoney(world, outer.customerId, outer.currency);
  return mover;
};

/** The maker of a transfer, if not the platform itself. */
interface MadeBy {
  readonly agentId: string;
}
type RailOf = ReturnType<typeof railFor>;

const internalSide = (account: InternalAccount) =>
  ({ kind: 'ACCOUNT', accountId: account.id, currency: account.currency }) as const;

type SentIn = Infer<typeof TransferInRequest>;
type SentOut = Infer<typeof TransferOutRequest>;

/**
 * A transfer that may be made: its internal and its external account, and an amount in minor units of their currency.
 */
interface Prepared {
  readonly customer: ReturnType<typeof customersOf>;
  readonly inner: InternalAccount;
  readonly outer: ExternalAccount;
  readonly amount: { readonly amount: number; readonly currency: string };
}

/**
 * Checks a collection from a bank account; writes nothing. 404 REFERENCE_NOT_FOUND; 400 INVALID_CURRENCY,
 * INVALID_AMOUNT, or INVALID_INPUT for accounts that do not match (reference 10).
 */
export function prepareTransferIn(world: World, sent: SentIn): Prepared {
  const inner = usableAccount(world, sent.destination.accountId, 'destination.accountId');
  const outer = externalAccountOf(world, sent.source.accountId);
  const customer = customersOf(world, inner, outer);
  checkPair(inner, outer);
  if (isWallet(outer)) failFields([{ field: 'source.accountId', message: 'a wallet cannot be collected from' }]);
  if (sent.amount === undefined)
    return fail('INVALID_AMOUNT', 'amount: required, because the balance of a bank account is not known');
  payableAccount(world, outer.id);
  const amount = { amount: sent.amount, currency: inner.currency };
  checkAmount(world, amount, 'INCOMING');
  return { customer, inner, outer, amount };
}

/**
 * Collects money from a bank account (reference 10): the payment is `PENDING`, and credited when it succeeds. Its
 * outcome depends on the suffix of the source.
 */
export function collectTransfer(world: World, { customer, inner, outer, amount }: Prepared, by?: MadeBy): Transaction {
  const plan = planIn(IN, outer);
  if (plan) notePlan(world, outer, `the outcome of the collection will be "${plan.slice(3)}"`);
  const payer = outsideAccount('collected', inner.currency);
  const opened = openTransaction(
    world,
    customer,
    {
      type: 'INCOMING',
      source: externalSide(outer),
      destination: internalSide(inner),
      sent: amount,
      received: amount,
      fees: 0,
      platformFees: 0,
      payer,
      payee: inner.id,
      refundTo: payer,
      cancellable: true,
      ...by,
    },
    'collect',
  );
  return follow(world, opened, plan ?? 'in success');
}

/**
 * Checks a payout to an external account of the same currency; writes nothing. Without an amount, it is the whole
 * balance. 404 REFERENCE_NOT_FOUND; 400 for what is wrong with the accounts or the amount, INSUFFICIENT_BALANCE for an
 * account that holds nothing. Whether it holds enough is checked when the money leaves.
 */
export function prepareTransferOut(world: World, sent: SentOut): Prepared & { readonly rail: RailOf } {
  const inner = usableAccount(world, sent.source.accountId, 'source.accountId');
  if (inner.type === 'EMBEDDED_WALLET')
    failFields([{ field: 'source.accountId', message: 'an embedded wallet sends by a signed quote only' }]);
  const outer = externalAccountOf(world, sent.destination.accountId);
  const customer = customersOf(world, inner, outer);
  checkPair(inner, outer);
  const units = sent.amount ?? balanceOf(world, inner.id).available;
  if (units === 0) fail('INSUFFICIENT_BALANCE', `${inner.id} holds nothing to send`, { why: { rule: 'spec 5.1 (9)' } });
  payableAccount(world, outer.id, units);
  const amount = { amount: units, currency: inner.currency };
  checkAmount(world, amount, 'OUTGOING');
  checkSize(world, amount, outer.currency);
  return { customer, inner, outer, amount, rail: railFor(outer, sent.destination.paymentRail) };
}

/**
 * Pays out (reference 10): the money leaves at once (spec 3.4). 400 INSUFFICIENT_BALANCE if there is too little, 429
 * DAILY_VOLUME_LIMIT_EXCEEDED above the day's limit. The outcome depends on the suffix of the destination.
 */
export function payTransfer(
  world: World,
  { customer, inner, outer, amount, rail }: ReturnType<typeof prepareTransferOut>,
  by?: MadeBy,
): Transaction {
  const plan = payoutPlan(world, outer, OUT);
  countVolume(world, amount, outer.currency);
  const opened = openTransaction(
    world,
    customer,
    {
      type: 'OUTGOING',
      source: internalSide(inner),
      destination: externalSide(outer),
      sent: amount,
      received: amount,
      fees: 0,
      platformFees: 0,
      payer: inner.id,
      payee: outsideAccount('payout', inner.currency),
      refundTo: inner.id,
      cancellable: !isWallet(outer),
      ...rail,
      ...by,
    },
    'accept',
  );
  return follow(world, opened, plan);
}
