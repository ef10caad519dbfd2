import { fail } from '../contract/errors.ts';
import type { Snapshot, World } from '../engine/world.ts';
import type { Host } from './host.ts';
import { requestToRewind, stateBefore } from './past.ts';
import type { Sandbox } from './sandbox.ts';

/** The forms of a place: a state that can be compared with another. */
export const PLACES =
  '`now`; the name of a snapshot, also as `snapshot:<name>`; `sandbox:<id>` for another sandbox as it is now; `before:<request id>` for the state before a request, `before:last` for the latest that changed something';

/** A state with a name, and the world whose rows it refers to. */
export interface Place {
  readonly name: string;
  readonly state: Snapshot;
  readonly world: World;
}

/** Returns a named snapshot of a sandbox; 404 `REFERENCE_NOT_FOUND`. */
export const snapshotOf = (sandbox: Sandbox, name: string): Snapshot =>
  sandbox.snapshots.get(name) ?? fail('REFERENCE_NOT_FOUND', `there is no snapshot ${name || 'without a name'}`);

type Reads = (host: Host, sandbox: Sandbox, name: string) => Omit<Place, 'name'>;

const READS: Readonly<Record<string, Reads>> = {
  snapshot: (_, sandbox, name) => ({ state: snapshotOf(sandbox, name), world: sandbox.world }),
  sandbox: (host, _, id) => {
    const { world } = host.named(id);
    return { state: world.snapshot(), world };
  },
  before: (_, sandbox, id) => {
    const { world } = sandbox;
    return { state: world.snapshotAt(stateBefore(sandbox, requestToRewind(sandbox, id)).before.moment), world };
  },
};

/**
 * Returns the state that a text names, in the forms of `PLACES`. 404 `REFERENCE_NOT_FOUND` for an unknown snapshot,
 * sandbox or request, 409 `CONFLICT` for a request whose prior state is no longer kept.
 */
export function placeAt(host: Host, sandbox: Sandbox, name: string): Place {
  if (name === 'now') return { name, state: sandbox.world.snapshot(), world: sandbox.world };
  const [, kind = 'snapshot', rest = name] = /^(snapshot|sandbox|before):(.*)$/s.exec(name) ?? [];
  const read = READS[kind] ?? READS['snapshot'];
  return { name, ...(read as Reads)(host, sandbox, rest) };
}
