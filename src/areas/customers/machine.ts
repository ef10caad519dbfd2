import { machine, type TriggerOf } from '../../engine/machine.ts';

/**
 * The `kycStatus` (spec 3.1). `emits` is the last part of the event type: `CUSTOMER.KYC_<end>` for individuals, `KYB`
 * for businesses. The lines with `UNVERIFIED` and `HOLD` are from the public contract.
 */
export const KYC = machine(
  'customer',
  'spec 3.1',
  [
    { from: 'none', on: 'create regulated', to: 'APPROVED' },
    { from: 'none', on: 'create', to: 'PENDING' },
    { from: 'none', on: 'create unsubmitted', to: 'UNVERIFIED' },
    { from: 'any', on: 'submit', to: 'PENDING', emits: 'PENDING' },
    { from: ['PENDING', 'UNVERIFIED', 'HOLD'], on: 'approve', to: 'APPROVED', emits: 'APPROVED' },
    { from: ['PENDING', 'UNVERIFIED', 'HOLD'], on: 'reject', to: 'REJECTED', emits: 'REJECTED' },
    { from: 'any', on: 'hold', to: 'HOLD' },
  ],
  'KycStatus',
);

export type Trigger = TriggerOf<typeof KYC>;
