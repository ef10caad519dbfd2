import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { inSlices } from '../../engine/slices.ts';
import type { Snapshot } from '../../engine/world.ts';
import { StateError } from '../complaints.ts';
import { differences } from '../differences.ts';
import { PLACES, placeAt, snapshotOf } from '../places.ts';
import type { Sandbox } from '../sandbox.ts';
import { originOf, stateIn } from '../snapshot.ts';
import { command, noted } from './command.ts';

/**
 * Returns a state from outside, or one that this process handed out. 400 `INVALID_INPUT` with the first twenty
 * mistakes, and the number of the others.
 */
async function sent(body: unknown): Promise<Snapshot> {
  try {
    return await stateIn(body);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const { complaints, more } = error;
    return fail('INVALID_INPUT', `this is not a state of this emulator: ${error.message}`, {
      details: { errors: complaints, ...(more > 0 ? { more } : {}) },
    });
  }
}

/** The most named snapshots of a sandbox: each holds the rows of its moment. */
const MOST_SNAPSHOTS = 1000;

const nameOf = (what: string) => z.string().describe(what);
const named = () => ({ name: nameOf('Its name') });

const rowsNamed = () =>
  z.int().min(0).max(10_000).default(1000).describe('Rows named per table and kind; more are counted');

/** Returns the reply to an act that begins another life. */
const begun = ({ world }: Sandbox) => ({ clock: world.clock.state() });

export const state = {
  capsule: command('The sandbox as a file that opens elsewhere; secrets have stand-ins', async ({ host, sandbox }) => {
    const { capsuleOf } = await import('../capsule/write.ts');
    return capsuleOf(host, sandbox);
  }),
  reset: command('Back to the scenario; ids from the seed again', async ({ sandbox }) => {
    await sandbox.begin({ from: 'scenario' });
    return begun(sandbox);
  }),
  read: command('The whole world as data, in an order that does not change', ({ sandbox }) => sandbox.snapshot()),
  // Checked row by row, not by one schema: a million bad rows would be a million problems.
  write: noted(
    command(
      'Become a saved state',
      () => ({ state: z.unknown().describe('A state that was read, whole') }),
      async ({ sandbox }, { state }) => {
        const checked = await sent(state);
        sandbox.bringBack(checked, originOf(state));
        await sandbox.begin({ from: 'state', state: checked });
        return begun(sandbox);
      },
    ),
    () => ({ what: 'other', words: 'a saved state took the place of this one' }),
  ),
};

export const snapshots = {
  list: command('List the named snapshots', ({ sandbox }) => ({
    data: [...sandbox.snapshots].map(([name, { clock }]) => ({ name, at: clock.now })),
  })),
  keep: command(
    'Keep the present state under a name',
    () => ({
      name: nameOf('The name').regex(/^(?!\.\.?$)[\w.-]{1,100}$/, 'letters, digits, _ . - only, and not . or ..'),
    }),
    ({ sandbox }, { name }) => {
      if (sandbox.snapshots.size >= MOST_SNAPSHOTS && !sandbox.snapshots.has(name))
        fail('CONFLICT', `this sandbox keeps ${MOST_SNAPSHOTS} snapshots already; forget some first`);
      const snapshot = sandbox.snapshot();
      sandbox.snapshots.set(name, snapshot);
      return { name, at: snapshot.clock.now };
    },
  ),
  restore: noted(
    command('Go back to a named snapshot', named, async ({ sandbox }, { name }) => {
      await sandbox.begin({ from: 'state', state: snapshotOf(sandbox, name) });
      return { name, ...begun(sandbox) };
    }),
    (_, { name }) => ({ what: 'other', words: `snapshot ${name} was restored` }),
  ),
  forget: command('Forget a named snapshot', named, ({ sandbox }, { name }) => {
    snapshotOf(sandbox, name);
    sandbox.snapshots.delete(name);
  }),
  diff: command(
    'What changed since a named snapshot, or from it to another; secrets masked',
    () => ({
      name: nameOf('The snapshot to compare with'),
      to: nameOf(`Another state in place of the present: ${PLACES}`).optional(),
      limit: rowsNamed(),
    }),
    async ({ host, sandbox }, { name, to = 'now', limit }) =>
      inSlices(differences(placeAt(host, sandbox, `snapshot:${name}`), placeAt(host, sandbox, to), limit)),
  ),
  compare: command(
    'What differs between any two states, with the names of what differs; secrets masked',
    () => ({
      from: nameOf(`The earlier state: ${PLACES}`),
      to: nameOf(`The later state: ${PLACES}`).default('now'),
      limit: rowsNamed(),
    }),
    async ({ host, sandbox }, { from, to, limit }) =>
      inSlices(differences(placeAt(host, sandbox, from), placeAt(host, sandbox, to), limit)),
  ),
};
