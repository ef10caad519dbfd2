import { machine } from '../../engine/machine.ts';

export type Status = 'PENDING' | 'CLAIMED' | 'CANCELLED';

/**
 * The `status` of an invitation, without expiry, which is never written; `emits` is the last part of the event type,
 * `INVITATION.<end>`.
 */
export const INVITATION = machine('invitation', 'spec 2.8', [
  { from: 'none', on: 'invite', to: 'PENDING' },
  { from: ['PENDING'], on: 'claim', to: 'CLAIMED', emits: 'CLAIMED' },
  { from: ['PENDING'], on: 'cancel', to: 'CANCELLED' },
]);
