import { isDeepStrictEqual } from 'node:util';
import { inSlices } from '../engine/slices.ts';
import type { Snapshot } from '../engine/world.ts';
import { checking } from './state-check.ts';

/** Snapshots that this process handed out and whose rows nobody has looked at: those are what they were. */
const own = new WeakMap<object, Snapshot>();

/**
 * A snapshot for a program, known again when it comes back. The rows of a world are shared with its snapshots, so a program gets a
 * copy of them, made when it first looks: one that only restores it needs none.
 */
export function handOut(snapshot: Snapshot): Snapshot {
  const { tables, ...rest } = snapshot;
  const handed = structuredClone(rest);
  const become = (value: unknown) => {
    own.delete(handed);
    Object.defineProperty(handed, 'tables', { value, writable: true, enumerable: true, configurable: true });
  };
  Object.defineProperty(handed, 'tables', {
    get: () => {
      const copy = structuredClone(tables);
      become(copy);
      return copy;
    },
    set: become,
    enumerable: true,
    configurable: true,
  });
  own.set(handed, snapshot);
  return handed as Snapshot;
}

/** The snapshot that an object of a program stands for, as long as the program changed nothing of it. */
function ownIn(state: unknown): Snapshot | undefined {
  const snapshot = typeof state === 'object' && state !== null ? own.get(state) : undefined;
  if (!snapshot) return undefined;
  const isSame = Object.entries(snapshot).every(
    ([key, value]) => key === 'tables' || isDeepStrictEqual(Reflect.get(state as object, key), value),
  );
  return isSame && Object.keys(state as object).length === Object.keys(snapshot).length ? snapshot : undefined;
}

/** A state as a snapshot that a world can become: one of our own as it is, any other checked, in slices. Rejects with `StateError`. */
export const stateIn = async (state: unknown): Promise<Snapshot> => ownIn(state) ?? inSlices(checking(state));
