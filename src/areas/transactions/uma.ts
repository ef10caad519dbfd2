import type { World } from '../../engine/world.ts';
import { outsideAccount } from '../../ledger/ledger.ts';
import { type Customer, factsOf } from '../customers/index.ts';
import { wantedOfSenders, webhookTarget } from '../platform/index.ts';
import { APPROVAL_MS } from './approval.ts';
import { notePlan, offrampPlan } from './magic.ts';
import type { PlanName } from './plans.ts';
import type { Amount, Side, Transaction } from './row-shape.ts';
import { apply, follow, openTransaction } from './rules.ts';
import { planOnceApproved, type UmaHome } from './uma-home.ts';

/** The data that a sender's side would like of a customer who is paid, by the names that institutions use for it. */
const KNOWN = [
  {
    name: 'FULL_NAME',
    mandatory: true,
    of: ({ details }: Customer) => details.fullName ?? details.businessInfo?.legalName,
  },
  { name: 'NATIONALITY', mandatory: false, of: ({ details }: Customer) => details.nationality },
] as const;

/** Returns what the sender's side wants to know of the receiver, and we do not. */
const wantedOf = (customer: Customer) =>
  KNOWN.filter(({ of }) => of(customer) === undefined).map(({ name, mandatory }) => ({ name, mandatory }));

/** The data of the sandbox's own senders. */
export const SANDBOX_SENDER = { FULL_NAME: 'Sandbox Sender', BIRTH_DATE: '1990-01-01', NATIONALITY: 'US' } as const;

/** Returns the facts about a sender that a platform gets: the name, and what it requires of counterparties in this currency. */
export function toldOf(world: World, currency: string, sender: Readonly<Record<string, unknown>>) {
  const wanted = new Set<string>(wantedOfSenders(world, [currency]).map(({ name }) => name));
  return Object.fromEntries(Object.entries(sender).filter(([name]) => wanted.has(name)));
}

/** Returns what a platform gets to know of a customer who pays: what the quote says of them stands before their record. */
export function toldOfPayer(world: World, t: Transaction, payer: Customer | undefined): Record<string, unknown> {
  const { currency } = t.received;
  const names = wantedOfSenders(world, [currency]).map(({ name }) => name);
  return { ...(payer && factsOf(names, payer)), ...toldOf(world, currency, t.payerInfo ?? {}) };
}

/** Notes for the request log how the suffix of the account that is to be paid will end a payment. */
function noteOfframp(world: World, { chosen }: UmaHome): void {
  const plan = chosen && offrampPlan(chosen);
  if (plan) notePlan(world, chosen, `once approved, the outcome of the payment will be "${plan.slice(3)}"`);
}

/** A payment to a UMA address of a customer, as its sender's side announces it. */
export interface UmaPayment {
  readonly customer: Customer;
  readonly home: UmaHome;
  readonly source: Side;
  readonly sent: Amount;
  readonly received: Amount;
  /** Sending units for one receiving unit. */
  readonly exchangeRate?: number | undefined;
  /** The data of the sender that the platform gets. */
  readonly counterparty: Record<string, unknown>;
  /** The plan after the platform's yes; without one, the suffix of the account that is paid then decides. */
  readonly next?: PlanName | undefined;
  readonly description?: string | undefined;
  /** The outgoing payment of the same platform that this is the other side of. */
  readonly twin?: string | undefined;
}

/**
 * A payment from a UMA address comes in: it is `PENDING`, and the answer to its event, or a call within 5 virtual
 * seconds, decides on it (reference 14). Where no webhook can be sent, it is accepted without a question.
 */
export function announceUma(world: World, payment: UmaPayment): Transaction {
  const { customer, home, received, next, ...rest } = payment;
  const payer = outsideAccount('uma', received.currency);
  if (next === undefined) noteOfframp(world, home);
  const opened = openTransaction(
    world,
    customer,
    {
      ...rest,
      type: 'INCOMING',
      received,
      destination: { kind: 'UMA_ADDRESS', umaAddress: customer.umaAddress, currency: received.currency },
      fees: 0,
      platformFees: 0,
      payer,
      payee: home.payee,
      refundTo: payer,
      cancellable: false,
      approval: { fields: wantedOf(customer), next: next ?? 'in success' },
    },
    'announce',
  );
  const { url, unsent } = webhookTarget(world);
  if (url === undefined || unsent !== undefined)
    return follow(world, apply(world, opened, { on: 'approve' }), planOnceApproved(world, opened));
  world.schedule('transaction.approval', { transactionId: opened.id }, APPROVAL_MS);
  return opened;
}
