import { machine, type TriggerOf } from '../../engine/machine.ts';
import type { TRANSACTION_STATUSES } from './schema.ts';

export type Status = (typeof TRANSACTION_STATUSES)[number];

/**
 * Outgoing payments (spec 3.4; the finer states are the public contract's). What a line tells is the end of
 * `OUTGOING_PAYMENT.<end>`. A refund is emitted, and leaves the status as it is.
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
  // It was emitted as PENDING before it was challenged.
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

/** Incoming payments; what a line tells is the end of `INCOMING_PAYMENT.<end>`. Approval tells nothing by itself. */
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

/** The refund of a payment, which goes along with the triggers of the payment. */
export const REFUND = machine('refund', 'spec 3.4', [
  { from: 'none', on: 'refund', to: 'PENDING' },
  { from: ['PENDING'], on: 'refunded', to: 'COMPLETED' },
  { from: ['PENDING'], on: 'refund failed', to: 'FAILED' },
]);

/** Triggers of a payment. */
export type Trigger = TriggerOf<typeof OUTGOING | typeof INCOMING>;
