import { describe, expect, test } from 'vitest';
import { effort } from '../../kit/effort.ts';
import { unbalanced } from '../../kit/sandbox.ts';
import { ENDS, type End } from './ends.ts';
import { checkCardLines, leftOver } from './invariants.ts';
import { type ProfileName, type Stage, stage } from './stage.ts';
import { NEVER, OUTCOMES, OUTCOMES_OF_GRID, type Row } from './table.ts';
import { THINGS, type Thing, type ThingName } from './under-way.ts';

/*
 * Two rules at once: whatever ends, while anything else is under way (Y10). The table is data: what ends in ends.ts, what can be
 * under way in under-way.ts, what comes of it in table.ts. docs/ends.md says it in words.
 */
const PROFILES: readonly ProfileName[] = ['spec', 'grid'];
const NAMES = Object.keys(THINGS) as ThingName[];
const EVERY = Object.keys(ENDS) as End[];

/** A world in which a thing is under way, kept so that each cell begins there. */
async function begun(profile: ProfileName, { card, agent, begin }: Thing) {
  const it = await stage(profile);
  if (card) it.card = card;
  if (agent) it.agent = agent;
  const id = await begin(it);
  expect((await it.control('POST', '/snapshots', { name: 'under-way' })).status).toBe(200);
  const { token } = it;
  return {
    it,
    id,
    again: async () => {
      it.token = token;
      expect((await it.control('POST', '/snapshots/under-way/restore')).status).toBe(200);
    },
  };
}

/** What comes of a cell; the end that is refused is none. */
async function cell(it: Stage, id: string, end: End, { resume, next }: Thing): Promise<string> {
  await resume?.(it);
  try {
    await ENDS[end](it);
  } catch {
    return NEVER;
  }
  expect(leftOver(it), `jobs that are to do something to what no longer exists, after: ${end}`).toEqual([]);
  const came = await next(it, id);
  checkCardLines(it);
  expect(unbalanced(it.sandbox), `postings do not sum to zero, after: ${end}`).toEqual([]);
  expect(leftOver(it), `jobs left over at the end, after: ${end}`).toEqual([]);
  return came;
}

describe.each(PROFILES)('profile %s', (profile) => {
  test.each(NAMES)(
    '%s comes to what the table of ends says, whatever else ends in the meantime (Y10)',
    async (name) => {
      const { it, id, again } = await begun(profile, THINGS[name]);
      const told: Row = { ...OUTCOMES[name], ...(profile === 'grid' ? OUTCOMES_OF_GRID[name] : {}) };
      const seen: Record<string, string> = {};
      for (const end of EVERY) {
        // What no end of profile spec touches is looked at in profile grid when there is time: `npm run test:thorough`.
        const isQuiet = end !== 'nothing ends' && told[end] === told['nothing ends'];
        if (profile === 'grid' && isQuiet && effort(1, 2) === 1) {
          seen[end] = told[end];
          continue;
        }
        await again();
        const came = await cell(it, id, end, THINGS[name]);
        seen[end] = came === NEVER && told[end].startsWith(NEVER) ? told[end] : came;
      }
      expect(seen).toEqual(told);
      expect(it.broken).toEqual([]);
    },
  );
});
