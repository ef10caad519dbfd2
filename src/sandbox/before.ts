import type { Faults } from '../contract/faults.ts';
import type { Moment } from '../engine/history.ts';

/** A point in the past of a sandbox: its world, and the faults that there were. */
export interface Before {
  readonly moment: Moment;
  readonly faults: Faults | undefined;
}
