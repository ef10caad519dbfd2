import type { Faults } from '../contract/faults.ts';
import type { Moment } from '../engine/history.ts';

/** A point in the past of a sandbox: its world and its faults at that moment. */
export interface Before {
  readonly moment: Moment;
  readonly faults: Faults | undefined;
}
