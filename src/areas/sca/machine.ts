import { machine } from '../../engine/machine.ts';

/** A factor that a customer enrols: it counts once its proof was right. */
export const FACTOR = machine('factor', 'reference 8', [
  { from: 'none', on: 'enrol', to: 'PENDING' },
  { from: 'none', on: 'plant', to: 'ACTIVE' },
  { from: ['PENDING'], on: 'confirm', to: 'ACTIVE' },
  { from: ['PENDING'], on: 'lapse', to: 'LAPSED' },
  { from: ['ACTIVE'], on: 'remove', to: 'REMOVED' },
]);

/** The states of a challenge. After too many wrong answers it only waits for its end. */
export const CHALLENGE = machine('challenge', 'reference 9', [
  { from: 'none', on: 'issue', to: 'PENDING' },
  { from: ['PENDING'], on: 'pass', to: 'PASSED' },
  { from: ['PENDING'], on: 'exhaust', to: 'EXHAUSTED' },
  { from: ['PENDING', 'EXHAUSTED'], on: 'replace', to: 'REPLACED' },
  { from: ['PENDING', 'EXHAUSTED'], on: 'expire', to: 'EXPIRED' },
]);

/** The reset of a factor that a customer has lost. */
export const RESET = machine('factor reset', 'reference 8.4', [
  { from: 'none', on: 'start', to: 'INITIATED' },
  { from: ['INITIATED'], on: 'review', to: 'PENDING_REVIEW' },
  { from: ['INITIATED', 'PENDING_REVIEW'], on: 'pass', to: 'LIVENESS_PASSED' },
  { from: ['INITIATED', 'PENDING_REVIEW'], on: 'reject', to: 'REJECTED' },
  { from: ['LIVENESS_PASSED'], on: 'complete', to: 'COMPLETED' },
  { from: ['INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED'], on: 'expire', to: 'EXPIRED' },
]);

/**
 * The states of trust in an account: payments to a trusted one need no authorization. A challenge that ends unanswered
 * changes nothing.
 */
export const TRUST = machine('trust', 'reference 10', [
  { from: 'none', on: 'know', to: 'UNTRUSTED' },
  { from: 'none', on: 'plant', to: 'TRUSTED' },
  { from: ['UNTRUSTED', 'TRUST_PENDING'], on: 'trust', to: 'TRUST_PENDING' },
  { from: ['TRUST_PENDING'], on: 'confirm trust', to: 'TRUSTED' },
  { from: ['TRUST_PENDING'], on: 'lapse', to: 'UNTRUSTED' },
  { from: ['TRUSTED', 'UNTRUST_PENDING'], on: 'untrust', to: 'UNTRUST_PENDING' },
  { from: ['UNTRUST_PENDING'], on: 'confirm untrust', to: 'UNTRUSTED' },
  { from: ['UNTRUST_PENDING'], on: 'lapse', to: 'TRUSTED' },
]);
