import { type ErrorCode, fail } from '../../contract/errors.ts';
import type { Shape } from '../../contract/lazy.ts';
import type { Example } from '../../declare/example.ts';
import { type Infer, type Operation, operationsOf, reply } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { CARD_PAYMENTS, type CardPayment } from '../transactions/index.ts';
import { type Authorizing, authorize, inquire } from './authorize.ts';
import { about, asking, authorizedIn, inquiring, returnableIn, unsettledIn } from './examples.ts';
import { clear, giveBack, resize, reverseReturn } from './payments.ts';
import { type Card, cardOf } from './row.ts';
import {
  AdviceRequest,
  AuthorizationRequest,
  ClearingRequest,
  InquiryRequest,
  ReturnRequest,
  ReversalRequest,
  Simulated,
} from './schema.ts';

/** One message of the card network: its name in the path, its contents, and its effect. */
interface Simulator {
  readonly name: string;
  readonly id: string;
  readonly summary: string;
  readonly body: Shape;
  readonly example: Example<'id'>;
  readonly refuses: readonly ErrorCode[];
  /** Applies the message; returns the issuer's token for it. */
  readonly simulate: (world: World, card: Card, body: unknown) => string;
}

/** Refuses a message that does not fit the payment's status: 400 INVALID_INPUT. */
function inState(t: CardPayment, states: readonly CardPayment['status'][]): void {
  if (!states.includes(t.status))
    fail('INVALID_INPUT', `cardTransactionId: ${t.id} is ${t.status}, not ${states.join(' or ')}`, {
      details: { errors: [{ field: 'cardTransactionId', message: `is ${t.status}`, constraint: { enum: states } }] },
      why: { rule: 'reference 4.1', expected: states.join(' or '), seen: t.status },
    });
}

/** Returns a payment of this card. 404 TRANSACTION_NOT_FOUND. */
function paymentOfCard(world: World, card: Card, id: string): CardPayment {
  const t = world.rows(CARD_PAYMENTS).get(id);
  if (t?.type === 'CARD' && t.cardId === card.id) return t;
  return fail('TRANSACTION_NOT_FOUND', `no payment ${id} of card ${card.id}`, {
    why: { rule: 'spec 7, status 404', seen: id },
  });
}

/** Returns an authorization message: it names no payment, and opens one if it is approved. */
const opens = (name: string, id: string, summary: string, how: Authorizing): Simulator => ({
  name,
  id,
  summary,
  body: AuthorizationRequest,
  example: asking,
  refuses: ['INVALID_CURRENCY', 'AMOUNT_OUT_OF_RANGE'],
  simulate: (world, card, body) => authorize(world, card, body as Infer<typeof AuthorizationRequest>, how),
});

/** Returns a message about a payment, which must have one of some statuses. */
const follows = <B extends Shape<Parent>>(
  name: string,
  id: string,
  summary: string,
  body: B,
  example: Example<'id'>,
  { needs, refuses = [] }: { needs: readonly CardPayment['status'][]; refuses?: readonly ErrorCode[] },
  then: (world: World, t: CardPayment, body: Infer<B>) => unknown,
): Simulator => ({
  name,
  id,
  summary,
  body,
  example,
  refuses: ['TRANSACTION_NOT_FOUND', ...refuses],
  simulate: (world, card, sent) => {
    const request = sent as Infer<B>;
    const t = paymentOfCard(world, card, request.cardTransactionId);
    inState(t, needs);
    then(world, t, request);
    return t.issuerTransactionToken;
  },
});
type Parent = ReturnType<typeof ReversalRequest>;

const OPEN = { needs: ['AUTHORIZED', 'PARTIALLY_SETTLED'], refuses: ['AMOUNT_OUT_OF_RANGE'] } as const;

/** The messages of the card network (reference 4.1). */
const SIMULATORS: readonly Simulator[] = [
  opens('authorization', 'sandboxSimulateCardAuthorization', 'Simulate a merchant who requests an authorization', {
    direction: 'DEBIT',
    clears: false,
  }),
  {
    name: 'balance_inquiry',
    id: 'sandboxSimulateCardBalanceInquiry',
    summary: 'Simulate a merchant who checks whether the card works',
    body: InquiryRequest,
    example: inquiring,
    refuses: [],
    simulate: (world, card, body) => inquire(world, card, (body as Infer<typeof InquiryRequest>).merchant.descriptor),
  },
  opens(
    'credit_authorization',
    'sandboxSimulateCardCreditAuthorization',
    'Simulate a merchant who announces a credit',
    {
      direction: 'CREDIT',
      clears: false,
    },
  ),
  opens(
    'financial_authorization',
    'sandboxSimulateCardFinancialAuthorization',
    'Simulate a merchant who charges in one message, as a cash machine does',
    { direction: 'DEBIT', clears: true },
  ),
  opens(
    'financial_credit_authorization',
    'sandboxSimulateCardFinancialCreditAuthorization',
    'Simulate a merchant who pays a credit in one message',
    { direction: 'CREDIT', clears: true },
  ),
  opens(
    'credit_authorization_advice',
    'sandboxSimulateCardCreditAuthorizationAdvice',
    'Simulate a card network that has authorized a credit by itself',
    { direction: 'CREDIT', clears: false },
  ),
  follows(
    'authorization_advice',
    'sandboxSimulateCardAuthorizationAdvice',
    'Simulate a card network that changes the total of an authorization',
    AdviceRequest,
    about('sandboxSimulateCardAuthorization', ['AUTHORIZED', 'PARTIALLY_SETTLED'], (payment) => ({
      amount: authorizedIn(payment),
    })),
    OPEN,
    (world, t, { amount }) => resize(world, t, amount),
  ),
  follows(
    'clearing',
    'sandboxSimulateCardClearing',
    'Simulate a merchant who collects what was authorized, part of it, or more; 0 lets the authorization expire',
    ClearingRequest,
    about('sandboxSimulateCardAuthorization', ['AUTHORIZED', 'PARTIALLY_SETTLED'], (payment) => ({
      amount: unsettledIn(payment),
    })),
    OPEN,
    (world, t, { amount }) => clear(world, t, amount),
  ),
  follows(
    'return',
    'sandboxSimulateCardReturn',
    'Simulate a merchant who refunds a payment',
    ReturnRequest,
    about('sandboxSimulateCardFinancialAuthorization', ['SETTLED', 'PARTIALLY_SETTLED'], (payment) => ({
      amount: returnableIn(payment),
    })),
    { needs: ['PARTIALLY_SETTLED', 'SETTLED'], refuses: ['AMOUNT_OUT_OF_RANGE'] },
    (world, t, { amount }) => giveBack(world, t, amount),
  ),
  follows(
    'return_reversal',
    'sandboxSimulateCardReturnReversal',
    'Simulate a merchant who takes a refund back',
    ReversalRequest,
    about('sandboxSimulateCardReturn', ['REFUNDED']),
    { needs: ['REFUNDED'] },
    (world, t) => reverseReturn(world, t),
  ),
];

const operation = operationsOf('Sandbox', 'TRANSACT');

/** The operations that simulate the card network. */
export const simulators: readonly Operation[] = SIMULATORS.map(
  ({ name, id, summary, body, example, refuses, simulate }) =>
    operation({
      id,
      endpoint: `POST /sandbox/cards/{id}/simulate/${name}` as 'POST /sandbox/cards/{id}/simulate',
      summary,
      body,
      example,
      replies: { 202: Simulated },
      refuses: ['REFERENCE_NOT_FOUND', ...refuses],
      load: ({ world, params }) => cardOf(world, params.id),
      write: ({ world, body: sent }, card) => reply(202, { issuerTransactionToken: simulate(world, card, sent) }),
    }),
);
