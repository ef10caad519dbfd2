import type { Machine } from '../../kernel/machine.ts';
import type { Status } from './schema.ts';

export type Trigger = 'create regulated' | 'create' | 'create unsubmitted' | 'submit' | 'approve' | 'reject' | 'hold';

/**
 * `kycStatus` (spec 3.1). An event is named by its end: `CUSTOMER.KYC_<end>` for individuals, `KYB` for businesses.
 * The rows with `UNVERIFIED` and `HOLD` are the public contract's.
 */
export const KYC: Machine<Status, Trigger> = {
  name: 'kycStatus',
  transitions: [
    { from: 'none', on: 'create regulated', to: 'APPROVED' },
    { from: 'none', on: 'create', to: 'PENDING' },
    { from: 'none', on: 'create unsubmitted', to: 'UNVERIFIED' },
    { from: 'any', on: 'submit', to: 'PENDING', tells: 'PENDING' },
    { from: ['PENDING', 'UNVERIFIED', 'HOLD'], on: 'approve', to: 'APPROVED', tells: 'APPROVED' },
    { from: ['PENDING', 'UNVERIFIED', 'HOLD'], on: 'reject', to: 'REJECTED', tells: 'REJECTED' },
    { from: 'any', on: 'hold', to: 'HOLD' },
  ],
};
