import { machine, type TriggerOf } from '../../../engine/machine.ts';

/**
 * The `verificationStatus` (spec 3.3; the ends are from the public contract). `emits` is the last part of the event
 * type, `VERIFICATION.<end>`.
 */
export const VERIFICATION = machine(
  'verification',
  'verification transitions',
  [
    { from: 'none', on: 'ask for more', to: 'RESOLVE_ERRORS', emits: 'RESOLVE_ERRORS' },
    { from: 'none', on: 'submit', to: 'IN_PROGRESS', emits: 'IN_PROGRESS' },
    { from: 'none', on: 'submit to people', to: 'PENDING_MANUAL_REVIEW', emits: 'PENDING_MANUAL_REVIEW' },
    { from: 'none', on: 'submit, decided in the reply', to: 'IN_PROGRESS' },
    { from: ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'], on: 'approve', to: 'APPROVED', emits: 'APPROVED' },
    { from: ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'], on: 'reject', to: 'REJECTED', emits: 'REJECTED' },
  ],
  'VerificationStatus',
);

export type Trigger = TriggerOf<typeof VERIFICATION>;
