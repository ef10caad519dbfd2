import * as z from 'zod';
import { type JobKind, job } from '../../kernel/job.ts';
import { lazy } from '../../kernel/lazy.ts';
import { expireQuote } from './rules.ts';

const ExpirePayload = lazy(() => z.strictObject({ quoteId: z.string() }));

const expire = job({
  payload: ExpirePayload,
  refers: { quoteId: 'quotes' },
  words: { verb: 'let expire, unless it is executed,', about: ({ quoteId }) => quoteId, name: () => 'a quote' },
  run:
    (world, { quoteId }) =>
    () =>
      expireQuote(world, quoteId),
});

export const jobs: Readonly<Record<string, JobKind>> = { 'quote.expire': expire };
