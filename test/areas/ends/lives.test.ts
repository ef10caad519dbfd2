import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/engine/world.ts';
import { effort } from '../../kit/effort.ts';
import { leftOver } from './invariants.ts';
import { IDS, type ProfileName, type Stage, stage } from './stage.ts';
import { THINGS, type Thing, type ThingName } from './under-way.ts';

/*
 * A life ends while anything at all is under way: nothing of it is left, neither a row nor a job nor a delivery (Y10, docs/state.md).
 */
const PROFILES = (['spec', 'grid'] as const).slice(0, effort(1, 2));
const NAMES = Object.keys(THINGS) as ThingName[];

const plain = (snapshot: Snapshot): unknown => JSON.parse(JSON.stringify(snapshot.tables));
const present = (it: Stage): unknown => plain(it.sandbox.world.snapshot());

/** A world in which a thing is under way, the rows before it, and the first request that it made, if it made one. */
async function begun(profile: ProfileName, { card, agent, begin }: Thing) {
  const it = await stage(profile);
  if (card) it.card = card;
  if (agent) it.agent = agent;
  await it.control('POST', '/snapshots', { name: 'before' });
  const before = present(it);
  const known = new Set([...it.sandbox.requestLog.newest()].map(({ id }) => id));
  await begin(it);
  const first = [...it.sandbox.requestLog.newest()].findLast((entry) => !known.has(entry.id) && entry.before);
  return { it, before, first };
}
type Begun = Awaited<ReturnType<typeof begun>>;

/** The rows that the scenario puts in place. */
async function fresh(profile: ProfileName): Promise<unknown> {
  const known = scenarios.get(profile);
  if (known) return known;
  const it = await stage(profile);
  await it.control('POST', '/reset');
  scenarios.set(profile, present(it));
  return present(it);
}
const scenarios = new Map<ProfileName, unknown>();

/** What a life ends by: it returns the rows that are to be there then. */
const LIVES: Readonly<Record<string, (from: Begun, profile: ProfileName) => Promise<unknown>>> = {
  'sandbox reset': async ({ it }, profile) => {
    expect((await it.control('POST', '/reset')).status).toBe(200);
    return fresh(profile);
  },
  'scenario reloaded': async ({ it }, profile) => {
    await it.host.reload();
    return fresh(profile);
  },
  'state restored': async ({ it, before }) => {
    expect((await it.control('POST', '/snapshots/before/restore')).status).toBe(200);
    return before;
  },
  // What a control did before the first request stays, as `docs/state.md` has it.
  'request rewound': async ({ it, before, first }) => {
    if (!first?.before) return before;
    const rows = plain(it.sandbox.world.snapshotAt(first.before.moment));
    expect((await it.control('POST', `/requests/${first.id}/rewind`)).status).toBe(200);
    return rows;
  },
};

describe.each(PROFILES)('profile %s', (profile) => {
  test.each(NAMES)('%s leaves nothing behind when its life ends, however it does (Y10)', async (name) => {
    for (const [how, end] of Object.entries(LIVES)) {
      const from = await begun(profile, THINGS[name]);
      const { it } = from;
      const rows = await end(from, profile);
      expect(present(it), how).toEqual(rows);
      expect(leftOver(it), how).toEqual([]);
      await it.advance('P8D');
      expect(it.broken, how).toEqual([]);
    }
  });
});

test('a wait for a webhook goes on in the life that a reset begins, and ends with 404 when its sandbox is deleted (Y10)', async () => {
  const it = await stage('spec');
  const waits = it.control('GET', '/webhooks/wait?type=INTERNAL_ACCOUNT.BALANCE_UPDATED&timeoutMs=60000');
  await it.control('POST', '/reset');
  it.token = undefined;
  await it.post(`/sandbox/internal-accounts/${await it.own(IDS.eva)}/fund`, { amount: 1000 });
  expect((await waits).status).toBe(200);
  const { id } = (await it.control('POST', '/sandboxes', {})).body;
  const inVain = it.control('GET', `/webhooks/wait?sandbox=${id}&type=TEST&timeoutMs=60000`);
  await it.control('DELETE', `/sandboxes/${encodeURIComponent(id)}`);
  expect((await inVain).status).toBe(404);
});
