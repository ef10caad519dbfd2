import type { JobHandler } from '../../kernel/scheduler.ts';
import { expireQuote } from './rules.ts';

const expire: JobHandler = (world, job) => () => expireQuote(world, job.payload['quoteId'] as string);

export const jobs: Readonly<Record<string, JobHandler>> = { 'quote.expire': expire };
