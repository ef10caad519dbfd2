import { accountsOf } from '../areas/accounts/index.ts';
import { CUSTOMERS } from '../areas/customers/index.ts';
import { externalAccountOf, isWallet } from '../areas/external-accounts/index.ts';
import { offer } from '../areas/quotes/index.ts';
import {
  apply,
  type Draft,
  externalSide,
  moveOnLater,
  openTransaction,
  railFor,
  type Side,
} from '../areas/transactions/index.ts';
import { parseDuration } from '../contract/duration-text.ts';
import { lowerCase } from '../contract/lower-case.ts';
import type { World } from '../engine/world.ts';
import { outsideAccount } from '../ledger/ledger.ts';
import { invalid, type ScenarioChecker } from './checker.ts';
import type { Scenario } from './schema.ts';

export type Past = Scenario['transactions'][number];

/** The triggers that lead a payment to its state in the scenario: the first opens it. */
type Way = readonly [first: Parameters<typeof openTransaction>[3], ...then: Parameters<typeof apply>[2]['on'][]];

const WAYS: Readonly<Record<Past['type'], Readonly<Partial<Record<Past['status'], Way>>>>> = {
  OUTGOING: {
    PENDING: ['accept'],
    PROCESSING: ['accept', 'process'],
    COMPLETED: ['accept', 'process', 'complete'],
    FAILED: ['accept', 'process', 'fail', 'refund', 'refunded'],
    RETURNED: ['accept', 'process', 'complete', 'return', 'refund', 'refunded'],
  },
  INCOMING: {
    PENDING: ['announce'],
    COMPLETED: ['collect', 'complete'],
    FAILED: ['collect', 'fail'],
    REJECTED: ['announce', 'reject'],
  },
};

/** Returns how many milliseconds before the start of the clock a payment of the past is dated. */
export const agoOf = ({ ago = 'PT0S' }: Past): number => parseDuration(ago) ?? 0;

/** Puts a payment of the past in place, at the present moment of the clock, through the states that lead to its own. */
export function addPast(world: World, past: Past, checker: ScenarioChecker, where: string): void {
  if (!WAYS[past.type][past.status]) invalid([`${where}.status`, `no ${past.type} payment is ever ${past.status}`]);
  const [outside, never] = past.type === 'OUTGOING' ? (['to', 'from'] as const) : (['from', 'to'] as const);
  if (past[never] !== undefined)
    invalid([
      `${where}.${never}`,
      `an ${past.type} payment has customer, whose account it is, and ${outside} or uma for the other side`,
    ]);
  const { customer: label } = past;
  const customerId =
    label === undefined ? undefined : checker.note(() => checker.idOf('customer', label, `${where}.customer`));
  const theirs = checker.note(() => otherSide(world, past, checker, where));
  if (!theirs || (label !== undefined && customerId === undefined)) invalid();
  const customer = customerId === undefined ? undefined : world.rows(CUSTOMERS).get(customerId);
  const draft = draftOf(world, past, theirs, where, customerId);
  goOn(world, past, reach(world, customer, draft, past), where);
}

/**
 * Opens a payment and takes it through the states that lead to the wanted one. Throws for a state that its type never
 * has.
 */
export function reach(
  world: World,
  customer: Parameters<typeof openTransaction>[1],
  draft: Draft,
  past: Pick<Past, 'type' | 'status' | 'reason'>,
): ReturnType<typeof apply> {
  const way = WAYS[past.type][past.status];
  if (!way) throw new Error(`no ${past.type} payment is ever ${past.status}`);
  const [first, ...then] = way;
  let moved = openTransaction(world, customer, draft, first);
  for (const on of then) moved = apply(world, moved, { on, ...reasonOf(past, on) });
  return moved;
}

/** Schedules the next step of a payment under way after the start of the clock, if the scenario asks for it. */
function goOn(world: World, past: Past, t: ReturnType<typeof apply>, where: string): void {
  if (past.in === undefined && past.outcome === undefined) return;
  const member = past.in === undefined ? 'outcome' : 'in';
  if (past.status !== 'PROCESSING') invalid([`${where}.${member}`, `only a PROCESSING payment goes on by itself`]);
  if (past.in === undefined) invalid([`${where}.outcome`, 'say when, with in']);
  const inMs = parseDuration(past.in ?? '') ?? 0;
  moveOnLater(world, t, past.outcome ?? 'COMPLETED', agoOf(past) + inMs);
}

function reasonOf(past: Pick<Past, 'type' | 'reason'>, on: string) {
  const usual = past.type === 'INCOMING' ? 'COLLECTION_FAILED' : 'ACCOUNT_CANNOT_RECEIVE';
  if (on === 'fail') return { reason: past.reason ?? usual };
  if (on === 'return') return { reason: past.reason ?? 'PAYOUT_RETURNED' };
  return {};
}

function draftOf(
  world: World,
  past: Past,
  { side: theirs, wallet, rail }: ReturnType<typeof otherSide>,
  where: string,
  customerId?: string,
): Draft {
  const own = accountsOf(world, customerId).find((account) => account.currency === past.currency);
  if (!own) return invalid([`${where}.currency`, `there is no account in ${past.currency}`]);
  const mine: Side = { kind: 'ACCOUNT', accountId: own.id, currency: past.currency };
  const sent = { amount: past.amount, currency: past.currency };
  const base = { cancellable: !wallet, description: past.description };
  if (past.type === 'INCOMING') {
    const payer = outsideAccount('collected', past.currency);
    const money = { sent, received: sent, fees: 0, platformFees: 0, payer, payee: own.id, refundTo: payer };
    const approval = past.status === 'PENDING' ? { approval: { fields: [], next: 'in success' as const } } : {};
    return {
      ...base,
      ...approval,
      type: 'INCOMING',
      source: { ...theirs, currency: past.currency },
      destination: mine,
      ...money,
    };
  }
  return {
    ...base,
    type: 'OUTGOING',
    source: mine,
    destination: theirs,
    ...priced(world, sent, theirs.currency),
    payer: own.id,
    payee: outsideAccount('payout', theirs.currency),
    refundTo: own.id,
    ...rail,
  };
}

/** Returns the other side of a payment: an external account, a UMA address, or money that simply arrived. */
function otherSide(world: World, past: Past, checker: ScenarioChecker, where: string) {
  const [field, label] = past.type === 'OUTGOING' ? (['to', past.to] as const) : (['from', past.from] as const);
  if (label !== undefined) {
    const account = externalAccountOf(world, checker.idOf('external account', label, `${where}.${field}`));
    return { side: externalSide(account), wallet: isWallet(account), rail: railFor(account, undefined) };
  }
  if (past.uma !== undefined)
    return {
      side: { kind: 'UMA_ADDRESS', umaAddress: lowerCase(past.uma), currency: past.currency } as Side,
      wallet: true,
      rail: {},
    };
  if (past.type === 'OUTGOING') return invalid([where, 'say where it went, with to or uma']);
  return { side: { kind: 'REALTIME_FUNDING', currency: past.currency } as Side, wallet: false, rail: {} };
}

/** Returns the amount on the other side, as a quote would have had it. */
function priced(world: World, sent: Draft['sent'], to: string) {
  if (sent.currency === to) return { sent, received: sent, fees: 0, platformFees: 0 };
  const locked = { side: 'SENDING', amount: sent.amount } as const;
  const { received, fees, platformFees, exchangeRate, rateDetails } = offer(world, locked, sent.currency, to);
  return { sent, received: { amount: received, currency: to }, fees, platformFees, exchangeRate, rateDetails };
}
