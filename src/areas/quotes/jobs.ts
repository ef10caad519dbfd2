import * as z from 'zod';
import { type JobKind, job } from '../../kernel/job.ts';
import { lazy } from '../../kernel/lazy.ts';
import { expireQuote } from './rules.ts';

const ExpirePayload = lazy(() => z.strictObject({ quoteId: z.string() }));

const expire = job(
  ExpirePayload,
  (world, { quoteId }) =>
    () =>
      expireQuote(world, quoteId),
  { quoteId: 'quotes' },
);

export const jobs: Readonly<Record<string, JobKind>> = { 'quote.expire': expire };
