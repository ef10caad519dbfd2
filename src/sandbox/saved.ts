import * as z from 'zod';
import { Delay } from '../contract/duration.ts';
import { lazy } from '../contract/lazy.ts';
import type { Snapshot } from '../engine/world.ts';
import { Scenario } from '../scenario/schema.ts';

/** The head of another sandbox in a state file; its state is checked separately. */
const SavedHead = lazy(() =>
  z.strictObject({
    id: z.string().min(1),
    /** Only if a caller requested one. */
    seed: z.string().optional(),
    /** The text that follows the seed of the process in its own seed, if it is not a slash and the id. */
    seededWith: z.string().optional(),
    /** Only if it has an idle time. */
    idle: Delay().optional(),
    webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
    credentials: z
      .array(
        z.strictObject({
          id: z.string().min(1),
          secret: z.string().optional(),
          permissions: z.array(z.enum(['VIEW', 'TRANSACT', 'MANAGE'])),
        }),
      )
      .min(1),
    /** Only if it is not the scenario of the start. */
    scenario: Scenario().optional(),
    state: z.unknown(),
  }),
);

/** The sandboxes of a whole file; one of an earlier release has none. */
export const SavedOthers = lazy(() => z.object({ sandboxes: z.array(SavedHead()).default([]) }));

/** A sandbox as it is saved in a state file. */
export type SavedSandbox = Omit<z.output<ReturnType<typeof SavedHead>>, 'state'> & { state: Snapshot };

/** The contents of a state file: the default sandbox, and the others. */
export interface SavedStates {
  readonly state: Snapshot;
  readonly sandboxes: readonly SavedSandbox[];
}
