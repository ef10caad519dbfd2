import * as z from 'zod';
import { lazy } from '../contract/lazy.ts';
import type { Snapshot } from '../engine/world.ts';
import { Scenario } from '../scenario/schema.ts';

/** What a state file says of a sandbox beside the default one; its state is checked by itself. */
const SavedHead = lazy(() =>
  z.strictObject({
    id: z.string().min(1),
    /** Only where one was asked for. */
    seed: z.string().optional(),
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
    /** Only where it is not the scenario of the start. */
    scenario: Scenario().optional(),
    state: z.unknown(),
  }),
);

/** Those of a whole file; one of an earlier release has none. */
export const SavedOthers = lazy(() => z.object({ sandboxes: z.array(SavedHead()).default([]) }));

/** A sandbox as a state file keeps it. */
export type SavedSandbox = Omit<z.output<ReturnType<typeof SavedHead>>, 'state'> & { state: Snapshot };

/** What a state file holds: the default sandbox, and the others. */
export interface SavedStates {
  readonly state: Snapshot;
  readonly sandboxes: readonly SavedSandbox[];
}
