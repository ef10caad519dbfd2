import * as z from 'zod';
import { AnyValue, IdOf, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import type { Delivery } from './rules.ts';

const Attempt = () =>
  z.strictObject({
    at: Moment(),
    status: z.int().exactOptional(),
    error: z.string().exactOptional(),
    body: z.string().exactOptional(),
    ms: z.number().min(0),
    byHand: z.literal(true).exactOptional(),
    fault: z.string().exactOptional(),
    duplicate: z.literal(true).exactOptional(),
    cutShort: z.literal(true).exactOptional(),
  });

/** An event and what became of it, as it is kept. */
export const DeliveryRow = rowShape<Delivery>()(() =>
  z.strictObject({
    id: IdOf('Webhook'),
    type: z.string().min(1),
    timestamp: Moment(),
    subject: z.string(),
    data: AnyValue(),
    state: z.enum(['WAITING', 'PENDING', 'DELIVERED', 'ABANDONED', 'UNSENT']),
    attempts: z.array(Attempt()),
    overtaken: z.literal(true).exactOptional(),
    decision: z.string().optional(),
    unsentReason: z.string().optional(),
  }),
);
