import { machine } from '../../engine/machine.ts';

export type Status = 'PENDING' | 'CLAIMED' | 'CANCELLED';

/** `status` of an invitation, whose expiry is seen and never written; what a line tells is the end of `INVITATION.<end>`. */
export const INVITATION = machine('invitation', 'spec 2.8', [
  { from: 'none', on: 'invite', to: 'PENDING' },
  { from: ['PENDING'], on: 'claim', to: 'CLAIMED', emits: 'CLAIMED' },
  { from: ['PENDING'], on: 'cancel', to: 'CANCELLED' },
]);
