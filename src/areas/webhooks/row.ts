import * as z from 'zod';
import { AnyValue, IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';

const Attempt = () =>
  z.strictObject({
    /** The virtual time of the attempt. */
    at: Moment(),
    status: z.int().exactOptional(),
    error: z.string().exactOptional(),
    body: z.string().exactOptional(),
    /** The real milliseconds that it took. */
    ms: z.number().min(0),
    /** Set if a person requested it; it does not count as a retry. */
    byHand: z.literal(true).exactOptional(),
    /** The fault that was injected, and its effect. */
    fault: z.string().exactOptional(),
    /** Set if a fault sent it twice; the second does not count as a retry. */
    duplicate: z.literal(true).exactOptional(),
    /** Set if the clock was being advanced: the receiver had less real time than `ms`, which is virtual here. */
    cutShort: z.literal(true).exactOptional(),
  });

/** The stored row of an event and its delivery. */
export const DeliveryRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Webhook'),
    type: z.string().min(1),
    timestamp: Moment(),
    subject: z.string(),
    data: AnyValue(),
    /**
     * `WAITING` behind an earlier event about its subject; `UNSENT` if there was no endpoint, or nothing may be sent to
     * it.
     */
    state: z.enum(['WAITING', 'PENDING', 'DELIVERED', 'ABANDONED', 'UNSENT']),
    attempts: z.array(Attempt()),
    /** Set if a fault delayed it: later events about its subject do not wait for it. */
    overtaken: z.literal(true).exactOptional(),
    /** The decision in the response, for an event that asks for one. */
    decision: z.string().optional(),
    /** The reason why it may not leave this machine. */
    unsentReason: z.string().optional(),
  }),
);

/** An event and its delivery. */
export type Delivery = RowOf<typeof DeliveryRow>;
export type Attempt = Delivery['attempts'][number];
