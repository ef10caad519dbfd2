import { machine } from '../../engine/machine.ts';
import type { JobState } from './schema.ts';

/** `PENDING` stands in states of the first release only: such a job was accepted, and shows as `PROCESSING` (spec 2.7). */
export type Status = JobState | 'PENDING';

/** `status` of a bulk import; what a line tells is the end of `BULK_UPLOAD.<end>`. */
export const BULK_IMPORT = machine('bulk import', 'spec 2.7', [
  { from: 'none', on: 'accept', to: 'PROCESSING' },
  { from: ['PENDING', 'PROCESSING'], on: 'go on', to: 'PROCESSING' },
  { from: ['PENDING', 'PROCESSING'], on: 'complete', to: 'COMPLETED', emits: 'COMPLETED' },
  { from: ['PENDING', 'PROCESSING'], on: 'abandon', to: 'FAILED', emits: 'FAILED' },
]);
