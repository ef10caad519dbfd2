import { isDeepStrictEqual } from 'node:util';
import { inSlices } from '../engine/slices.ts';
import type { Snapshot } from '../engine/world.ts';
import { checking } from './state-check.ts';

/** Snapshots that this process handed out and whose rows no program has read: those are unchanged. */
const own = new WeakMap<object, Snapshot>();

/** The snapshot that each object was handed out for, whatever a program has done with the object since. */
const origins = new WeakMap<object, Snapshot>();

/** Returns the snapshot for which an object was handed out; undefined for a copy, and for a state from elsewhere. */
export const originOf = (state: unknown): Snapshot | undefined =>
  typeof state === 'object' && state !== null ? origins.get(state) : undefined;

/**
 * Returns a snapshot for a program that is recognized when it comes back. A world shares its rows with its snapshots,
 * so a program gets a copy of them. The copy is made at the first read: a program that only restores the snapshot needs
 * none.
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
  origins.set(handed, snapshot);
  return handed as Snapshot;
}

/** Returns the snapshot for which an object of a program stands, if the program changed nothing in it. */
function ownIn(state: unknown): Snapshot | undefined {
  const snapshot = typeof state === 'object' && state !== null ? own.get(state) : undefined;
  if (!snapshot) return undefined;
  const isSame = Object.entries(snapshot).every(
    ([key, value]) => key === 'tables' || isDeepStrictEqual(Reflect.get(state as object, key), value),
  );
  return isSame && Object.keys(state as object).length === Object.keys(snapshot).length ? snapshot : undefined;
}

/**
 * Returns a state as a snapshot that a world can become: one of our own unchanged, any other checked, in slices.
 * Rejects with `StateError`.
 */
export const stateIn = async (state: unknown): Promise<Snapshot> => ownIn(state) ?? inSlices(checking(state));
