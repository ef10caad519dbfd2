import { machine, type TriggerOf } from '../../engine/machine.ts';
import type { TRANSACTION_STATUSES } from './schema.ts';

export type Status = (typeof TRANSACTION_STATUSES)[number];

/**
 * Outgoing payments (spec 3.4; the finer states are the public contract's). What a line tells is the end of
 * `OUTGOING_PAYMENT.<end>`. A refund is emitted, and leaves the status as it is.
 */
export const OUTGOING = machine('outgoing transaction', 'spec 3.4', [
  { from: 'none', on: 'quote', to: 'PENDING' },
  { from: 'none', on: 'accept', to: 'PENDING', tells: 'PENDING' },
  { from: ['PENDING'], on: 'execute', to: 'PENDING', tells: 'PENDING' },
  {
    from: ['PENDING', 'PENDING_AUTHORIZATION'],
    on: 'challenge',
    to: 'PENDING_AUTHORIZATION',
    tells: 'PENDING_AUTHORIZATION',
  },
  { from: ['PENDING_AUTHORIZATION'], on: 'await funds', to: 'PENDING' },
  // It was emitted as PENDING before it was challenged.
  { from: ['PENDING_AUTHORIZATION'], on: 'execute', to: 'PENDING_AUTHORIZATION' },
  { from: ['PENDING'], on: 'expire', to: 'EXPIRED', tells: 'EXPIRED' },
  { from: ['PENDING', 'PENDING_AUTHORIZATION'], on: 'process', to: 'PROCESSING', tells: 'PROCESSING' },
  { from: ['PROCESSING'], on: 'complete', to: 'COMPLETED', tells: 'COMPLETED' },
  { from: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'], on: 'fail', to: 'FAILED', tells: 'FAILED' },
  { from: ['COMPLETED'], on: 'return', to: 'FAILED', tells: 'FAILED' },
  { from: ['FAILED'], on: 'refund', to: 'FAILED', tells: 'REFUND_PENDING' },
  { from: ['PROCESSING'], on: 'refund', to: 'PROCESSING', tells: 'REFUND_PENDING' },
  { from: ['FAILED'], on: 'refunded', to: 'FAILED', tells: 'REFUND_COMPLETED' },
  { from: ['PROCESSING'], on: 'refunded', to: 'PROCESSING', tells: 'REFUND_COMPLETED' },
  { from: ['FAILED'], on: 'refund failed', to: 'FAILED', tells: 'REFUND_FAILED' },
]);

/** Incoming payments; what a line tells is the end of `INCOMING_PAYMENT.<end>`. Approval tells nothing by itself. */
export const INCOMING = machine('incoming transaction', 'spec 3.4', [
  { from: 'none', on: 'announce', to: 'PENDING', tells: 'PENDING' },
  { from: 'none', on: 'collect', to: 'PENDING' },
  { from: ['PENDING'], on: 'approve', to: 'PROCESSING' },
  { from: ['PENDING'], on: 'reject', to: 'REJECTED', tells: 'FAILED' },
  { from: ['PENDING', 'PROCESSING'], on: 'complete', to: 'COMPLETED', tells: 'COMPLETED' },
  { from: ['PENDING', 'PROCESSING'], on: 'fail', to: 'FAILED', tells: 'FAILED' },
  { from: ['FAILED'], on: 'refund', to: 'FAILED', tells: 'REFUND_PENDING' },
  { from: ['FAILED'], on: 'refunded', to: 'FAILED', tells: 'REFUND_COMPLETED' },
  { from: ['FAILED'], on: 'refund failed', to: 'FAILED', tells: 'REFUND_FAILED' },
]);

/** The refund of a payment, which goes along with the triggers of the payment. */
export const REFUND = machine('refund', 'spec 3.4', [
  { from: 'none', on: 'refund', to: 'PENDING' },
  { from: ['PENDING'], on: 'refunded', to: 'COMPLETED' },
  { from: ['PENDING'], on: 'refund failed', to: 'FAILED' },
]);

/** Triggers of a payment. */
export type Trigger = TriggerOf<typeof OUTGOING | typeof INCOMING>;
