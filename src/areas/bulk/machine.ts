import { machine } from '../../engine/machine.ts';
import type { JobState } from './schema.ts';

/**
 * `PENDING` occurs in saved states of the first release only: such a job was accepted, and shows as `PROCESSING` (spec
 * 2.7).
 */
export type Status = JobState | 'PENDING';

/** The `status` of a bulk import; `emits` is the last part of the event type, `BULK_UPLOAD.<end>`. */
export const BULK_IMPORT = machine('bulk import', 'spec 2.7', [
  { from: 'none', on: 'accept', to: 'PROCESSING' },
  { from: ['PENDING', 'PROCESSING'], on: 'go on', to: 'PROCESSING' },
  { from: ['PENDING', 'PROCESSING'], on: 'complete', to: 'COMPLETED', emits: 'COMPLETED' },
  { from: ['PENDING', 'PROCESSING'], on: 'abandon', to: 'FAILED', emits: 'FAILED' },
]);
