import { inSlices } from '../engine/slices.ts';
import type { Snapshot } from '../engine/world.ts';
import { checking } from './state-check.ts';

/** Snapshots that this process handed out: those that come back as they were are taken at their word. */
const own = new WeakMap<object, Snapshot>();

/** A snapshot to hand out, known again when it comes back. */
export function handOut(snapshot: Snapshot): Snapshot {
  const handed = { ...snapshot };
  own.set(handed, snapshot);
  return handed;
}

function ownIn(state: unknown): Snapshot | undefined {
  const snapshot = typeof state === 'object' && state !== null ? own.get(state) : undefined;
  const isSame =
    snapshot && Object.entries(snapshot).every(([key, value]) => Reflect.get(state as object, key) === value);
  return isSame ? snapshot : undefined;
}

/** A state as a snapshot that a world can become: one of our own as it is, any other checked, in slices. Rejects with `StateError`. */
export const stateIn = async (state: unknown): Promise<Snapshot> => ownIn(state) ?? inSlices(checking(state));
