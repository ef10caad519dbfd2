import * as z from 'zod';
import type { DomainEvent, TryResult } from '../../contract/domain-event.ts';
import { AnyValue, IdOf, Moment } from '../../contract/shapes.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';

export interface Attempt extends Omit<TryResult, 'outcome'> {
  /** Virtual time of the try. */
  at: string;
  /** Real milliseconds that it took. */
  ms: number;
  /** Somebody asked for it; it does not count among the retries. */
  byHand?: true;
  /** The fault that fired on it, and what that changed. */
  fault?: string;
  /** Sent twice by a fault; the second does not count among the retries. */
  duplicate?: true;
  /** The clock was being advanced, so its receiver had less real time than `ms`, the virtual time it is noted with. */
  cutShort?: true;
}

/** An event and what became of it. */
export interface Delivery extends Row, DomainEvent {
  /** `WAITING` behind an earlier event of its subject; `UNSENT` when there was nowhere to send it, or it may not leave. */
  readonly state: 'WAITING' | 'PENDING' | 'DELIVERED' | 'ABANDONED' | 'UNSENT';
  readonly attempts: readonly Attempt[];
  /** What the answer decided, of an event that asks for a decision. */
  readonly decision?: string | undefined;
  /** Why it may not leave this machine. */
  readonly unsentReason?: string | undefined;
  /** A fault made it step aside: later events of its subject do not wait for it. */
  readonly overtaken?: true;
}
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
