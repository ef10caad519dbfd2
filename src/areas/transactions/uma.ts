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

/** The data that a sender's side asks about a receiving customer, by the names that institutions use. */
const KNOWN = [
  {
    name: 'FULL_NAME',
    mandatory: true,
    of: ({ details }: Customer) => details.fullName ?? details.businessInfo?.legalName,
  },
  { name: 'NATIONALITY', mandatory: false, of: ({ details }: Customer) => details.nationality },
] as const;

/** Returns the data that the sender's side asks about the receiver and that we do not have. */
const wantedOf = (customer: Customer) =>
  KNOWN.filter(({ of }) => of(customer) === undefined).map(({ name, mandatory }) => ({ name, mandatory }));

/** The data of the sandbox's own senders. */
export const SANDBOX_SENDER = { FULL_NAME: 'Sandbox Sender', BIRTH_DATE: '1990-01-01', NATIONALITY: 'US' } as const;

/**
 * Returns the data about a sender that a platform gets: the name, and what it requires of counterparties in this
 * currency.
 */
export function toldOf(world: World, currency: string, sender: Readonly<Record<string, unknown>>) {
  const wanted = new Set<string>(wantedOfSenders(world, [currency]).map(({ name }) => name));
  return Object.fromEntries(Object.entries(sender).filter(([name]) => wanted.has(name)));
}

/**
 * Returns the data about a paying customer that a platform gets: the quote's data take precedence over the customer's
 * record.
 */
export function toldOfPayer(world: World, t: Transaction, payer: Customer | undefined): Record<string, unknown> {
  const { currency } = t.received;
  const names = wantedOfSenders(world, [currency]).map(({ name }) => name);
  return { ...(payer && factsOf(names, payer)), ...toldOf(world, currency, t.payerInfo ?? {}) };
}

/** Notes in the request log how the suffix of the receiving account will end a payment. */
function noteOfframp(world: World, { chosen }: UmaHome): void {
  const plan = chosen && offrampPlan(chosen);
  if (plan) notePlan(world, chosen, `once approved, the outcome of the payment will be "${plan.slice(3)}"`);
}

/** A payment to a customer's UMA address, as its sender's side announces it. */
export interface UmaPayment {
  readonly customer: Customer;
  readonly home: UmaHome;
  readonly source: Side;
  readonly sent: Amount;
  readonly received: Amount;
  /** Sending units per receiving unit. */
  readonly exchangeRate?: number | undefined;
  /** The data about the sender that the platform gets. */
  readonly counterparty: Record<string, unknown>;
  /** The plan after the platform's approval; without one, the suffix of the receiving account decides. */
  readonly next?: PlanName | undefined;
  readonly description?: string | undefined;
  /** The id of the outgoing payment of the same platform, if this is its other side. */
  readonly twin?: string | undefined;
}

/**
 * Opens a payment from a UMA address. It is `PENDING`; the response to its event, or a call within 5 virtual seconds,
 * decides on it (reference 14). If no webhook can be sent, it is accepted at once.
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
