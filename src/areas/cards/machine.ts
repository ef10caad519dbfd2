import { machine } from '../../engine/machine.ts';

/** The `state` of a card (reference 3.4); `PENDING_KYC` exists only in the OpenAPI document. */
export const CARD = machine('card', 'reference 3.4', [
  { from: 'none', on: 'issue', to: 'PROCESSING' },
  { from: ['PROCESSING'], on: 'activate', to: 'ACTIVE', emits: 'STATE_CHANGE' },
  { from: ['PROCESSING'], on: 'reject', to: 'CLOSED', emits: 'STATE_CHANGE' },
  { from: ['ACTIVE'], on: 'freeze', to: 'FROZEN', emits: 'STATE_CHANGE' },
  { from: ['FROZEN'], on: 'unfreeze', to: 'ACTIVE', emits: 'STATE_CHANGE' },
  { from: ['ACTIVE', 'FROZEN'], on: 'close', to: 'CLOSED', emits: 'STATE_CHANGE' },
  { from: ['PROCESSING', 'ACTIVE', 'FROZEN'], on: 'close by service', to: 'CLOSED', emits: 'STATE_CHANGE' },
]);

/**
 * The `status` of a card payment (reference 4.5); `emits` is the last part of the event type, `CARD_TRANSACTION.<end>`,
 * and always the new status.
 */
export const PAYMENT = machine('payment by card', 'reference 4.5', [
  { from: 'none', on: 'authorize', to: 'AUTHORIZED', emits: 'AUTHORIZED' },
  { from: 'none', on: 'authorize and clear', to: 'SETTLED', emits: 'SETTLED' },
  { from: ['AUTHORIZED'], on: 'resize', to: 'AUTHORIZED', emits: 'AUTHORIZED' },
  { from: ['PARTIALLY_SETTLED'], on: 'resize', to: 'PARTIALLY_SETTLED', emits: 'PARTIALLY_SETTLED' },
  {
    from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
    on: 'clear a part',
    to: 'PARTIALLY_SETTLED',
    emits: 'PARTIALLY_SETTLED',
  },
  { from: ['AUTHORIZED', 'PARTIALLY_SETTLED'], on: 'clear', to: 'SETTLED', emits: 'SETTLED' },
  { from: ['PARTIALLY_SETTLED'], on: 'return a part', to: 'PARTIALLY_SETTLED', emits: 'PARTIALLY_SETTLED' },
  { from: ['SETTLED'], on: 'return a part', to: 'SETTLED', emits: 'SETTLED' },
  { from: ['PARTIALLY_SETTLED', 'SETTLED'], on: 'return', to: 'REFUNDED', emits: 'REFUNDED' },
  { from: ['REFUNDED'], on: 'reverse the return', to: 'SETTLED', emits: 'SETTLED' },
  {
    from: ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED'],
    on: 'fail',
    to: 'EXCEPTION',
    emits: 'EXCEPTION',
  },
  { from: ['EXCEPTION'], on: 'fail', to: 'EXCEPTION' },
]);
