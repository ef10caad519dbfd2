import * as z from 'zod';
import { AnyValue, IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';

const Attempt = () =>
  z.strictObject({
    /** Virtual time of the try. */
    at: Moment(),
    status: z.int().exactOptional(),
    error: z.string().exactOptional(),
    body: z.string().exactOptional(),
    /** Real milliseconds that it took. */
    ms: z.number().min(0),
    /** Somebody requested it; it does not count among the retries. */
    byHand: z.literal(true).exactOptional(),
    /** The fault that fired on it, and what that changed. */
    fault: z.string().exactOptional(),
    /** Sent twice by a fault; the second does not count among the retries. */
    duplicate: z.literal(true).exactOptional(),
    /** The clock was being advanced, so its receiver had less real time than `ms`, the virtual time it is noted with. */
    cutShort: z.literal(true).exactOptional(),
  });

/** An event and what became of it, as it is kept. */
export const DeliveryRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Webhook'),
    type: z.string().min(1),
    timestamp: Moment(),
    subject: z.string(),
    data: AnyValue(),
    /** `WAITING` behind an earlier event of its subject; `UNSENT` when there was nowhere to send it, or it may not leave. */
    state: z.enum(['WAITING', 'PENDING', 'DELIVERED', 'ABANDONED', 'UNSENT']),
    attempts: z.array(Attempt()),
    /** A fault made it step aside: later events of its subject do not wait for it. */
    overtaken: z.literal(true).exactOptional(),
    /** The decision of the answer, for an event that wants one. */
    decision: z.string().optional(),
    /** The reason why it may not leave this machine. */
    unsentReason: z.string().optional(),
  }),
);

/** An event and what became of it. */
export type Delivery = RowOf<typeof DeliveryRow>;
export type Attempt = Delivery['attempts'][number];
