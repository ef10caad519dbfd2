import { machine } from '../../engine/machine.ts';

/** `state` of a card (reference 3.4); `PENDING_KYC` is in the document only. */
export const CARD = machine('card', 'reference 3.4', [
  { from: 'none', on: 'issue', to: 'PROCESSING' },
  { from: ['PROCESSING'], on: 'activate', to: 'ACTIVE', tells: 'STATE_CHANGE' },
  { from: ['PROCESSING'], on: 'reject', to: 'CLOSED', tells: 'STATE_CHANGE' },
  { from: ['ACTIVE'], on: 'freeze', to: 'FROZEN', tells: 'STATE_CHANGE' },
  { from: ['FROZEN'], on: 'unfreeze', to: 'ACTIVE', tells: 'STATE_CHANGE' },
  { from: ['ACTIVE', 'FROZEN'], on: 'close', to: 'CLOSED', tells: 'STATE_CHANGE' },
  { from: ['PROCESSING', 'ACTIVE', 'FROZEN'], on: 'close by service', to: 'CLOSED', tells: 'STATE_CHANGE' },
]);

/**
 * `status` of a payment by card (reference 4.5); what a line tells is the end of `CARD_TRANSACTION.<end>`, always the status
 * that it leads to.
 */
export const PAYMENT = machine('payment by card', 'reference 4.5', [
  { from: 'none', on: 'authorize', to: 'AUTHORIZED', tells: 'AUTHORIZED' },
  { from: 'none', on: 'authorize and clear', to: 'SETTLED', tells: 'SETTLED' },
  { from: ['AUTHORIZED'], on: 'resize', to: 'AUTHORIZED', tells: 'AUTHORIZED' },
  { from: ['PARTIALLY_SETTLED'], on: 'resize', to: 'PARTIALLY_SETTLED', tells: 'PARTIALLY_SETTLED' },
  {
    from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
    on: 'clear a part',
    to: 'PARTIALLY_SETTLED',
    tells: 'PARTIALLY_SETTLED',
  },
  { from: ['AUTHORIZED', 'PARTIALLY_SETTLED'], on: 'clear', to: 'SETTLED', tells: 'SETTLED' },
  { from: ['PARTIALLY_SETTLED'], on: 'return a part', to: 'PARTIALLY_SETTLED', tells: 'PARTIALLY_SETTLED' },
  { from: ['SETTLED'], on: 'return a part', to: 'SETTLED', tells: 'SETTLED' },
  { from: ['PARTIALLY_SETTLED', 'SETTLED'], on: 'return', to: 'REFUNDED', tells: 'REFUNDED' },
  { from: ['REFUNDED'], on: 'reverse the return', to: 'SETTLED', tells: 'SETTLED' },
  {
    from: ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED'],
    on: 'fail',
    to: 'EXCEPTION',
    tells: 'EXCEPTION',
  },
  { from: ['EXCEPTION'], on: 'fail', to: 'EXCEPTION' },
]);
