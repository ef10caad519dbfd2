import * as z from 'zod';
import { fail } from '../contract/errors.ts';
import { lazy } from '../contract/lazy.ts';
import { QueryInteger } from '../contract/shapes.ts';
import { diff } from '../engine/diff.ts';
import type { Snapshot } from '../engine/world.ts';
import { StateError } from '../sandbox/complaints.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { checkedState } from '../sandbox/state-check.ts';
import { LONGEST_TEXT, streamOf } from '../sandbox/state-text.ts';
import { control } from './control.ts';
import { maskChanges } from './mask.ts';

const SnapshotName = lazy(() =>
  z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/, 'letters, digits, _ . - only') }),
);

const DiffQuery = lazy(() => z.object({ to: z.string().optional(), limit: QueryInteger(0, 1_000_000, 1000) }));

/** Checked as a whole, row by row, and not by one shape: a million bad rows are a million problems. */
const AnyBody = lazy(() => z.unknown());

/** A state that somebody sends; 400 `INVALID_INPUT` with the first twenty things that are wrong, and how many more. */
function foreign(body: unknown): Snapshot {
  try {
    return checkedState(body);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const { complaints, more } = error;
    return fail('INVALID_INPUT', `this is not a state of this emulator: ${error.message}`, {
      details: { errors: complaints, ...(more > 0 ? { more } : {}) },
    });
  }
}

const snapshotOf = (sandbox: Sandbox, name: string): Snapshot =>
  sandbox.snapshots.get(name) ?? fail('REFERENCE_NOT_FOUND', `there is no snapshot ${name}`);

export const stateControls = [
  control('POST', '/reset', 'Back to the scenario; ids from the seed again', async ({ sandbox }) => {
    await sandbox.begin({ from: 'scenario' });
    return { clock: sandbox.world.clock.state() };
  }),
  control(
    'GET',
    '/state',
    'The whole world as JSON, a row a line, in an order that does not change',
    ({ sandbox }) =>
      new Response(streamOf(sandbox.world.snapshot()), { headers: { 'content-type': 'application/json' } }),
  ),
  control(
    'PUT',
    '/state',
    'Become a saved state',
    async ({ sandbox, body }) => {
      await sandbox.begin({ from: 'state', state: foreign(body) });
      return { clock: sandbox.world.clock.state() };
    },
    { body: AnyBody, limit: LONGEST_TEXT },
  ),
  control('GET', '/snapshots', 'List the named snapshots', ({ sandbox }) => ({
    data: [...sandbox.snapshots].map(([name, { clock }]) => ({ name, at: clock.now })),
  })),
  control(
    'POST',
    '/snapshots',
    'Keep the present state under a name',
    ({ sandbox, body }) => {
      const snapshot = sandbox.snapshot();
      sandbox.snapshots.set(body.name, snapshot);
      return { name: body.name, at: snapshot.clock.now };
    },
    { body: SnapshotName },
  ),
  control('POST', '/snapshots/:name/restore', 'Go back to a named snapshot', async ({ sandbox, params }) => {
    const name = params['name'] as string;
    await sandbox.begin({ from: 'state', state: snapshotOf(sandbox, name) });
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
    'What changed since a named snapshot; ?to= another snapshot compares the two, ?limit= rows a table are named (1,000)',
    ({ sandbox, params, query: { to, limit } }) => {
      const before = snapshotOf(sandbox, params['name'] as string);
      return maskChanges(diff(before, to === undefined ? sandbox.world.snapshot() : snapshotOf(sandbox, to), limit));
    },
    { query: DiffQuery },
  ),
];
