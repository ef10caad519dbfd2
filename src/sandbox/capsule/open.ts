import { TABLES } from '../../areas.ts';
import { Faults } from '../../contract/faults.ts';
import type { Moment } from '../../engine/history.ts';
import type { Settings } from '../../engine/settings.ts';
import type { Row, Table, TableToken } from '../../engine/table.ts';
import { Writes } from '../../engine/writes.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Capsule, EntryLine } from './schema.ts';

/**
 * Gives a sandbox that began with the state of a capsule its past: changes, log, acts and faults.
 */
export function reviveIn(sandbox: Sandbox, capsule: Capsule): void {
  const { world, requestLog } = sandbox;
  const { history } = world;
  if (!history) throw new Error('a sandbox that began keeps its past');
  const table = (name: string) => world.rows(TABLES.get(name) as TableToken<Row>) as Table<Row>;
  const writes = new Writes();
  for (const { table: name, seq, before } of capsule.changes) writes.add(table(name), seq, before);
  const turns = capsule.entries.reduce((most, { before }) => Math.max(most, before?.turn ?? 0), 0);
  history.revive(writes, turns);
  const faults = capsule.pastFaults.map((state) => {
    const past = new Faults(sandbox.seed);
    past.restore(state);
    return past;
  });
  for (const { before, caused, undone, ...entry } of capsule.entries) {
    const moment = before && momentOf(before, history, capsule.pastSettings as readonly Settings[]);
    requestLog.revive(
      {
        ...entry,
        operation: entry.operation,
        code: entry.code,
        why: entry.why as never,
        ...(undone ? { undone } : {}),
        ...(moment
          ? { before: { moment, faults: before.faults === undefined ? undefined : faults[before.faults] } }
          : {}),
        caused: caused && { ...caused, undone: caused.undone && new Set(caused.undone) },
      },
      world,
    );
  }
  requestLog.reviveActs(capsule.acts);
  sandbox.faults.restore(capsule.faults);
}

/** Returns a moment to go back to, its clock held, because nothing in an open capsule happens by itself. */
const momentOf = (
  { turn, at, ids, clock, settings }: NonNullable<EntryLine['before']>,
  history: Moment['history'],
  past: readonly Settings[],
): Moment => ({ turn, at, history, ids, clock: { ...clock, mode: 'held' }, settings: past[settings] as Settings });

/** Returns the number of the latest request: later ones have higher numbers. */
export const lastRequest = ({ entries }: Capsule): number =>
  entries.reduce((most, { id }) => Math.max(most, Number(/^req_(\d+)$/.exec(id)?.[1] ?? 0)), 0);
