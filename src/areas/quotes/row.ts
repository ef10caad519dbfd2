import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import { PlanNameShape } from '../transactions/index.ts';
import type { Quote } from './rules.ts';
import { QuoteShape } from './schema.ts';

/** An offer as it is kept. */
export const QuoteRow = rowShape<Quote>()(() => {
  const { source, destination } = QuoteShape().shape;
  return z.strictObject({
    id: IdOf('Quote'),
    transactionId: z.string(),
    source,
    destination,
    description: z.string().optional(),
    customers: z.array(z.string()),
    plan: PlanNameShape(),
    pushed: z.boolean(),
    payload: z.string().optional(),
    walletId: z.string().optional(),
    expiry: z.string(),
    expiresAt: Moment(),
    createdAt: Moment(),
  });
});
