import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { moneyText } from '../../contract/money.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { personName } from '../customers/index.ts';
import { paymentOf } from '../transactions/index.ts';
import { expireQuote, QUOTES } from './rules.ts';

const ExpirePayload = lazy(() => z.strictObject({ quoteId: z.string() }));

/** Returns the name of a quote within a sentence: `the quote of 125.00 USD for Ada Keller`. */
function name(world: World, id: string): string | undefined {
  const quote = world.rows(QUOTES).get(id);
  if (!quote) return undefined;
  const { sent, customerId } = paymentOf(world, quote.transactionId);
  const whose = personName(world, customerId);
  return `the quote of ${moneyText(sent.amount, sent.currency)}${whose === undefined ? '' : ` for ${whose}`}`;
}

const expire = job({
  payload: ExpirePayload,
  refers: { quoteId: 'quotes' },
  words: { verb: 'expire', about: ({ quoteId }) => quoteId, name },
  write: (world, { quoteId }) => expireQuote(world, quoteId),
});

export const jobs: Readonly<Record<string, JobKind>> = { 'quote.expire': expire };
