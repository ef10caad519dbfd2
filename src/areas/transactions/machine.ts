import { machine, type TriggerOf } from '../../engine/machine.ts';
import type { TRANSACTION_STATUSES } from './schema.ts';

export type Status = (typeof TRANSACTION_STATUSES)[number];

/**
 * Outgoing payments (spec 3.4; the finer states are from the public contract). `emits` is the last part of the event
 * type, `OUTGOING_PAYMENT.<end>`. A refund emits an event, and does not change the status.
 */
export const OUTGOING = machine('outgoing transaction', 'spec 3.4', [
  { from: 'none', on: 'quote', to: 'PENDING' },
  { from: 'none', on: 'accept', to: 'PENDING', emits: 'PENDING' },
  { from: ['PENDING'], on: 'execute', to: 'PENDING', emits: 'PENDING' },
  {
    from: ['PENDING', 'PENDING_AUTHORIZATION'],
    on: 'challenge',
    to: 'PENDING_AUTHORIZATION',
    emits: 'PENDING_AUTHORIZATION',
  },
  { from: ['PENDING_AUTHORIZATION'], on: 'await funds', to: 'PENDING' },
  // `PENDING` was emitted before the challenge.
  { from: ['PENDING_AUTHORIZATION'], on: 'execute', to: 'PENDING_AUTHORIZATION' },
  { from: ['PENDING'], on: 'expire', to: 'EXPIRED', emits: 'EXPIRED' },
  { from: ['PENDING', 'PENDING_AUTHORIZATION'], on: 'process', to: 'PROCESSING', emits: 'PROCESSING' },
  { from: ['PROCESSING'], on: 'complete', to: 'COMPLETED', emits: 'COMPLETED' },
  { from: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'], on: 'fail', to: 'FAILED', emits: 'FAILED' },
  { from: ['COMPLETED'], on: 'return', to: 'FAILED', emits: 'FAILED' },
  { from: ['FAILED'], on: 'refund', to: 'FAILED', emits: 'REFUND_PENDING' },
  { from: ['PROCESSING'], on: 'refund', to: 'PROCESSING', emits: 'REFUND_PENDING' },
  { from: ['FAILED'], on: 'refunded', to: 'FAILED', emits: 'REFUND_COMPLETED' },
  { from: ['PROCESSING'], on: 'refunded', to: 'PROCESSING', emits: 'REFUND_COMPLETED' },
  { from: ['FAILED'], on: 'refund failed', to: 'FAILED', emits: 'REFUND_FAILED' },
]);

/**
 * Incoming payments; `emits` is the last part of the event type, `INCOMING_PAYMENT.<end>`. Approval itself emits
 * nothing.
 */
export const INCOMING = machine('incoming transaction', 'spec 3.4', [
  { from: 'none', on: 'announce', to: 'PENDING', emits: 'PENDING' },
  { from: 'none', on: 'collect', to: 'PENDING' },
  { from: ['PENDING'], on: 'approve', to: 'PROCESSING' },
  { from: ['PENDING'], on: 'reject', to: 'REJECTED', emits: 'FAILED' },
  { from: ['PENDING', 'PROCESSING'], on: 'complete', to: 'COMPLETED', emits: 'COMPLETED' },
  { from: ['PENDING', 'PROCESSING'], on: 'fail', to: 'FAILED', emits: 'FAILED' },
  { from: ['FAILED'], on: 'refund', to: 'FAILED', emits: 'REFUND_PENDING' },
  { from: ['FAILED'], on: 'refunded', to: 'FAILED', emits: 'REFUND_COMPLETED' },
  { from: ['FAILED'], on: 'refund failed', to: 'FAILED', emits: 'REFUND_FAILED' },
]);

/** The refund of a payment, which follows the triggers of the payment. */
export const REFUND = machine('refund', 'spec 3.4', [
  { from: 'none', on: 'refund', to: 'PENDING' },
  { from: ['PENDING'], on: 'refunded', to: 'COMPLETED' },
  { from: ['PENDING'], on: 'refund failed', to: 'FAILED' },
]);

/** The triggers of a payment. */
export type Trigger = TriggerOf<typeof OUTGOING | typeof INCOMING>;
