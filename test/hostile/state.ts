import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '../../src/engine/world.ts';

/** Tables that a refusal may write to: the first answer of an idempotency key may be a refusal. */
const MAY_KEEP: ReadonlySet<string> = new Set(['idempotency']);

/** What differs between two moments of a world, in a few words; rows are values, so the same row is the same object. */
export function difference(before: Snapshot, after: Snapshot): string | undefined {
  if (before.ids.drawn !== after.ids.drawn || before.ids.seed !== after.ids.seed)
    return 'the position of the id stream';
  if (before.settings !== after.settings && !isDeepStrictEqual(before.settings, after.settings)) return 'the settings';
  if (before.clock.mode !== after.clock.mode || before.clock.speed !== after.clock.speed) return 'how the clock runs';
  if (after.clock.mode === 'held' && before.clock.now !== after.clock.now) return 'the time';
  const earlier = new Map(before.tables.map((table) => [table.name, table]));
  for (const { name, rows, next } of after.tables) {
    const old = earlier.get(name);
    if (MAY_KEEP.has(name)) continue;
    if ((old?.next ?? 0) !== next || (old?.rows.length ?? 0) !== rows.length) return `the number of rows of ${name}`;
    for (let i = 0; i < rows.length; i += 1) if (rows[i] !== old?.rows[i]) return `${rows[i]?.id} of ${name}`;
  }
  return undefined;
}

/** How many rows there are. */
export const sizeOf = (snapshot: Snapshot): number => snapshot.tables.reduce((sum, { rows }) => sum + rows.length, 0);
