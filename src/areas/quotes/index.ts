/**
 * Quotes: a price that holds for a while, and its execution.
 * Chosen where the specification is silent or contradicts itself:
 * - A quote's status is its transaction's; the payment has a row from the quote on, and no event until it is executed.
 * - The service takes 0.5 % between currencies, nothing within one. The exchange rate is net of fees, sending units per
 *   receiving unit.
 * - Quotes hold for 5 virtual minutes (`limits.quoteSeconds`). Too late or a second time: 409 `CONFLICT`, with
 *   `details.reason` `QUOTE_EXPIRED` or `QUOTE_ALREADY_EXECUTED`.
 * - An insufficient balance is refused at execution, for wallets too, 400 `INSUFFICIENT_BALANCE`; the quote stays
 *   valid.
 * - The owner of an embedded wallet signs the payload of the quote: in two calls (spec 5.4), or in one without
 *   `Request-Id`; profile `grid` has the single call only.
 * - Execution collects from a bank account as source; money from an external wallet, like real-time funding, must
 *   arrive first and executes the quote by itself. `immediatelyExecute` is for the former and for internal accounts. In
 *   profile `grid` money of a bank must arrive first, too: executing such a quote is 400, and `/sandbox/send` pays it.
 *   Any quote whose money must arrive first says in `paymentInstructions` where to send it.
 * - Crypto that arrived in real time is refunded to the owner's internal account in that currency, fiat to its sender.
 * - Another customer's internal account may be paid, their external account may not (docs/payments.md).
 * - UMA: an address without a receiver is 400 `INVALID_RECEIVER`. A customer of this platform gets an incoming payment
 *   of their own, on execution, and this payment ends with it.
 * - A quote keeps its price and its ends: an external account that has since been deleted is still paid; a customer who
 *   was deleted, or is no longer approved, neither pays nor is paid; nor does an internal account that is not `ACTIVE`;
 *   nor is an external account paid that a new quote could not pay, because a proof of its ownership has failed.
 * - `purposeOfPayment` and `remittanceInformation` are accepted and never required.
 * - `senderCustomerInfo` or the payer's record must have the mandatory `requiredCounterpartyFields` of the receiving
 *   currency when a UMA address of this platform is paid. A field that a payer of that type never has is not required;
 *   an empty value does not count.
 * - A payer who must authenticate strongly does so at execution, which first emits `OUTGOING_PAYMENT.PENDING`, as any
 *   execution does; the money must be available, and is not held. One who pays from outside does so at the quote,
 *   before it expires. `immediatelyExecute` returns 201 with the challenge in the quote. A wallet's owner signs first,
 *   and has no invoice.
 * - `scaFactor` of the quote applies if execution names none; without either it is a code by SMS, or else a passkey. If
 *   nobody has to authenticate, it is ignored, whatever its value.
 * - A payment that was executed in time can be authorized after its quote has expired, too, at the quote's price.
 *   Whether its destination is trusted is decided at execution (at the quote, from outside), whatever changes later.
 * - A payment that waits for a challenge fails in the call that deletes its payer, or a customer who is to be paid.
 * - There is no limit to what a payment, or a day, may send unless the scenario sets `limits.transactionSize` or
 *   `limits.dailyVolume`: by sending currency or by corridor. Size is checked at the quote, 400; volume at execution,
 *   429: funds pushed from outside are accepted, and the payment fails with `LIMIT_EXCEEDED`. Days are UTC days of the
 *   virtual clock.
 * - Execution does not check the end-user terms: a consent that let the quote through is never withdrawn.
 */

import { area, on } from '../../declare/area.ts';
import { CUSTOMER_DELETED } from '../customers/index.ts';
import { CHALLENGE_EXPIRED } from '../sca/index.ts';
import { failTowards, failUnauthorized } from './authorize.ts';
import { jobs } from './jobs.ts';
import { MAGIC } from './magic.ts';
import { EXECUTE_REFUSES, QUOTE_REFUSES, routes } from './routes.ts';
import { QUOTE_SECONDS, QUOTES } from './rules.ts';
import { seeds } from './seeds.ts';

export { isUnpaid, quoteExample } from './examples.ts';
export { offer } from './offer.ts';
export type { Quote } from './row.ts';
export { checkExecutable, createQuote, executeQuote, fundQuote, QUOTES, quoteOf, showQuote } from './rules.ts';
export { QuoteRequest, QuoteShape } from './schema.ts';
export { quoteSignature } from './signature.ts';
export { EXECUTE_REFUSES, QUOTE_REFUSES };

export const quotes = area('quotes', {
  magic: MAGIC,
  tables: [QUOTES],
  operations: routes,
  jobs,
  limits: [QUOTE_SECONDS],
  seeds,
  reactions: [on(CHALLENGE_EXPIRED, failUnauthorized), on(CUSTOMER_DELETED, failTowards)],
});
