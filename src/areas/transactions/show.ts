import { money } from '../../contract/money.ts';
import { credited, perUnit, pulled } from './card-money.ts';
import type { AnyTransaction, CardPayment, Side, Transaction } from './row-shape.ts';

/** Returns a unique reference for the other party to quote, derived from the id, so that it needs no memory. */
export function referenceOf(id: string): string {
  if (late.id !== id) late = { id, reference: `REF-${id.slice(-12).toUpperCase()}` };
  return late.reference;
}

/** The last reference: a payment is indexed and emitted several times in a row. */
let late = { id: '', reference: '' };

const chain = ({ network, hash }: Side) =>
  network && hash ? { onChainTransaction: { transactionHash: hash, network } } : {};

/**
 * Caches the latest result for a member that is shown repeatedly: a payment's ends and amounts are the same objects in
 * each version of its row.
 */
function latest<T extends object, S>(show: (of: T) => S): (of: T) => S {
  let late: { readonly of: T; readonly shown: S } | undefined;
  return (of) => {
    if (late?.of !== of) late = { of, shown: show(of) };
    return late.shown;
  };
}

const showSource = latest((side: Side) =>
  side.kind === 'ACCOUNT'
    ? { sourceType: side.kind, accountId: side.accountId, currency: side.currency, ...chain(side) }
    : side.kind === 'UMA_ADDRESS'
      ? { sourceType: side.kind, umaAddress: side.umaAddress, currency: side.currency }
      : {
          sourceType: side.kind,
          currency: side.currency,
          customerId: side.customerId,
          paymentRail: side.rail,
          ...chain(side),
        },
);

const showDestination = latest((side: Side) =>
  side.kind === 'ACCOUNT'
    ? { destinationType: side.kind, accountId: side.accountId, currency: side.currency, ...chain(side) }
    : {
        destinationType: 'UMA_ADDRESS' as const,
        umaAddress: side.kind === 'UMA_ADDRESS' ? side.umaAddress : '',
        currency: side.currency,
      },
);

const showSent = latest(({ amount, currency }: Transaction['sent']) => money(amount, currency));
const showReceived = latest(({ amount, currency }: Transaction['received']) => money(amount, currency));

const showRefund = (t: Transaction) =>
  t.refund && {
    reference: referenceOf(t.id).replace('REF-', 'RF-'),
    initiatedAt: t.refund.initiatedAt,
    settledAt: t.refund.settledAt,
    status: t.refund.status,
    reason: t.refund.reason,
  };

const both = <D extends 'CREDIT' | 'DEBIT'>(t: Transaction, direction: D) => ({
  id: t.id,
  type: t.type,
  status: t.status,
  customerId: t.customerId,
  platformCustomerId: t.platformCustomerId,
  source: showSource(t.source),
  destination: showDestination(t.destination),
  sentAmount: showSent(t.sent),
  receivedAmount: showReceived(t.received),
  fees: t.fees,
  reconciliationInstructions: { reference: referenceOf(t.id) },
  exchangeRate: t.exchangeRate,
  quoteId: t.quoteId,
  agentId: t.agentId,
  description: t.description,
  counterpartyInformation: t.counterparty,
  senderUmaAddress: t.source.kind === 'UMA_ADDRESS' ? t.source.umaAddress : undefined,
  receiverUmaAddress: t.destination.kind === 'UMA_ADDRESS' ? t.destination.umaAddress : undefined,
  failureReason: t.failureReason,
  refund: showRefund(t),
  createdAt: t.createdAt,
  updatedAt: t.updatedAt,
  settledAt: t.settledAt,
  receiptDeliveryConfirmedAt: t.receiptDeliveryConfirmedAt,
  direction,
});

/**
 * Returns how an amount was converted, with the variable fee that was charged, in minor units of the sending currency.
 */
export const showRateDetails = ({ rateDetails, fees, platformFees }: Transaction) =>
  rateDetails && {
    ...rateDetails,
    serviceApiVariableFeeAmount: fees - platformFees - rateDetails.serviceApiFixedFee,
  };

/** Returns a payment as replies and webhooks show it (spec 2.7). */
export function showPayment(t: Transaction): ReturnType<typeof shown> {
  if (lately?.row !== t) lately = { row: t, shown: shown(t) };
  return lately.shown;
}

/** The row that was shown last: one row can have two events, and the reply after them. */
let lately: { readonly row: Transaction; readonly shown: ReturnType<typeof shown> } | undefined;

const shown = (t: Transaction) =>
  t.type === 'INCOMING'
    ? both(t, 'CREDIT')
    : Object.assign(both(t, 'DEBIT'), {
        platformFees: t.platformFees,
        rateDetails: showRateDetails(t),
        paymentInstructions: t.paymentInstructions,
        paymentRail: t.paymentRail ?? null,
        railSelectionMode: t.railSelectionMode ?? null,
        expectedSettlementAt: null,
        settlementTimelineSeconds: null,
      });

/** Returns the data of an event about a payment; while it waits for approval, also what the sender's side asks for. */
export const tellable = (t: Transaction) =>
  t.approval && t.status === 'PENDING'
    ? { ...showPayment(t), requestedReceiverCustomerInfoFields: t.approval.fields }
    : showPayment(t);

const nonZero = (amount: number, currency: string) => (amount === 0 ? undefined : money(amount, currency));

/** Returns a card payment as replies and webhooks show it (reference 4.2). */
export const showCardPayment = (t: CardPayment) => ({
  id: t.id,
  type: t.type,
  status: t.status,
  direction: t.direction,
  cardId: t.cardId,
  customerId: t.customerId,
  platformCustomerId: t.platformCustomerId,
  issuerTransactionToken: t.issuerTransactionToken,
  merchant: t.merchant,
  authorizedAmount: money(t.authorized, t.currency),
  settledAmount: nonZero(t.settled, t.currency),
  refundedAmount: nonZero(t.refunded, t.currency),
  accountId: t.accountId,
  pullSummary: {
    count: t.pulls.length,
    totalAmount: pulled(t),
    pendingCount: t.pulls.filter(({ stage }) => stage === 'PENDING').length,
  },
  refundSummary: { count: t.returns, totalAmount: credited(t) },
  settlementSummary: { count: t.clearings, totalAmount: t.settled * perUnit(t) },
  authorizedAt: t.createdAt,
  lastEventAt: t.lastEventAt,
  createdAt: t.createdAt,
  updatedAt: t.updatedAt,
});

/** Returns a transaction of any type as replies show it. */
export const showTransaction = (t: AnyTransaction) => (t.type === 'CARD' ? showCardPayment(t) : showPayment(t));
