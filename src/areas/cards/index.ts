/**
 * Cards, the card network that a sandbox simulates, and card payments.
 * Chosen where the specification is silent or contradicts itself:
 * - Cards are in USD or USDB. An authorization is in the currency of the card, or in USD for a card in USDB, worth the
 *   same with other decimals; any other is 400 `INVALID_CURRENCY`, as nothing is exchanged. Totals of the summaries,
 *   and `maxSpendPerTransaction`, are in the currency of the account that pays, which is the card's.
 * - A `platformCardId` may be reused. An account that is named twice is 400 `INVALID_INPUT`.
 * - Ids that the sandbox draws never count as magic values, whatever their ending: only ids that a scenario pins do.
 * - The address of a reveal leads nowhere: its host does not exist. Each reveal is recorded with the token of its
 *   request.
 * - `threeDSecurePassword` is for cardholders in the EU, by `region` or else the country of the address; for others it
 *   is dropped.
 * - Messages of the network are applied before the 202; events follow it. A decline leaves a sentence in the request
 *   log.
 * - The merchant suffixes `005` and `006` concern a pull, so they mean nothing for a credit. `002` and `003` decline
 *   it.
 * - A pull is confirmed right after its authorization, unless the policy `card.pull` or a suffix says otherwise; until
 *   then its money is held. A failed pull releases it, and makes the payment an `EXCEPTION`, which is final.
 * - What is not cleared is released by a clearing of 0, an advice, or the end of `limits.cardHoldSeconds`; this lessens
 *   the pull: `pullSummary.totalAmount` is what the account has paid.
 * - An advice that is not covered is an `EXCEPTION`, like a clearing; an advice down to the cleared amount completes
 *   the payment.
 * - A return is possible from the first clearing on; before the last clearing it does not change the status. The
 *   settled amount of an `EXCEPTION` or a credit cannot be returned. A reversal reverses all returns, or is an
 *   `EXCEPTION` if the account does not cover it.
 * - A cardholder who is under review again or rejected cannot pay by card; earlier authorizations continue.
 * - A closed card accepts clearings, advices, returns and reversals of earlier authorizations; only new authorizations
 *   are declined. The service bears a pull after the first that fails then; it is not an `EXCEPTION`. Deleting a
 *   customer closes that customer's cards, `CLOSED_BY_SERVICE`.
 * - Every pull needs an `ACTIVE` account, and for a wallet an `ACTIVE` key, at its own time. Without one, a clearing
 *   above the hold fails, an advice to more is declined, a reversal is an `EXCEPTION`. Held money was pulled in time.
 * - Another card's payment is 404 `TRANSACTION_NOT_FOUND`, and so is a transaction that is not a card payment.
 */

import { area, on } from '../../declare/area.ts';
import { CUSTOMER_DELETED } from '../customers/index.ts';
import { CardTransactionShape } from '../transactions/index.ts';
import { cardLines } from './books.ts';
import { decisions } from './decisions.ts';
import { AFTER_OTHER_SOURCES, AFTER_PAYMENTS } from './examples.ts';
import { jobs } from './jobs.ts';
import { CARD_HOLD, CARD_REVEAL } from './limits.ts';
import { CARD, PAYMENT } from './machine.ts';
import { MAGIC } from './magic.ts';
import { routes } from './routes.ts';
import { CARDS, REVEALS, SOURCES } from './row.ts';
import { closeAll } from './rules.ts';
import { CardShape } from './schema.ts';
import { seeds } from './seeds.ts';

export { bindDelegatedKey, fundingSourceOf, fundingSourcesOf } from './funding.ts';
export { CARDS, type Card, cardOf, type FundingSource, SOURCES } from './row.ts';
export { issuePastCard, payByPastCard } from './seeds.ts';

export const cards = area('cards', {
  machines: [CARD, PAYMENT],
  magic: MAGIC,
  tables: [CARDS, SOURCES, REVEALS],
  operations: routes,
  jobs,
  seeds,
  decisions,
  ledgerRules: [cardLines],
  limits: [CARD_HOLD, CARD_REVEAL],
  events: [
    {
      name: 'card-state-change',
      summary: 'A card was activated, rejected, frozen, unfrozen or closed',
      types: ['CARD.STATE_CHANGE'],
      data: CardShape,
      after: { 'CARD.STATE_CHANGE': ['createCard'] },
    },
    {
      name: 'card-funding-source-change',
      summary: 'Other accounts pay for a card',
      types: ['CARD.FUNDING_SOURCE_CHANGE'],
      data: CardShape,
      after: { 'CARD.FUNDING_SOURCE_CHANGE': AFTER_OTHER_SOURCES },
    },
    {
      name: 'card-transaction',
      summary: 'A payment by card moved on',
      types: [
        'CARD_TRANSACTION.AUTHORIZED',
        'CARD_TRANSACTION.PARTIALLY_SETTLED',
        'CARD_TRANSACTION.SETTLED',
        'CARD_TRANSACTION.REFUNDED',
        'CARD_TRANSACTION.EXCEPTION',
      ],
      data: CardTransactionShape,
      after: AFTER_PAYMENTS,
    },
  ],
  rules: [
    {
      place: 'reference 3.1',
      about: 'Cards',
      says: 'A card needs an approved cardholder, and accounts of that cardholder in one currency that cards can be in. Each look at its number is recorded.',
    },
    {
      place: 'reference 3.2',
      about: 'Cards',
      says: 'A password for 3-D Secure is for cards issued in the EU.',
    },
    {
      place: 'reference 3.4',
      about: 'Cards',
      says: 'A card is frozen, unfrozen and closed; closed is the end, together with nothing else, and nothing of a closed card changes.',
    },
    {
      place: 'reference 4.1',
      about: 'Cards',
      says: 'Clearings and advices are about an open authorization, returns about what has cleared and is not returned, a reversal about a payment that is refunded.',
    },
    {
      place: 'reference 4.2',
      about: 'Cards',
      says: 'A card pays in its own currency; one in USDB pays in dollars as well.',
    },
    {
      place: 'reference 4.4',
      about: 'Cards',
      says: 'Each authorization pulls its money from the account; more is pulled when more is cleared.',
    },
  ],
  reactions: [on(CUSTOMER_DELETED, closeAll)],
});
