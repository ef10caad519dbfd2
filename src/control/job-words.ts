import { CUSTOMERS } from '../areas/customers/index.ts';
import { EXTERNAL_ACCOUNTS } from '../areas/external-accounts/index.ts';
import { VERIFICATIONS } from '../areas/onboarding/index.ts';
import { type PlanName, stepOf, TRANSACTIONS } from '../areas/transactions/index.ts';
import { DELIVERIES } from '../areas/webhooks/index.ts';
import { moneyText } from '../kernel/money.ts';
import type { World } from '../kernel/world.ts';

type Payload = Readonly<Record<string, unknown>>;

/** What a job will do, in words. */
export interface JobWords {
  /** What is done, such as `approve` or `pay out`. */
  readonly verb: string;
  /** The id of what it is done to, and a name that a person knows it by. */
  readonly about?: string;
  readonly name?: string;
}

/** What is said of one kind of job: what it does, and which member of its payload says to what. */
interface Wording {
  readonly verb: string | ((world: World, payload: Payload) => string);
  readonly about: string;
  readonly name: (world: World, id: string) => string | undefined;
  /** Where the resource that people know is another one than the payload names. */
  readonly behind?: (world: World, id: string) => string | undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function customerName(world: World, id: string): string | undefined {
  const details = world.rows(CUSTOMERS).get(id)?.details;
  const name = details?.fullName ?? details?.businessInfo?.legalName;
  return name === undefined ? undefined : `customer ${name}`;
}

function paymentName(world: World, id: string): string | undefined {
  const { sent, received } = world.rows(TRANSACTIONS).get(id) ?? {};
  const amount = sent ?? received;
  return amount && `the payment of ${moneyText(amount.amount, amount.currency)}`;
}

function accountName(world: World, id: string): string | undefined {
  const account = world.rows(EXTERNAL_ACCOUNTS).get(id);
  if (!account) return undefined;
  const owner = account.customerId === undefined ? undefined : customerName(world, account.customerId);
  return `the ${account.currency} account of ${owner ?? 'the platform'}`;
}

const decision = (_world: World, { decision: what }: Payload): string => text(what) || 'decide on';

/** What each step of a payment's plan does to it. */
const STEPS: Readonly<Record<string, string>> = {
  process: 'start to process',
  complete: 'complete',
  fail: 'fail',
  return: 'have the bank return',
  refund: 'begin to refund',
  refunded: 'refund',
  'refund failed': 'fail to refund',
};

function planned(_world: World, { plan, at }: Payload): string {
  const step = stepOf(text(plan) as PlanName, Number(at));
  if (!step) return 'move on';
  const reason = step.reason ?? step.refundReason;
  return `${STEPS[step.on] ?? step.on}${reason ? ` (${reason.replaceAll('_', ' ').toLowerCase()})` : ''}`;
}

const payment = (verb: Wording['verb']): Wording => ({ verb, about: 'transactionId', name: paymentName });
const account = (verb: Wording['verb']): Wording => ({ verb, about: 'accountId', name: accountName });

const reviewed = (world: World, id: string): string | undefined => world.rows(VERIFICATIONS).get(id)?.customerId;

/** Every kind of job in words; a test holds that none is missing. */
export const WORDINGS: Readonly<Record<string, Wording>> = {
  'customer.decide': { verb: decision, about: 'customerId', name: customerName },
  'verification.decide': {
    verb: (world, payload) => `${decision(world, payload)} after review`,
    about: 'verificationId',
    name: customerName,
    behind: reviewed,
  },
  'bulk.import': { verb: 'import the next rows of', about: 'jobId', name: () => 'a CSV file' },
  'external-account.activate': account('open'),
  'external-account.liveness': account('finish the liveness check of'),
  'transaction.process': payment(planned),
  'transaction.settle': payment(planned),
  'transaction.refund': payment(planned),
  'transaction.return': payment(planned),
  'transaction.onchain': payment('note the on-chain hash of'),
  'transaction.approval': payment('give up waiting for the approval of'),
  'transaction.twin': payment('bring the other side in step with'),
  'quote.expire': { verb: 'let expire, unless it is executed,', about: 'quoteId', name: () => 'a quote' },
  'webhook.deliver': {
    verb: 'send',
    about: 'webhookId',
    name: (world, id) => world.rows(DELIVERIES).get(id)?.type,
  },
};

/** What a job does, to what, in words; a kind without words is said by its name. */
export function wordsOf(world: World, { kind, payload }: { kind: string; payload: Payload }): JobWords {
  const wording = WORDINGS[kind];
  if (!wording) return { verb: kind };
  const named = text(payload[wording.about]);
  const about = wording.behind ? (wording.behind(world, named) ?? named) : named;
  const verb = typeof wording.verb === 'string' ? wording.verb : wording.verb(world, payload);
  return { verb, about, name: wording.name(world, about) ?? about };
}

/** A job with a sentence that says what it does, and the id of what it is about. */
export function told<J extends { kind: string; payload: Payload }>(world: World, job: J) {
  const { verb, about, name } = wordsOf(world, job);
  return { ...job, does: name === undefined ? verb : `${verb} ${name}`, ...(about ? { about } : {}) };
}
