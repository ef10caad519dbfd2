import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
import { expireQuote } from './rules.ts';

const ExpirePayload = lazy(() => z.strictObject({ quoteId: z.string() }));

const expire = job({
  payload: ExpirePayload,
  refers: { quoteId: 'quotes' },
  words: { verb: 'let expire, unless it is executed,', about: ({ quoteId }) => quoteId, name: () => 'a quote' },
  write: (world, { quoteId }) => expireQuote(world, quoteId),
});

export const jobs: Readonly<Record<string, JobKind>> = { 'quote.expire': expire };
