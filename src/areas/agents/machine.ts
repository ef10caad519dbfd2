import { machine } from '../../engine/machine.ts';

/** The `status` of a device code; a newer code withdraws it, as does the deletion of its agent. */
export const DEVICE_CODE = machine('device code', 'reference 6.2', [
  { from: 'none', on: 'issue', to: 'ISSUED' },
  { from: ['ISSUED'], on: 'redeem', to: 'REDEEMED' },
  { from: ['ISSUED'], on: 'withdraw', to: 'WITHDRAWN' },
]);

/** The `status` of an action; `emits` is the last part of the event type, `AGENT_ACTION.<end>`. */
export const AGENT_ACTION = machine('agent action', 'reference 6.2', [
  { from: 'none', on: 'run', to: 'APPROVED' },
  { from: 'none', on: 'ask', to: 'PENDING_APPROVAL', emits: 'PENDING_APPROVAL' },
  { from: ['PENDING_APPROVAL'], on: 'approve', to: 'APPROVED' },
  { from: ['PENDING_APPROVAL'], on: 'fail', to: 'FAILED' },
  { from: ['PENDING_APPROVAL'], on: 'reject', to: 'REJECTED' },
]);
