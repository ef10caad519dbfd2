/**
 * Transactions: every payment, its course, and its effect on balances.
 * Chosen where the specification is silent or contradicts itself:
 * - A quoted payment has a row from the quote on, `PENDING`; its money leaves and its events start when it is executed.
 * - Automatic steps are jobs (`transaction.process`, `.settle`, `.refund`, `.return`, `.onchain`), so a reply shows
 *   `PENDING` or `PROCESSING`; the rest follows it; a policy may hold or delay each kind.
 * - `EXPIRED` carries `failureReason` `QUOTE_EXPIRED`. A rejection by the platform leaves `REJECTED`, emitted as
 *   `INCOMING_PAYMENT.FAILED`.
 * - A cancelled bank transfer ends `FAILED` without a `failureReason`, refunded with reason `USER_CANCELLATION`.
 * - A refund reverses every posting of its payment. If the platform has already spent its fee, it owes that part, as no
 *   balance goes below zero. A payment that is delivered after its refund costs the customer nothing.
 * - A transaction of the platform itself carries the platform's id as `customerId` and `platformCustomerId`.
 * - `onChainTransaction` appears two virtual seconds after `COMPLETED`, without an event.
 * - The bare `OUTGOING_PAYMENT` (spec 6) is emitted once, with the debit, right after `OUTGOING_PAYMENT.PENDING`;
 *   profile `grid` has no such type.
 * - An incoming UMA payment that fails after it was accepted is emitted as refunded, too; its money never arrived, so
 *   nothing is posted, and the status stays `FAILED`: `CREATED` and `REFUNDED` are in the document only. One that was
 *   refused earlier has nothing to give back. `OFFRAMP_FAILED` depends on the suffix of the account that a customer
 *   receives UMA payments in.
 * - A customer who was deleted, or is no longer approved, cannot be paid by UMA: approval is refused, and approval by
 *   webhook is `PAY_REQUEST_FAILED`.
 * - A payment to a UMA address of a customer of this platform has two rows. The incoming one waits for approval like
 *   any other, or is accepted if no endpoint is set; the outgoing one ends as it does, refunded if it was not accepted.
 * - A payment into an internal account has two rows as well, whichever side pays. The incoming one needs no approval,
 *   and emits nothing until it completes with the outgoing one. It has the same ends and `quoteId`, and its sent amount
 *   is without fees. No bank returns such a payment. One whose funds never arrived opens no second row.
 * - `confirm` is for payments that have settled, even if they were returned later.
 * - Card payments are in the same table, so that lists, filters, counts and cursors cover both. They exist, so approve,
 *   reject and cancel refuse them with the 409 of a payment in the wrong state, and confirm with its 400.
 */

import { area } from '../../declare/area.ts';
import { TRANSACTION_SIZE } from '../platform/index.ts';
import { APPROVAL_MS, answered } from './approval.ts';
import { decisions } from './decisions.ts';
import { AFTER_INCOMING, AFTER_OUTGOING } from './examples.ts';
import { jobs } from './jobs.ts';
import { DAILY_VOLUME, VOLUMES } from './limits.ts';
import { INCOMING, OUTGOING, REFUND } from './machine.ts';
import { MAGIC } from './magic.ts';
import { routes } from './routes.ts';
import { TRANSACTIONS } from './row.ts';
import { IncomingPaymentShape, OutgoingTransactionShape } from './schema.ts';

export { credited, perUnit, pulled } from './card-money.ts';
export { CardMerchant, CardTransactionShape } from './card-schema.ts';
export {
  checkAmount,
  checkFunds,
  checkReceives,
  customerAllowedToMoveMoney,
  externalSide,
  railFor,
  usableAccount,
} from './eligibility.ts';
export { checkSize, countVolume, overDailyVolume } from './limits.ts';
export { transactionPage } from './list.ts';
export { notePlan, payoutPlan, planIn } from './magic.ts';
export { feeAccount } from './money.ts';
export { inspectTransaction } from './outcome.ts';
export type { PlanName } from './plans.ts';
export { CARD_PAYMENTS, PAYMENTS, paymentOf, TRANSACTIONS, transactionOf } from './row.ts';
export { PlanNameShape, type PullFate, pricedAt } from './row-shape.ts';
export {
  apply,
  type Draft,
  executeTransaction,
  follow,
  LATER_OUTCOMES,
  moveOnLater,
  openTransaction,
} from './rules.ts';
export {
  ANY_FAILURE,
  IncomingTransactionShape,
  MAX_AMOUNT,
  ON_CHAIN_NETWORKS,
  type OnChainNetwork,
  PaymentRail,
  PurposeOfPayment,
  type Rail,
  RateDetails,
  TransactionPage,
  TransactionQuery,
  TransactionShape,
} from './schema.ts';
export { showCardPayment, showPayment, showRateDetails, showTransaction } from './show.ts';
export { announceUma, SANDBOX_SENDER, toldOf } from './uma.ts';
export { type UmaHome, umaHome } from './uma-home.ts';

export const transactions = area('transactions', {
  machines: [OUTGOING, INCOMING, REFUND],
  magic: MAGIC,
  tables: [TRANSACTIONS, VOLUMES],
  operations: routes,
  jobs,
  decisions,
  limits: [TRANSACTION_SIZE, DAILY_VOLUME],
  rules: [
    {
      place: 'reference 4.5',
      about: 'Cards',
      says: 'Messages of the card network decide what happens to a payment by card; nobody approves, cancels or confirms it.',
    },
  ],
  events: [
    {
      name: 'outgoing-payment',
      summary: 'An outgoing payment moved on',
      types: [
        'OUTGOING_PAYMENT.PENDING',
        'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
        'OUTGOING_PAYMENT.PROCESSING',
        'OUTGOING_PAYMENT.COMPLETED',
        'OUTGOING_PAYMENT.FAILED',
        'OUTGOING_PAYMENT.EXPIRED',
        'OUTGOING_PAYMENT.REFUND_PENDING',
        'OUTGOING_PAYMENT.REFUND_COMPLETED',
        'OUTGOING_PAYMENT.REFUND_FAILED',
        'OUTGOING_PAYMENT',
      ],
      data: OutgoingTransactionShape,
      after: AFTER_OUTGOING,
    },
    {
      name: 'incoming-payment',
      summary: 'An incoming payment moved on, or waits for approval by the answer to this very call',
      types: [
        'INCOMING_PAYMENT.PENDING',
        'INCOMING_PAYMENT.COMPLETED',
        'INCOMING_PAYMENT.FAILED',
        'INCOMING_PAYMENT.REFUND_PENDING',
        'INCOMING_PAYMENT.REFUND_COMPLETED',
        'INCOMING_PAYMENT.REFUND_FAILED',
      ],
      data: IncomingPaymentShape,
      after: AFTER_INCOMING,
      delivery: { 'INCOMING_PAYMENT.PENDING': { sentOnce: true, deadlineMs: APPROVAL_MS, answered } },
    },
  ],
});
export type { AnyTransaction, CardPayment, Side, Transaction } from './row-shape.ts';
