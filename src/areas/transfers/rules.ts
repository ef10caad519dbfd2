import { fail, failFields } from '../../contract/errors.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf } from '../../ledger/ledger.ts';
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

/** Both accounts of a transfer belong together: the owners may move money, and it stays the same money. */
function checkPair(inner: InternalAccount, outer: ExternalAccount): void {
  if (inner.customerId && outer.customerId && inner.customerId !== outer.customerId)
    fail('INVALID_INPUT', `${outer.id} belongs to another customer than ${inner.id}`, {
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

const internalSide = (account: InternalAccount) =>
  ({ kind: 'ACCOUNT', accountId: account.id, currency: account.currency }) as const;

/**
 * Collect money from a bank account (reference 10): the payment is `PENDING`, and credited when it succeeds. How it
 * ends follows from the suffix of the source.
 */
export function transferIn(world: World, sent: Infer<typeof TransferInRequest>): Transaction {
  const target = usableAccount(world, sent.destination.accountId, 'destination.accountId');
  const bank = externalAccountOf(world, sent.source.accountId);
  const customer = customersOf(world, target, bank);
  checkPair(target, bank);
  if (isWallet(bank)) failFields([{ field: 'source.accountId', message: 'a wallet cannot be collected from' }]);
  if (sent.amount === undefined)
    return fail('INVALID_AMOUNT', 'amount: required, for nobody knows what a bank account holds');
  payableAccount(world, bank.id);
  const amount = { amount: sent.amount, currency: target.currency };
  checkAmount(world, amount, 'INCOMING');
  const plan = planIn(IN, bank);
  if (plan) notePlan(world, bank, `the collection is to end as ${plan.slice(3)}`);
  const payer = `outside:collected:${target.currency}`;
  const opened = openTransaction(
    world,
    {
      type: 'INCOMING',
      customer,
      source: externalSide(bank),
      destination: internalSide(target),
      sent: amount,
      received: amount,
      fees: 0,
      platformFees: 0,
      payer,
      payee: target.id,
      refundTo: payer,
      cancellable: true,
    },
    'collect',
  );
  return follow(world, opened, plan ?? 'in success');
}

/**
 * Pay out to an external account of the same currency (reference 10): the money leaves at once (spec 3.4), 400
 * `INSUFFICIENT_BALANCE` when there is too little, 429 `DAILY_VOLUME_LIMIT_EXCEEDED` when it is too much a day. How it ends follows from the suffix of the destination.
 */
export function transferOut(world: World, sent: Infer<typeof TransferOutRequest>): Transaction {
  const source = usableAccount(world, sent.source.accountId, 'source.accountId');
  if (source.type === 'EMBEDDED_WALLET')
    failFields([{ field: 'source.accountId', message: 'an embedded wallet sends by a signed quote only' }]);
  const target = externalAccountOf(world, sent.destination.accountId);
  const customer = customersOf(world, source, target);
  checkPair(source, target);
  const amount = sent.amount ?? balanceOf(world, source.id).available;
  if (amount === 0)
    fail('INSUFFICIENT_BALANCE', `${source.id} holds nothing to send`, { why: { rule: 'spec 5.1 (9)' } });
  payableAccount(world, target.id, amount);
  const both = { amount, currency: source.currency };
  checkAmount(world, both, 'OUTGOING');
  checkSize(world, both, target.currency);
  const rail = railFor(target, sent.destination.paymentRail);
  const plan = payoutPlan(world, target, OUT);
  countVolume(world, both, target.currency);
  const opened = openTransaction(
    world,
    {
      type: 'OUTGOING',
      customer,
      source: internalSide(source),
      destination: externalSide(target),
      sent: both,
      received: both,
      fees: 0,
      platformFees: 0,
      payer: source.id,
      payee: `outside:payout:${source.currency}`,
      refundTo: source.id,
      cancellable: !isWallet(target),
      ...rail,
    },
    'accept',
  );
  return follow(world, opened, plan);
}
