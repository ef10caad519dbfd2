import { machine } from '../../engine/machine.ts';

/** The `status` of a delegated key. It emits no event. */
export const DELEGATED_KEY = machine('delegated key', 'reference: delegated keys, states', [
  { from: 'none', on: 'make', to: 'PENDING' },
  { from: ['PENDING'], on: 'grant', to: 'ACTIVE' },
  { from: ['ACTIVE'], on: 'revoke', to: 'REVOKED' },
]);
