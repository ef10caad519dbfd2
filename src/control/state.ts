import * as z from 'zod';
import { PARTS } from '../areas.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { diff } from '../kernel/diff.ts';
import { fail } from '../kernel/errors.ts';
import { lazy } from '../kernel/lazy.ts';
import { type Snapshot, World } from '../kernel/world.ts';
import { control } from './control.ts';

const SnapshotShape = lazy(() =>
  z.looseObject({
    format: z.literal(1),
    clock: z.object({ now: z.iso.datetime(), mode: z.enum(['live', 'held']), speed: z.number().min(0.001).max(1e6) }),
    ids: z.object({ seed: z.string(), drawn: z.int().min(0), lastMs: z.int().min(0), tick: z.int().min(0) }),
    settings: z.object({ policies: z.record(z.string(), z.string()), limits: z.record(z.string(), z.number()) }),
    tables: z.array(
      z.object({
        name: z.string(),
        next: z.int().min(0),
        rows: z.array(z.looseObject({ id: z.string() })),
        seqs: z.array(z.int().min(0)).optional(),
      }),
    ),
  }),
);

const SnapshotName = lazy(() =>
  z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/, 'letters, digits, _ . - only') }),
);

const DiffQuery = lazy(() => z.object({ to: z.string().optional() }));

const snapshotOf = (sandbox: Sandbox, name: string): Snapshot =>
  sandbox.snapshots.get(name) ?? fail('REFERENCE_NOT_FOUND', `there is no snapshot ${name}`);

/** Try a state in a world of its own first: one that does not fit must leave the present one alone. */
function rehearse(world: World, snapshot: Snapshot): void {
  const trial = new World({ id: 'trial', seed: 'trial', keySeed: 'trial', profile: world.profile, parts: PARTS });
  try {
    world.openTablesIn(trial);
    trial.restore({
      ...snapshot,
      clock: { ...snapshot.clock, mode: 'held' },
      tables: snapshot.tables.filter((t) => t.name !== 'jobs'),
    });
    if (!snapshot.tables.some((t) => t.name === 'platform' && t.rows.length === 1))
      throw new Error('it has no platform');
  } catch (error) {
    fail('INVALID_INPUT', `this is not a state of this emulator: ${(error as Error).message}`);
  } finally {
    trial.close();
  }
}

export const stateControls = [
  control('POST', '/reset', 'Back to the scenario; ids from the seed again', ({ sandbox }) => {
    sandbox.reset();
    return { clock: sandbox.world.clock.state() };
  }),
  control('GET', '/state', 'The whole world as JSON, in an order that does not change', ({ sandbox }) =>
    sandbox.world.snapshot(),
  ),
  control(
    'PUT',
    '/state',
    'Become a saved state',
    ({ sandbox, body }) => {
      const snapshot = body as unknown as Snapshot;
      rehearse(sandbox.world, snapshot);
      sandbox.restore(snapshot);
      return { clock: sandbox.world.clock.state() };
    },
    { body: SnapshotShape, limit: 4 * 1024 ** 3 },
  ),
  control('GET', '/snapshots', 'List the named snapshots', ({ sandbox }) => ({
    data: [...sandbox.snapshots].map(([name, { clock }]) => ({ name, at: clock.now })),
  })),
  control(
    'POST',
    '/snapshots',
    'Keep the present state under a name',
    ({ sandbox, body }) => {
      const snapshot = sandbox.world.snapshot();
      sandbox.snapshots.set(body.name, snapshot);
      return { name: body.name, at: snapshot.clock.now };
    },
    { body: SnapshotName },
  ),
  control('POST', '/snapshots/:name/restore', 'Go back to a named snapshot', ({ sandbox, params }) => {
    const name = params['name'] as string;
    const snapshot = snapshotOf(sandbox, name);
    sandbox.restore(snapshot);
    return { name, clock: sandbox.world.clock.state() };
  }),
  control('DELETE', '/snapshots/:name', 'Forget a named snapshot', ({ sandbox, params }) => {
    snapshotOf(sandbox, params['name'] as string);
    sandbox.snapshots.delete(params['name'] as string);
    return undefined;
  }),
  control(
    'GET',
    '/snapshots/:name/diff',
    'What changed since a named snapshot; ?to= another snapshot compares the two',
    ({ sandbox, params, query: { to } }) => {
      const before = snapshotOf(sandbox, params['name'] as string);
      return diff(before, to === undefined ? sandbox.world.snapshot() : snapshotOf(sandbox, to));
    },
    { query: DiffQuery },
  ),
];
