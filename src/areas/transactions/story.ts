import { CURRENCIES, moneyText, powerOfTen } from '../../contract/money.ts';
import type { Moment, Party, Picture, Stage } from '../../engine/story.ts';
import type { World } from '../../engine/world.ts';
import { POSTINGS, type Posting } from '../../ledger/ledger.ts';
import { EXTERNAL_ACCOUNTS } from '../external-accounts/index.ts';
import { pulled } from './card-money.ts';
import { kindOf, PLANS, type Step } from './plans.ts';
import { type AnyTransaction, type CardPayment, pricedAt, type Side, type Transaction } from './row-shape.ts';

const words = (code: string): string => code.replaceAll('_', ' ').toLowerCase();
/** The names of a payment's postings in its timeline, with the events that belong to them. */
const POSTED: Readonly<Record<string, Pick<Moment, 'what' | 'tone' | 'events'>>> = {
  debit: { what: 'Debited', events: ['PENDING', ''] },
  settlement: { what: 'Settled', tone: 'good', events: ['COMPLETED'] },
  credit: { what: 'Credited', tone: 'good', events: ['COMPLETED'] },
  refund: { what: 'Refunded', tone: 'warn', events: ['REFUND_COMPLETED'] },
  'card hold': { what: 'Held', tone: 'warn', events: ['AUTHORIZED'] },
  'card pull': { what: 'Pulled', tone: 'good' },
  'card pull failed': { what: 'Pull failed', tone: 'bad', events: ['EXCEPTION'] },
  'card release': { what: 'Released' },
  'card credit': { what: 'Credited', tone: 'good', events: ['SETTLED'] },
  'card return': { what: 'Returned', tone: 'warn', events: ['REFUNDED'] },
  'card return reversed': { what: 'Return reversed', tone: 'warn' },
};

/** Returns how much a posting moved from the reader's view: what left the payer, or what arrived in the end. */
function movedBy({ reason, lines }: Posting, t: AnyTransaction): string | undefined {
  const [party, sign] =
    t.type === 'CARD'
      ? [t.accountId, undefined]
      : reason === 'debit'
        ? [t.payer, -1]
        : [reason === 'refund' ? t.refundTo : t.payee, 1];
  const line = lines.find(({ account, amount }) => account === party && (sign === undefined || amount * sign > 0));
  return line && moneyText(Math.abs(line.amount), line.currency);
}

const posted = (world: World, t: AnyTransaction): Moment[] =>
  world
    .rows(POSTINGS)
    .all('cause', t.id)
    .map((posting) => ({
      at: posting.at,
      detail: movedBy(posting, t),
      about: posting.id,
      ...(POSTED[posting.reason] ?? { what: posting.reason }),
    }));

const DOES: Readonly<Record<string, string>> = {
  process: 'Goes to processing',
  complete: 'Completes',
  fail: 'Fails',
  return: 'Is returned by the bank',
  refund: 'Refund begins',
  refunded: 'Refund arrives',
  'refund failed': 'Refund fails',
};

/** Returns what is planned for a payment and still pending. */
const toCome = (t: Transaction): Moment[] =>
  isOver(t) && t.refund?.status !== 'PENDING' && !(t.plan && PLANS[t.plan].steps[t.at]?.on === 'return')
    ? []
    : (t.plan ? PLANS[t.plan].steps.slice(t.at) : []).map((step: Step, i) => ({
        what: DOES[step.on] ?? step.on,
        tone: step.on === 'fail' || step.on === 'return' ? ('bad' as const) : undefined,
        detail: step.reason && words(step.reason),
        due: i === 0 ? kindOf(step) : true,
      }));

const isOver = ({ status }: Transaction): boolean =>
  !['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'].includes(status);

/** Returns how a payment began: with a quote, the announcement of money, or the order to move it. */
function beginning(t: Transaction): Moment {
  const [sent, received] = [pricedAt(t), t.received].map(({ amount, currency }) => moneyText(amount, currency));
  const amounts = sent === received ? sent : `${sent} for ${received}`;
  if (t.quoteId !== undefined && t.type === 'OUTGOING')
    return { at: t.createdAt, what: 'Quoted', detail: amounts, about: t.quoteId };
  if (t.type === 'OUTGOING') return { at: t.createdAt, what: 'Created', detail: amounts };
  const what = t.approval || t.source.kind === 'UMA_ADDRESS' ? 'Announced' : 'Expected';
  return {
    at: t.createdAt,
    what,
    detail: moneyText(t.received.amount, t.received.currency),
    events: ['PENDING'],
  };
}

const ENDS: Readonly<Record<string, { what: string; event: string }>> = {
  FAILED: { what: 'Failed', event: 'FAILED' },
  REJECTED: { what: 'Rejected', event: 'FAILED' },
  EXPIRED: { what: 'Expired', event: 'EXPIRED' },
};

/** Yields what no posting of a payment shows: that it failed, and the progress of its refund. */
function* endings(t: Transaction): Generator<Moment> {
  const end = ENDS[t.status];
  if (end)
    yield {
      at: t.refund?.initiatedAt ?? t.updatedAt,
      loose: true,
      what: end.what,
      tone: 'bad',
      detail: t.failureReason && words(t.failureReason),
      events: [end.event],
    };
  const { refund } = t;
  if (!refund) return;
  yield {
    at: refund.initiatedAt,
    what: 'Refund begins',
    tone: 'warn',
    detail: words(refund.reason),
    events: ['REFUND_PENDING'],
  };
  if (refund.status === 'FAILED')
    yield { at: t.updatedAt, loose: true, what: 'Refund failed', tone: 'bad', events: ['REFUND_FAILED'] };
}

/** Returns the timeline of a payment, with what is pending. */
export function transactionStory(t: AnyTransaction, world: World): Moment[] {
  if (t.type === 'CARD') return cardStory(t, world);
  const all = posted(world, t);
  const refunded = all.findIndex(({ what }) => what === 'Refunded');
  const before = refunded < 0 ? all : all.slice(0, refunded);
  return [
    beginning(t),
    ...(t.approval && t.status === 'PENDING'
      ? [{ what: 'Waits for the answer of the platform', due: true as const }]
      : []),
    ...before,
    ...endings(t),
    ...(refunded < 0 ? [] : all.slice(refunded)),
    ...(t.receiptDeliveryConfirmedAt ? [{ at: t.receiptDeliveryConfirmedAt, what: 'Receipt confirmed' }] : []),
    ...toCome(t),
  ];
}

/** The calls that begin a card payment, made by a merchant or the card network. */
const OPENINGS = [
  'sandboxSimulateCardAuthorization',
  'sandboxSimulateCardCreditAuthorization',
  'sandboxSimulateCardFinancialAuthorization',
  'sandboxSimulateCardFinancialCreditAuthorization',
  'sandboxSimulateCardCreditAuthorizationAdvice',
];

function cardStory(t: CardPayment, world: World): Moment[] {
  const [first, ...rest] = posted(world, t);
  const authorized: Moment = {
    at: t.createdAt,
    what: 'Authorized',
    detail: `${moneyText(t.authorized, t.currency)} at ${t.merchant.descriptor}`,
    events: ['AUTHORIZED'],
    by: OPENINGS,
    replied: t.issuerTransactionToken,
  };
  const failed: Moment = {
    at: t.updatedAt,
    loose: true,
    what: 'Became an exception',
    tone: 'bad',
    events: ['EXCEPTION'],
  };
  const cleared: Moment = {
    at: t.lastEventAt ?? t.updatedAt,
    loose: true,
    what: t.settled < t.authorized ? 'Cleared in part' : 'Cleared',
    tone: 'good',
    detail: `${moneyText(t.settled, t.currency)} of ${moneyText(t.authorized, t.currency)}`,
    events: ['PARTIALLY_SETTLED', 'SETTLED'],
  };
  const open = t.status === 'AUTHORIZED' || t.status === 'PARTIALLY_SETTLED';
  return [
    authorized,
    ...(first ? [first] : []),
    ...rest,
    ...(t.settled > 0 ? [cleared] : []),
    ...(t.status === 'EXCEPTION' ? [failed] : []),
    ...(open
      ? [
          {
            what: t.settled > 0 ? 'The rest is cleared, or released' : 'It is cleared, or its money is released',
            due: 'card.hold',
          },
        ]
      : []),
  ];
}

/** Returns the name of the person or business that owns an external account. */
function beneficiaryOf(world: World, id: string): string | undefined {
  const { beneficiary } = (world.rows(EXTERNAL_ACCOUNTS).get(id)?.accountInfo ?? {}) as { beneficiary?: unknown };
  const { fullName, legalName } = (beneficiary ?? {}) as { fullName?: string; legalName?: string };
  return fullName ?? legalName;
}

function partyOf(world: World, side: Side, owner: string | undefined, money: Party['money']): Party {
  if (side.kind === 'UMA_ADDRESS') return { name: side.umaAddress, owner, money };
  if (side.kind === 'REALTIME_FUNDING') return { name: 'Money sent from outside', money };
  return { account: side.accountId, name: beneficiaryOf(world, side.accountId), owner, money };
}

/** Returns a rate such as `1 USD = 17.9 MXN`, without fees; the more valuable currency comes first, for readability. */
function rateText(t: Transaction): string | undefined {
  const { received, fees } = t;
  const sent = pricedAt(t);
  const major = ({ amount, currency }: { amount: number; currency: string }) =>
    amount / powerOfTen(CURRENCIES.get(currency)?.decimals ?? 0);
  const [from, to] = [major({ ...sent, amount: sent.amount - fees }), major(received)];
  if (sent.currency === received.currency || from <= 0 || to <= 0) return undefined;
  const text = (n: number) => n.toLocaleString('en-US', { maximumSignificantDigits: 6 });
  return to >= from
    ? `1 ${sent.currency} = ${text(to / from)} ${received.currency}`
    : `1 ${received.currency} = ${text(from / to)} ${sent.currency}`;
}

function between(t: Transaction): string[] {
  const ours = t.platformFees > 0 ? `, ${moneyText(t.platformFees, t.sent.currency)} of them the platform's` : '';
  return [
    rateText(t),
    t.fees > 0 ? `fees ${moneyText(t.fees, t.sent.currency)}${ours}` : undefined,
    t.paymentRail && words(t.paymentRail).toUpperCase(),
  ].filter((one) => one !== undefined && one !== '') as string[];
}

/** Returns the picture of a payment for its page: both parties, the amounts, and its progress. */
export function transactionPicture(t: AnyTransaction, world: World): Picture {
  if (t.type === 'CARD') return cardPicture(t);
  const outgoing = t.type === 'OUTGOING';
  return {
    flow: {
      from: partyOf(world, t.source, outgoing ? t.customerId : t.towards, t.sent),
      to: partyOf(world, t.destination, outgoing ? t.towards : t.customerId, t.received),
      between: between(t),
    },
    stages: stagesOf(t, world),
    facts: t.description === undefined ? undefined : [['Description', t.description]],
  };
}

function stagesOf(t: Transaction, world: World): Stage[] {
  const postings = world.rows(POSTINGS).all('cause', t.id);
  const when = (...reasons: readonly string[]) => postings.find(({ reason }) => reasons.includes(reason))?.at;
  const done = (what: string, at: string | undefined): Stage => ({ what, at, is: 'done' });
  const { status } = t;
  const later = (what: string): Stage => ({ what, is: 'to come' });
  const begun = done(beginning(t).what, t.createdAt);
  const debited = t.type === 'OUTGOING' ? [t.debited ? done('Debited', when('debit')) : later('Debited')] : [];
  if (ENDS[status]) {
    const { refund } = t;
    const back: Stage[] = refund
      ? [
          {
            what: refund.status === 'FAILED' ? 'Refund failed' : 'Refunded',
            at: refund.settledAt,
            is: refund.status === 'COMPLETED' ? 'done' : refund.status === 'FAILED' ? 'bad' : 'now',
          },
        ]
      : [];
    return [
      begun,
      ...(t.debited ? debited : []),
      { what: ENDS[status].what, at: refund?.initiatedAt ?? t.updatedAt, is: 'bad' },
      ...back,
    ];
  }
  const end = t.type === 'OUTGOING' ? 'Completed' : 'Credited';
  if (status === 'COMPLETED') return [begun, ...debited, done(end, t.settledAt ?? when('settlement', 'credit'))];
  const now: Stage =
    status === 'PROCESSING'
      ? { what: 'Processing', is: 'now' }
      : status === 'PENDING_AUTHORIZATION'
        ? { what: 'To be authorized', is: 'now' }
        : t.approval
          ? { what: 'To be approved', is: 'now' }
          : t.type === 'OUTGOING' && !t.debited
            ? { what: 'To be executed', is: 'now' }
            : { what: 'Processing', is: 'to come' };
  return t.debited ? [begun, ...debited, now, later(end)] : [begun, now, ...debited, later(end)];
}

const CARD_END: Readonly<Record<CardPayment['status'], Stage>> = {
  AUTHORIZED: { what: 'Cleared', is: 'to come' },
  PARTIALLY_SETTLED: { what: 'Partly cleared', is: 'now' },
  SETTLED: { what: 'Cleared', is: 'done' },
  REFUNDED: { what: 'Returned', is: 'done' },
  EXCEPTION: { what: 'Exception', is: 'bad' },
};

function cardPicture(t: CardPayment): Picture {
  const mine: Party = {
    account: t.accountId,
    owner: t.customerId,
    money: { amount: pulled(t), currency: t.accountCurrency },
  };
  const shop: Party = {
    name: t.merchant.descriptor,
    money: { amount: t.settled || t.authorized, currency: t.currency },
  };
  const debit = t.direction === 'DEBIT';
  return {
    flow: { from: debit ? mine : shop, to: debit ? shop : mine, between: ['by card'] },
    stages: [{ what: 'Authorized', at: t.createdAt, is: 'done' }, CARD_END[t.status]],
    meters: [
      { what: 'Cleared of what was authorized', used: t.settled, of: t.authorized, currency: t.currency },
      ...(t.refunded > 0 ? [{ what: 'Returned of it', used: t.refunded, of: t.settled, currency: t.currency }] : []),
    ],
  };
}
