import { machine, type TriggerOf } from '../../../engine/machine.ts';

/** The `kycStatus` of an owner: it follows that of the business (spec 2.3), and emits no event. */
export const OWNER = machine('beneficial owner', 'spec 2.3', [
  { from: 'none', on: 'create', to: 'PENDING' },
  { from: 'none', on: 'create unsubmitted', to: 'UNVERIFIED' },
  { from: 'any', on: 'submit', to: 'PENDING' },
  { from: 'any', on: 'approve', to: 'APPROVED' },
  { from: 'any', on: 'reject', to: 'REJECTED' },
  { from: 'any', on: 'leave open', to: 'PENDING' },
]);

export type Trigger = TriggerOf<typeof OWNER>;
