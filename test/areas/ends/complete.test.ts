import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JOB_KINDS, OPERATIONS } from '../../../src/areas.ts';
import { ENDS, type End } from './ends.ts';
import { stage } from './stage.ts';
import { NEVER, OUTCOMES } from './table.ts';
import { THINGS, type Thing, type ThingName } from './under-way.ts';

/** Operations that delete something as another does, which is an end of the table. */
const ALIKE: Readonly<Record<string, string>> = {
  agentDeleteExternalAccount: 'deletes an account of a customer as the platform does',
  deletePlatformExternalAccountById: 'deletes an account of the platform as one of a customer',
};

const NAMES = Object.keys(THINGS) as ThingName[];
const EVERY = Object.keys(ENDS) as End[];

test('the table of ends has a cell for every thing under way and every end, and says in three words why one cannot exist (Y10)', () => {
  expect(Object.keys(OUTCOMES)).toEqual(NAMES);
  for (const name of NAMES) {
    expect(Object.keys(OUTCOMES[name]).sort(), name).toEqual([...EVERY].sort());
    for (const says of Object.values(OUTCOMES[name])) {
      expect(says, name).not.toBe('');
      if (says.startsWith(NEVER)) expect(says.slice(NEVER.length).split(' '), `${name}: ${says}`).toHaveLength(3);
    }
  }
});

test('docs/ends.md says how large the table of ends is (Y10)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/ends.md'), 'utf8');
  expect(page).toContain(`${EVERY.length - 1} ends against ${NAMES.length} things under way`);
});

test('every end changes something that is under way, but for those that are known to change nothing (Y10)', () => {
  const idle = EVERY.filter(
    (end) => end !== 'nothing ends' && NAMES.every((name) => OUTCOMES[name][end] === OUTCOMES[name]['nothing ends']),
  );
  expect(idle).toEqual(INERT);
});
/** These are told apart from the others by what they leave alone: nothing under way minds them. */
const INERT: readonly End[] = ['provider link revoked', 'coin disabled', 'webhook endpoint removed'];

/** Work that is nobody's: it goes on whatever ends. */
const NOBODYS: Readonly<Record<string, string>> = {
  'live.payment': 'traffic of the scenario, by anyone who can pay at that moment',
  'live.startOver': 'a new start of the whole sandbox',
};

test('every kind of job that areas declare is under way in a thing of the table of ends, but for live traffic (Y10)', async () => {
  const seen = new Set<string>();
  for (const name of NAMES) {
    const it = await stage('spec');
    const { card, agent, begin, resume, next }: Thing = THINGS[name];
    if (card) it.card = card;
    if (agent) it.agent = agent;
    const { world } = it.sandbox;
    const unwatch = world.watch(() => {
      for (const { kind } of world.scheduler.jobs.rows()) seen.add(kind);
    });
    const id = await begin(it);
    await resume?.(it);
    for (const { kind } of world.scheduler.jobs.rows()) seen.add(kind);
    await next(it, id);
    unwatch();
  }
  const missing = [...JOB_KINDS.keys()].filter((kind) => !seen.has(kind));
  expect(missing, 'give each kind a thing in under-way.ts, and its row in table.ts').toEqual(Object.keys(NOBODYS));
});

test('every DELETE operation is an end of the table, or is like another that is (Y10)', async () => {
  const done = new Set<string>();
  for (const end of EVERY) {
    const it = await stage('spec');
    // What only one thing opens ends with that thing.
    if (OUTCOMES['an invitation'][end] !== OUTCOMES['a payout on its way'][end])
      await THINGS['an invitation'].begin(it);
    await Promise.resolve(ENDS[end](it)).catch(() => undefined);
    for (const { operation } of it.sandbox.requestLog.newest()) if (operation) done.add(operation);
  }
  const missing = OPERATIONS.filter(({ method, id }) => method === 'DELETE' && !done.has(id)).map(({ id }) => id);
  expect(missing.sort(), 'give each an end in ends.ts, and docs/ends.md').toEqual(Object.keys(ALIKE).sort());
});
