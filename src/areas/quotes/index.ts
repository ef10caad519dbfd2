/**
 * Quotes: a price that holds for a while, and its execution.
 *
 * Chosen where the specification is silent or says two things:
 * - A quote's status is its transaction's; the payment has a row from the quote on, and no event until it is executed.
 * - The service takes 0.5 % between currencies, nothing within one. The exchange rate is net of fees, sending units for one receiving unit.
 * - Quotes hold for 5 virtual minutes (`limits.quoteSeconds`). Too late or a second time: 409 `CONFLICT`, with
 *   `details.reason` `QUOTE_EXPIRED` or `QUOTE_ALREADY_EXECUTED`.
 * - Too little balance is refused at execution, for wallets too, 400 `INSUFFICIENT_BALANCE`; the quote stays valid.
 * - An embedded wallet signs the payload of the quote: in two calls (spec 5.4), or in one without `Request-Id`; profile
 *   `grid` knows the one call only.
 * - A bank account as source is collected from at execution; money from a wallet outside, like real-time funding, has
 *   to come first and executes by itself. `immediatelyExecute` is for the former and for internal accounts. In profile
 *   `grid` a bank's money has to come first, too: executing such a quote is 400, and `/sandbox/send` pays it. Any quote whose money has
 *   to come first says in `paymentInstructions` where to.
 * - Crypto that arrived in real time is refunded to the owner's internal account of that currency, fiat to who sent it.
 * - An internal account of another customer may be paid, their external account may not (docs/payments.md).
 * - UMA: an address without a receiver is 400 `INVALID_RECEIVER`. A customer of this platform gets an incoming
 *   payment of their own, on execution, and this one ends as that does.
 * - A quote keeps its price and its ends: an external account that was deleted since is paid all the same; a customer who
 *   was deleted, or is not approved any more, neither pays nor is paid; nor does an internal account that is not `ACTIVE`;
 *   nor is an external one paid that a new quote could not pay, because a proof of its ownership failed since.
 * - `purposeOfPayment` and `remittanceInformation` are accepted and never required.
 * - `senderCustomerInfo` or the payer's record must hold the mandatory `requiredCounterpartyFields` of the receiving currency where a UMA
 *   address of this platform is paid. A field that a payer of that type never has is not wanted; an empty value is none.
 * - A payer who has to authenticate strongly has to do so at execution, which first tells `OUTGOING_PAYMENT.PENDING`, as any execution
 *   does; the money has to be there, and is not held. One who pays from outside has to do so at the quote, and has until its end.
 *   `immediatelyExecute` answers 201 with the challenge in the quote. A wallet's owner signs first, and has no invoice.
 * - `scaFactor` of the quote stands where execution names none; without either it is a code by SMS, or else a passkey. Where nobody
 *   has to authenticate it is ignored, whatever it says.
 * - A payment that was executed in time is authorized after the end of its quote, too, and paid at its price. Whether its
 *   destination is trusted has to do so at execution (at the quote, from outside), whatever changes then.
 * - A payment that waits for a challenge fails in the call that deletes its payer, or a customer who is to be paid.
 * - There is no limit to what a payment, or a day, may send unless the scenario sets `limits.transactionSize` or
 *   `limits.dailyVolume`: by sending currency or by corridor. Size is checked at the quote, 400; volume at execution, 429:
 *   funds pushed from outside are taken, and the payment fails with `LIMIT_EXCEEDED`. Days are UTC days of the virtual clock.
 * - Not refused for the end-user terms at execution: a consent that let the quote through is never taken back.
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
