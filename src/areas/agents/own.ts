import { type ErrorCode, type FieldError, fail, failFields } from '../../contract/errors.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { accountOf, accountsOf } from '../accounts/index.ts';
import { EXTERNAL_ACCOUNTS, externalAccountOf } from '../external-accounts/index.ts';
import { type QuoteRequest, quoteOf } from '../quotes/index.ts';
import { transactionOf } from '../transactions/index.ts';
import type { Agent } from './row.ts';

type SentQuote = Infer<typeof QuoteRequest>;

/** Finds a row that belongs to an agent, or to its customer; what belongs to another customer is 404, as if it did not exist. */
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

/** An internal account of the agent's customer; 404 `REFERENCE_NOT_FOUND`. */
export const ownAccount = ownRow(accountOf, 'REFERENCE_NOT_FOUND', 'internal account', ofCustomer);

/** An external account of the agent's customer; 404 `REFERENCE_NOT_FOUND`. */
export const ownExternalAccount = ownRow(externalAccountOf, 'REFERENCE_NOT_FOUND', 'external account', ofCustomer);

/** A transaction of the agent's customer; 404 `TRANSACTION_NOT_FOUND`. */
export const ownTransaction = ownRow(transactionOf, 'TRANSACTION_NOT_FOUND', 'transaction', ofCustomer);

/** A quote that this very agent requested; 404 `QUOTE_NOT_FOUND`. */
export const ownQuote = ownRow(quoteOf, 'QUOTE_NOT_FOUND', 'quote', (quote, agent) => quote.agentId === agent.id);

/** Returns whether an account in the body of a quote is one of the agent's customer, here or elsewhere. */
function isOwnAccount(world: World, { customerId }: Agent, id: string): boolean {
  const elsewhere = world.rows(EXTERNAL_ACCOUNTS).get(id);
  if (elsewhere) return !elsewhere.isDeleted && elsewhere.customerId === customerId;
  return accountsOf(world, customerId).some((account) => account.id === id);
}

/** The internal accounts of the agent's customer that a quote pays from or into, the former first. */
export function accountsIn(world: World, { customerId }: Agent, quote: Pick<SentQuote, 'source' | 'destination'>) {
  const own = new Set(accountsOf(world, customerId).map((account) => account.id));
  return [quote.source, quote.destination].flatMap((end) =>
    'accountId' in end && own.has(end.accountId) ? [end.accountId] : [],
  );
}

/**
 * The quote that an agent asks for, its customer filled in. 400 `INVALID_INPUT` for accounts and customers of others, which
 * are input here, and for execution without a word of the policy.
 */
export function ownQuoteRequest(world: World, agent: Agent, sent: SentQuote): SentQuote {
  const { source, destination } = sent;
  const errors: FieldError[] = [];
  if (sent.immediatelyExecute)
    errors.push({ field: 'immediatelyExecute', message: 'an agent executes a quote by a call of its own' });
  if (source.customerId !== undefined && source.customerId !== agent.customerId)
    errors.push({ field: 'source.customerId', message: 'is not the customer of this agent' });
  for (const [field, end] of Object.entries({ source, destination }))
    if ('accountId' in end && !isOwnAccount(world, agent, end.accountId))
      errors.push({ field: `${field}.accountId`, message: 'no such account' });
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'reference 7');
  return source.sourceType === 'REALTIME_FUNDING'
    ? { ...sent, source: { ...source, customerId: agent.customerId } }
    : sent;
}
