import { type ErrorCode, type FieldError, fail, failFields } from '../../contract/errors.ts';
import type { BodyCall, Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { accountOf, accountsOf } from '../accounts/index.ts';
import {
  EXTERNAL_ACCOUNTS,
  type ExternalAccountCreate,
  externalAccountOf,
  wrongInput,
} from '../external-accounts/index.ts';
import { type QuoteRequest, quoteOf } from '../quotes/index.ts';
import { transactionOf } from '../transactions/index.ts';
import type { Agent } from './row.ts';
import { AGENTS } from './tables.ts';

type SentQuote = Infer<typeof QuoteRequest>;
type SentAccount = Infer<typeof ExternalAccountCreate>;

/**
 * Returns a function that finds a row of an agent or its customer. Another customer's row is 404, as if it did not
 * exist.
 */
const ownRow =
  <R>(find: (world: World, id: string) => R, code: ErrorCode, what: string, isOwn: (row: R, agent: Agent) => boolean) =>
  (world: World, agent: Agent, id: string): R => {
    const row = find(world, id);
    if (!isOwn(row, agent))
      fail(code, `no ${what} ${id}`, { why: { rule: 'reference 7', seen: 'of another customer' } });
    return row;
  };

const ofCustomer = (row: { readonly customerId?: string | undefined }, agent: Agent): boolean =>
  row.customerId === agent.customerId;

/** Returns an internal account of the agent's customer. 404 REFERENCE_NOT_FOUND. */
export const ownAccount = ownRow(accountOf, 'REFERENCE_NOT_FOUND', 'internal account', ofCustomer);

/** Returns an external account of the agent's customer. 404 REFERENCE_NOT_FOUND. */
export const ownExternalAccount = ownRow(externalAccountOf, 'REFERENCE_NOT_FOUND', 'external account', ofCustomer);

/** Returns a transaction of the agent's customer. 404 TRANSACTION_NOT_FOUND. */
export const ownTransaction = ownRow(transactionOf, 'TRANSACTION_NOT_FOUND', 'transaction', ofCustomer);

/** Returns a quote that this agent itself requested. 404 QUOTE_NOT_FOUND. */
export const ownQuote = ownRow(quoteOf, 'QUOTE_NOT_FOUND', 'quote', (quote, agent) => quote.agentId === agent.id);

/** Returns whether an account in the body of a quote, internal or external, is one of the agent's customer. */
function isOwnAccount(world: World, { customerId }: Agent, id: string): boolean {
  const elsewhere = world.rows(EXTERNAL_ACCOUNTS).get(id);
  if (elsewhere) return !elsewhere.isDeleted && elsewhere.customerId === customerId;
  return accountsOf(world, customerId).some((account) => account.id === id);
}

/** Returns the customer's internal accounts that a quote pays from or into, the former first. */
export function accountsIn(world: World, { customerId }: Agent, quote: Pick<SentQuote, 'source' | 'destination'>) {
  const own = new Set(accountsOf(world, customerId).map((account) => account.id));
  return [quote.source, quote.destination].flatMap((end) =>
    'accountId' in end && own.has(end.accountId) ? [end.accountId] : [],
  );
}

/** Returns a function that applies an agent's rules, beyond the schema, to a body that it sends. */
export const ofCaller =
  <S>(wrong: (world: World, agent: Agent, sent: S, bad: ReadonlySet<string>) => readonly FieldError[]) =>
  ({ world, principal }: BodyCall, sent: S, bad: ReadonlySet<string>): readonly FieldError[] => {
    const agent = principal?.kind === 'agent' ? world.rows(AGENTS).get(principal.agentId) : undefined;
    return agent ? wrong(world, agent, sent, bad) : [];
  };

/**
 * Returns what is wrong with an agent's quote: it may name only its customer and that customer's accounts, and must be
 * executed by a separate call.
 */
export function wrongOwnQuote(world: World, agent: Agent, sent: Partial<SentQuote>): FieldError[] {
  const { source, destination } = sent;
  const errors: FieldError[] = [];
  if (sent.immediatelyExecute)
    errors.push({ field: 'immediatelyExecute', message: 'an agent executes a quote by a call of its own' });
  if (source?.customerId !== undefined && source.customerId !== agent.customerId)
    errors.push({ field: 'source.customerId', message: 'is not the customer of this agent' });
  for (const [field, end] of Object.entries({ source, destination }))
    if (end && 'accountId' in end && end.accountId !== undefined && !isOwnAccount(world, agent, end.accountId))
      errors.push({ field: `${field}.accountId`, message: 'no such account' });
  return errors;
}

/**
 * Returns the quote that an agent requests, with its customer filled in. 400 INVALID_INPUT for what `wrongOwnQuote`
 * finds.
 */
export function ownQuoteRequest(world: World, agent: Agent, sent: SentQuote): SentQuote {
  const errors = wrongOwnQuote(world, agent, sent);
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'reference 7');
  const { source } = sent;
  return source.sourceType === 'REALTIME_FUNDING'
    ? { ...sent, source: { ...source, customerId: agent.customerId } }
    : sent;
}

/** Returns what is wrong with an external account that an agent registers, which must belong to its customer. */
export function wrongOwnAccount(
  world: World,
  { customerId }: Agent,
  sent: Partial<SentAccount>,
  bad?: ReadonlySet<string>,
): FieldError[] {
  const isForeign = sent.customerId !== undefined && sent.customerId !== customerId;
  return [
    ...(isForeign ? [{ field: 'customerId', message: 'is not the customer of this agent' }] : []),
    ...wrongInput(world, { ...sent, customerId }, bad),
  ];
}
