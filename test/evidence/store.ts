import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { laidOut } from './layout.ts';
import { nothing, type Observations, observationsOf, within } from './notes.ts';
import { pageOf } from './page.ts';
import { observationsIn } from './read-back.ts';
import { type Evidence, lackingIn, recordOf } from './record.ts';

export const RECORD = 'docs/evidence.json';
export const PAGE = 'docs/reliance.md';
const STALE = `${RECORD} is stale: run npm run evidence`;

/** True while npm run evidence writes instead of comparing. */
export const WRITES = process.env['EVIDENCE'] === 'write';

/** Returns the record of the repository; none where it was never written. */
export const storedRecord = (): Evidence | undefined =>
  existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : undefined;

/** Returns the text of a record as it is kept. */
export const textOf = (record: Evidence): string => `${laidOut(record)}\n`;

/** Writes a record and the page that is made from it. */
export function store(record: Evidence): void {
  writeFileSync(RECORD, textOf(record));
  writeFileSync(PAGE, pageOf(record));
}

/** Returns one run's observations with what another kind of run has to say. */
function joined(ours: Observations, stored: Observations, sees: 'simulations' | 'all else'): Observations {
  const [all, simulations] = sees === 'simulations' ? [stored, ours] : [ours, stored];
  const operations = new Map(
    [...all.operations].map(([id, seen]) => [id, { ...seen, simulations: new Set<string>() }]),
  );
  for (const [id, seen] of simulations.operations)
    for (const file of seen.simulations) within(operations, id, nothing).simulations.add(file);
  return { operations, signed: all.signed };
}

/** Returns the first line in which two texts differ, for a person. */
function firstDifference(stored: string, made: string): string {
  const [theirs, ours] = [stored.split('\n'), made.split('\n')];
  const at = ours.findIndex((line, i) => line !== theirs[i]);
  return `line ${at + 1}:\n  kept: ${theirs[at]?.trim()}\n  seen: ${ours[at]?.trim()}`;
}

/** Returns the sentence of a run that would write another record than the one that is kept. */
export function staleBy(record: Evidence): string | undefined {
  const [kept, made] = [existsSync(RECORD) ? readFileSync(RECORD, 'utf8') : '', textOf(record)];
  return kept === made ? undefined : `${STALE}\n${firstDifference(kept, made)}`;
}

/** Compares what a whole run has noted with the record, or writes it. Returns a sentence where the run has to fail. */
export function settle(
  lines: readonly string[],
  sees: 'simulations' | 'all else',
  project: TestProject,
): string | undefined {
  const failed = project.vitest.state.getCountOfFailedTests();
  if (failed > 0) return WRITES ? `${RECORD} is not written: ${failed} tests failed` : undefined;
  const stored = storedRecord();
  const before: Observations = stored ? observationsIn(stored) : { operations: new Map(), signed: new Map() };
  const record = recordOf(joined(observationsOf(lines), before, sees));
  if (WRITES) {
    store(record);
    const lacking = (['rules', 'contract', 'events'] as const).flatMap((must) => lackingIn(record, must));
    return sees === 'simulations' || lacking.length === 0 ? undefined : `${RECORD} lacks: ${lacking.join('; ')}`;
  }
  return staleBy(record);
}
