import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { moneyText } from '../../contract/money.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { World } from '../../engine/world.ts';
import { paymentOf } from '../transactions/index.ts';
import { expireQuote, QUOTES } from './rules.ts';

const ExpirePayload = lazy(() => z.strictObject({ quoteId: z.string() }));

/** A quote as a sentence names one: `the quote of 125.00 USD`. */
function name(world: World, id: string): string | undefined {
  const quote = world.rows(QUOTES).get(id);
  const { sent } = quote ? paymentOf(world, quote.transactionId) : {};
  return sent && `the quote of ${moneyText(sent.amount, sent.currency)}`;
}

const expire = job({
  payload: ExpirePayload,
  refers: { quoteId: 'quotes' },
  words: { verb: 'expire', about: ({ quoteId }) => quoteId, name },
  write: (world, { quoteId }) => expireQuote(world, quoteId),
});

export const jobs: Readonly<Record<string, JobKind>> = { 'quote.expire': expire };
