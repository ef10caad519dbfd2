import { machine, type TriggerOf } from '../../engine/machine.ts';

/** The `status` of an external account; every transition from one status to another emits an event. */
export const EXTERNAL_ACCOUNT = machine('external account', 'external account transitions', [
  { from: 'none', on: 'create', to: 'ACTIVE' },
  { from: 'none', on: 'create later', to: 'PENDING' },
  { from: 'none', on: 'create unproven', to: 'PENDING_OWNERSHIP_VERIFICATION' },
  { from: ['PENDING'], on: 'activate', to: 'ACTIVE', emits: 'STATUS_UPDATED' },
  { from: ['PENDING_OWNERSHIP_VERIFICATION'], on: 'challenge', to: 'PENDING_OWNERSHIP_VERIFICATION' },
  { from: ['UNVERIFIED'], on: 'challenge', to: 'PENDING_OWNERSHIP_VERIFICATION', emits: 'STATUS_UPDATED' },
  { from: ['PENDING_OWNERSHIP_VERIFICATION'], on: 'prove', to: 'ACTIVE', emits: 'STATUS_UPDATED' },
  { from: ['PENDING_OWNERSHIP_VERIFICATION'], on: 'fail', to: 'UNVERIFIED', emits: 'STATUS_UPDATED' },
]);

export type Trigger = TriggerOf<typeof EXTERNAL_ACCOUNT>;
