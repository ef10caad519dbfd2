import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { ScaFactor } from '../sca/index.ts';
import { PlanNameShape } from '../transactions/index.ts';
import type { QuoteRequest } from './schema.ts';
import { QuoteShape } from './schema.ts';

export type Request = Infer<typeof QuoteRequest>;

/** The stored row of a quote. */
export const QuoteRow = lazyRow(() => {
  const { source, destination } = QuoteShape().shape;
  return z.strictObject({
    id: IdOf('Quote'),
    transactionId: z.string(),
    source,
    destination,
    description: z.string().optional(),
    /** The id of the agent that requested it. */
    agentId: z.string().optional(),
    /** The customers who pay and are paid. */
    customers: z.array(z.string()),
    plan: PlanNameShape(),
    /** True if funds are sent to it from outside; it cannot be executed. */
    pushed: z.boolean(),
    /** Set if an embedded wallet pays: the text that its owner signs. */
    payload: z.string().optional(),
    walletId: z.string().optional(),
    /** The factor that a payer who must authenticate strongly wants to use. */
    scaFactor: ScaFactor().optional(),
    /** The id of the job that expires it. */
    expiry: z.string(),
    expiresAt: Moment(),
    createdAt: Moment(),
  });
});

/** An offer to pay at a fixed price, for a while. Its status is that of its transaction. */
export type Quote = RowOf<typeof QuoteRow>;
