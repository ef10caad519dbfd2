import { ENDS, type End } from './ends.ts';
import type { ThingName } from './under-way.ts';

/** What becomes of one thing under way, by what ended before its next step. */
export type Row = Readonly<Record<End, string>>;

/** A cell that cannot exist begins so, and says why; the end is then refused. */
export const NEVER = '— ';

/** The ends that need something which only one thing opens. */
const ALONE: Partial<Record<End, string>> = {
  'hosted link used': '— no link open',
  'invitation cancelled': '— no invitation open',
  'document deleted': '— no document held',
};

/** Every cell of a thing: what comes of it when nothing ends, and in any cell that does not say otherwise. */
const row = (untouched: string, ends: Partial<Record<End, string>> = {}): Row =>
  ({ ...Object.fromEntries(Object.keys(ENDS).map((end) => [end, untouched])), ...ALONE, ...ends }) as Row;

/** Everything under way against everything that ends (docs/ends.md). */
export const OUTCOMES: Readonly<Record<ThingName, Row>> = {
  'a payout on its way': row('COMPLETED, −10'),
  'a payout that a bank returns': row('FAILED PAYOUT_RETURNED, nothing moved'),
  'a payout whose refund is on its way': row('FAILED ACCOUNT_CANNOT_RECEIVE, nothing moved'),
  'a payout whose return is on its way': row('FAILED PAYOUT_RETURNED, nothing moved'),
  'a payout on a chain whose hash is awaited': row('COMPLETED, −10, with its hash'),
  'a payout that is sent again with its key': row('the first answer: COMPLETED, −10'),
  'a collection on its way': row('COMPLETED, +10'),
  'a quote that nobody executed': row('COMPLETED, −10', {
    'customer deleted': '404 USER_NOT_FOUND',
    'customer under review': '403 USER_NOT_READY',
    'customer rejected': '403 USER_NOT_READY',
    'bank account deleted': 'PENDING_AUTHORIZATION, nothing moved',
    'trust ended': 'PENDING_AUTHORIZATION, nothing moved',
    'five minutes are over': '409 CONFLICT',
    'internal accounts closed': '400 INVALID_INPUT',
  }),
  'a quote of the wallet that nobody executed': row('COMPLETED, +9.95', {
    'session revoked': '401 WALLET_SIGNATURE_INVALID',
    'session expired': '401 WALLET_SIGNATURE_INVALID',
    'credential revoked': '401 WALLET_SIGNATURE_INVALID',
    'customer deleted': '404 USER_NOT_FOUND',
    'customer under review': '403 USER_NOT_READY',
    'customer rejected': '403 USER_NOT_READY',
    'SCA login ended': '409 SCA_SESSION_REQUIRED: PENDING_AUTHORIZATION, nothing moved',
    'five minutes are over': '409 CONFLICT',
    'internal accounts closed': '400 INVALID_INPUT',
  }),
  'a payment of the wallet, signed, that waits for its proof': row('COMPLETED, +9.95', {
    'customer deleted': '404 USER_NOT_FOUND: FAILED SCA_NOT_COMPLETED, nothing moved',
    'customer under review': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'customer rejected': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'SCA login ended': '409 SCA_SESSION_REQUIRED: PENDING_AUTHORIZATION, nothing moved',
    'five minutes are over': '409 CONFLICT: FAILED SCA_NOT_COMPLETED, nothing moved',
    'internal accounts closed': '400 INVALID_INPUT: PENDING_AUTHORIZATION, nothing moved',
  }),
  'a quote that waits for its funds': row('COMPLETED, +10', {
    'customer deleted': '404 USER_NOT_FOUND',
    'customer under review': '403 USER_NOT_READY',
    'customer rejected': '403 USER_NOT_READY',
    'payee deleted': '404 USER_NOT_FOUND',
    'five minutes are over': '409 CONFLICT',
    'internal accounts closed': '400 INVALID_INPUT',
  }),
  'a payment that waits for its proof': row('COMPLETED, −10', {
    'customer deleted': '404 USER_NOT_FOUND: FAILED SCA_NOT_COMPLETED, nothing moved',
    'customer under review': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'customer rejected': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'SCA login ended': '409 SCA_SESSION_REQUIRED: PENDING_AUTHORIZATION, nothing moved',
    'five minutes are over': '409 CONFLICT: FAILED SCA_NOT_COMPLETED, nothing moved',
    'internal accounts closed': '400 INVALID_INPUT: PENDING_AUTHORIZATION, nothing moved',
  }),
  'a payment that waits for a passkey': row('COMPLETED, −10', {
    'customer deleted': '404 USER_NOT_FOUND: FAILED SCA_NOT_COMPLETED, nothing moved',
    'customer under review': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'customer rejected': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'SCA factor removed': '400 INVALID_INPUT: PENDING_AUTHORIZATION, nothing moved',
    'SCA login ended': '409 SCA_SESSION_REQUIRED: PENDING_AUTHORIZATION, nothing moved',
    'five minutes are over': '409 CONFLICT: FAILED SCA_NOT_COMPLETED, nothing moved',
    'internal accounts closed': '400 INVALID_INPUT: PENDING_AUTHORIZATION, nothing moved',
  }),
  'a payment to somebody who waits for a proof of the payer': row('COMPLETED, −10', {
    'customer deleted': '404 USER_NOT_FOUND: FAILED SCA_NOT_COMPLETED, nothing moved',
    'customer under review': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'customer rejected': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'payee deleted': '409 CONFLICT: FAILED SCA_NOT_COMPLETED, nothing moved',
    'SCA login ended': '409 SCA_SESSION_REQUIRED: PENDING_AUTHORIZATION, nothing moved',
    'five minutes are over': '409 CONFLICT: FAILED SCA_NOT_COMPLETED, nothing moved',
    'internal accounts closed': '400 INVALID_INPUT: PENDING_AUTHORIZATION, nothing moved',
  }),
  'a payment between customers on its way': row('COMPLETED, −10; Bo +10'),
  'a payment to the UMA address of a customer on its way': row('COMPLETED, −10; Bo +10', {
    'payee deleted': 'FAILED QUOTE_EXECUTION_FAILED, nothing moved; Bo +0',
  }),
  'an incoming payment that waits for approval': row('COMPLETED, +10', {
    'session expired':
      '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'customer deleted': '404 USER_NOT_FOUND: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'customer under review': '403 USER_NOT_READY: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'customer rejected': '403 USER_NOT_READY: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'five minutes are over':
      '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'internal accounts closed': '400 INVALID_INPUT: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
  }),
  'an incoming payment for a chosen bank account that waits for approval': row('COMPLETED, nothing moved', {
    'session expired':
      '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'customer deleted': '404 USER_NOT_FOUND: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'customer under review': '403 USER_NOT_READY: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'customer rejected': '403 USER_NOT_READY: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'five minutes are over':
      '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: FAILED PAYMENT_APPROVAL_TIMED_OUT, nothing moved',
    'bank account deleted': 'COMPLETED, +10',
  }),
  'a hold on a card, cleared': row('SETTLED, 10 paid'),
  'a hold on a card, cleared for more': row('SETTLED, 15 paid', { 'internal accounts closed': 'EXCEPTION, 10 paid' }),
  'a hold on a card that nobody clears': row('SETTLED, nothing paid'),
  'a pull on its way': row('AUTHORIZED, 10 paid'),
  'a return of a card payment': row('REFUNDED, nothing paid'),
  'a return that is reversed': row('SETTLED, 10 paid', { 'internal accounts closed': 'EXCEPTION, nothing paid' }),
  'a card that is used again': row('AUTHORIZED, 10 paid', {
    'card frozen': 'declined',
    'card closed': 'declined',
    'card closed by the service': 'declined',
    'customer deleted': 'declined',
    'customer under review': 'declined',
    'customer rejected': 'declined',
    'internal accounts closed': 'declined',
  }),
  "a hold on a wallet's card, cleared": row('SETTLED, 10 paid'),
  "a hold on a wallet's card, cleared for more": row('SETTLED, 15 paid', {
    'delegated key revoked': 'EXCEPTION, 10 paid',
    'customer deleted': 'SETTLED, 10 paid',
    'internal accounts closed': 'EXCEPTION, 10 paid',
  }),
  "a hold on a wallet's card, raised": row('AUTHORIZED, 15 paid', {
    'delegated key revoked': 'AUTHORIZED, 10 paid',
    'customer deleted': 'AUTHORIZED, 10 paid',
    'internal accounts closed': 'AUTHORIZED, 10 paid',
  }),
  'a pull from a wallet on its way': row('AUTHORIZED, 10 paid'),
  'a return to a wallet that is reversed': row('SETTLED, 10 paid', {
    'delegated key revoked': 'EXCEPTION, nothing paid',
    'customer deleted': 'EXCEPTION, nothing paid',
    'internal accounts closed': 'EXCEPTION, nothing paid',
  }),
  "a wallet's card that is used again": row('AUTHORIZED, 10 paid', {
    'card frozen': 'declined',
    'card closed': 'declined',
    'card closed by the service': 'declined',
    'delegated key revoked': 'declined',
    'customer deleted': 'declined',
    'customer under review': 'declined',
    'customer rejected': 'declined',
    'internal accounts closed': 'declined',
  }),
  "a change of a wallet's privacy": row('200', {
    'session revoked': '401 WALLET_SIGNATURE_INVALID',
    'session expired': '401 WALLET_SIGNATURE_INVALID',
    'credential revoked': '401 WALLET_SIGNATURE_INVALID',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '401 UNAUTHORIZED',
  }),
  'an export of a wallet': row('200', {
    'session revoked': '401 WALLET_SIGNATURE_INVALID',
    'session expired': '401 WALLET_SIGNATURE_INVALID',
    'credential revoked': '401 WALLET_SIGNATURE_INVALID',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '401 UNAUTHORIZED',
  }),
  'a change of a tied email': row('200', {
    'session revoked': '401 WALLET_SIGNATURE_INVALID',
    'session expired': '401 WALLET_SIGNATURE_INVALID',
    'credential revoked': '401 WALLET_SIGNATURE_INVALID',
    'customer deleted': '404 USER_NOT_FOUND',
    'five minutes are over': '401 UNAUTHORIZED',
  }),
  'a refresh of a session': row('201', {
    'session revoked': '401 UNAUTHORIZED',
    'session expired': '401 UNAUTHORIZED',
    'credential revoked': '401 UNAUTHORIZED',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '401 UNAUTHORIZED',
  }),
  'a delegated key, first leg': row('202', {
    'session revoked': '401 WALLET_SIGNATURE_INVALID',
    'session expired': '401 WALLET_SIGNATURE_INVALID',
    'credential revoked': '401 WALLET_SIGNATURE_INVALID',
    'card closed': '404 REFERENCE_NOT_FOUND',
    'card closed by the service': '404 REFERENCE_NOT_FOUND',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '401 UNAUTHORIZED',
  }),
  'a delegated key, second leg': row('201', {
    'session revoked': '401 WALLET_SIGNATURE_INVALID',
    'session expired': '401 WALLET_SIGNATURE_INVALID',
    'credential revoked': '401 WALLET_SIGNATURE_INVALID',
    'card closed': '404 REFERENCE_NOT_FOUND',
    'card closed by the service': '404 REFERENCE_NOT_FOUND',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '401 UNAUTHORIZED',
  }),
  'a code that was sent to log in': row('202', {
    'credential revoked': '404 REFERENCE_NOT_FOUND',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '401 UNAUTHORIZED',
  }),
  'trust that waits for its proof': row('200', {
    'customer deleted': '404 USER_NOT_FOUND',
    'bank account deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '400 INVALID_INPUT',
  }),
  'the end of trust that waits for its proof': row('200', {
    'customer deleted': '404 USER_NOT_FOUND',
    'bank account deleted': '404 REFERENCE_NOT_FOUND',
    'trust ended': '400 INVALID_INPUT',
    'five minutes are over': '400 INVALID_INPUT',
  }),
  'a login with strong authentication': row('200', {
    'customer deleted': '404 USER_NOT_FOUND',
    'five minutes are over': '400 INVALID_INPUT',
  }),
  'an enrolment of an authenticator app': row('200', {
    'customer deleted': '404 USER_NOT_FOUND',
    'five minutes are over': '400 INVALID_INPUT',
  }),
  'a reset of a lost passkey': row('204', { 'customer deleted': '404 USER_NOT_FOUND' }),
  'an order of an agent that waits for approval': row('APPROVED: COMPLETED, −10', {
    'agent paused': 'FAILED',
    'agent deleted': '404 REFERENCE_NOT_FOUND',
    'device code replaced': '— agent is connected',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'customer under review': 'FAILED',
    'customer rejected': 'FAILED',
    'bank account deleted': 'FAILED',
    'internal accounts closed': 'FAILED',
  }),
  'a quote of an agent that waits for approval': row('APPROVED, PENDING_AUTHORIZATION', {
    'agent paused': 'FAILED',
    'agent deleted': '404 REFERENCE_NOT_FOUND',
    'device code replaced': '— agent is connected',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
    'customer under review': 'FAILED',
    'customer rejected': 'FAILED',
    'five minutes are over': 'FAILED',
    'internal accounts closed': 'FAILED',
  }),
  'a payout of an agent on its way': row('COMPLETED, −10', { 'device code replaced': '— agent is connected' }),
  'a payment of an agent that waits for its proof': row('COMPLETED, −10', {
    'device code replaced': '— agent is connected',
    'customer deleted': '404 USER_NOT_FOUND: FAILED SCA_NOT_COMPLETED, nothing moved',
    'customer under review': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'customer rejected': '403 USER_NOT_READY: PENDING_AUTHORIZATION, nothing moved',
    'SCA login ended': '409 SCA_SESSION_REQUIRED: PENDING_AUTHORIZATION, nothing moved',
    'five minutes are over': '409 CONFLICT: FAILED SCA_NOT_COMPLETED, nothing moved',
    'internal accounts closed': '400 INVALID_INPUT: PENDING_AUTHORIZATION, nothing moved',
  }),
  'a device code that nobody redeemed': row('200', {
    'agent deleted': '404 REFERENCE_NOT_FOUND',
    'device code replaced': '404 REFERENCE_NOT_FOUND',
    'customer deleted': '404 REFERENCE_NOT_FOUND',
  }),
  'a connected agent': row('reads 200, pays 201 PENDING_APPROVAL', {
    'agent paused': 'reads 200, pays 403 FORBIDDEN',
    'agent deleted': 'reads 401 UNAUTHORIZED, pays 401 UNAUTHORIZED',
    'device code replaced': '— agent is connected',
    'customer deleted': 'reads 401 UNAUTHORIZED, pays 401 UNAUTHORIZED',
    'customer under review': 'reads 200, pays 403 USER_NOT_READY',
    'customer rejected': 'reads 200, pays 403 USER_NOT_READY',
    'bank account deleted': 'reads 200, pays 404 REFERENCE_NOT_FOUND',
    'internal accounts closed': 'reads 200, pays 400 INVALID_INPUT',
  }),
  'a decision on a customer': row('APPROVED', { 'applicant deleted': 'no decision' }),
  'a review': row('APPROVED', { 'applicant deleted': 'PENDING', 'document deleted': '— document is submitted' }),
  'a passport that is not submitted yet': row('200 IN_PROGRESS', {
    'applicant deleted': '404 USER_NOT_FOUND',
    'document deleted': '200 RESOLVE_ERRORS',
  }),
  'a hosted link': row('200, sent 200', { 'applicant deleted': '410, sent 410', 'hosted link used': '410, sent 410' }),
  'a code that was sent to verify an email': row('200', { 'applicant deleted': '404 USER_NOT_FOUND' }),
  'an invitation': row('200 CLAIMED', {
    'customer deleted': '400 INVITATION_CANCELLED',
    'invitation cancelled': '400 INVITATION_CANCELLED',
  }),
  'an import of a file': row('COMPLETED, 1 of 1'),
  'a bank account that is not open yet': row('200 ACTIVE', {
    'customer deleted': '200 PENDING',
    'bank account deleted': '404 REFERENCE_NOT_FOUND',
  }),
  'a wallet elsewhere whose owner proves it is theirs': row('200 ACTIVE', {
    'customer deleted': '200 PENDING_OWNERSHIP_VERIFICATION',
    'bank account deleted': '404 REFERENCE_NOT_FOUND',
  }),
  'a wallet elsewhere whose owner signs that it is theirs': row('200 ACTIVE', {
    'customer deleted': '404 USER_NOT_FOUND',
    'bank account deleted': '404 REFERENCE_NOT_FOUND',
    'five minutes are over': '400 INVALID_INPUT',
  }),
  'a card that is being made': row('200 ACTIVE', {
    'card frozen': '— card is PROCESSING',
    'card closed': '— card is PROCESSING',
    'card closed by the service': '200 CLOSED',
    'customer deleted': '200 CLOSED',
  }),
  'a mint that waits for its funds': row('COMPLETED'),
  'a mint for a customer that waits for its funds': row('COMPLETED', { 'internal accounts closed': 'FAILED' }),
  'a mint that is debited': row('COMPLETED'),
  'a coin that is registered': row('200 PROVISIONED'),
  'a link to a provider that is checked': row('200 INVALID'),
  'a call that is replayed': row('replayed: 201', {
    'API token deleted': 'replayed: 401',
    'customer deleted': 'replayed: 404',
    'customer under review': 'replayed: 403',
    'customer rejected': 'replayed: 403',
    'bank account deleted': 'replayed: 404',
    'internal accounts closed': 'replayed: 400',
  }),
  'a call whose body is still coming': row('COMPLETED, −10', {
    'API token deleted': '401 UNAUTHORIZED',
    'customer deleted': '404 USER_NOT_FOUND',
    'customer under review': '403 USER_NOT_READY',
    'customer rejected': '403 USER_NOT_READY',
    'bank account deleted': '404 REFERENCE_NOT_FOUND',
    'internal accounts closed': '400 INVALID_INPUT',
  }),
  'a call that is recorded': row('200'),
  'a webhook that is held': row('PENDING, tried on'),
  'a webhook that is tried again': row('PENDING, tried on'),
};

/** Where profile `grid` has other words or rules. */
export const OUTCOMES_OF_GRID: Readonly<Partial<Record<ThingName, Partial<Row>>>> = {};
