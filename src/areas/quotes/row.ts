import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';
import type { PlanName } from '../transactions/index.ts';
import { PlanNameShape } from '../transactions/index.ts';
import type { QuoteRequest } from './schema.ts';
import { QuoteShape } from './schema.ts';

export type Request = Infer<typeof QuoteRequest>;

/** An offer to pay at a fixed price, for a while. Its status is that of its transaction. */
export interface Quote extends Row {
  readonly transactionId: string;
  readonly source: Request['source'];
  readonly destination: Request['destination'];
  readonly description?: string | undefined;
  /** Whose money it is, and whose it becomes. */
  readonly customers: readonly string[];
  readonly plan: PlanName;
  /** Funds are sent to it from outside; it cannot be executed. */
  readonly pushed: boolean;
  /** An embedded wallet pays: what its owner signs. */
  readonly payload?: string | undefined;
  readonly walletId?: string | undefined;
  /** The job that lets it expire. */
  readonly expiry: string;
  readonly expiresAt: string;
  readonly createdAt: string;
}

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
