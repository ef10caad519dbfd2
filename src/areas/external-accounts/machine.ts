import type { Machine } from '../../kernel/machine.ts';
import type { Status } from './schema.ts';

export type Trigger = 'create' | 'create later' | 'create unproven' | 'activate' | 'challenge' | 'prove' | 'fail';

/** `status` of an external account; every line that leads from one status to another tells of it. */
export const EXTERNAL_ACCOUNT: Machine<Status, Trigger> = {
  name: 'external account',
  transitions: [
    { from: 'none', on: 'create', to: 'ACTIVE' },
    { from: 'none', on: 'create later', to: 'PENDING' },
    { from: 'none', on: 'create unproven', to: 'PENDING_OWNERSHIP_VERIFICATION' },
    { from: ['PENDING'], on: 'activate', to: 'ACTIVE' },
    { from: ['PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED'], on: 'challenge', to: 'PENDING_OWNERSHIP_VERIFICATION' },
    { from: ['PENDING_OWNERSHIP_VERIFICATION'], on: 'prove', to: 'ACTIVE' },
    { from: ['PENDING_OWNERSHIP_VERIFICATION'], on: 'fail', to: 'UNVERIFIED' },
  ],
};
