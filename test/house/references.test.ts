import { expect, test } from 'vitest';
import { TABLES } from '../../src/areas.ts';
import type { Row } from '../../src/engine/table.ts';
import { fullLife } from '../kit/full-life.ts';

/** Ids that a row says it refers to. */
function declared(table: string, row: Row): Set<string> {
  const token = TABLES.get(table);
  const ids = new Set<string>();
  for (const [member, reference] of Object.entries(token?.refers ?? {})) {
    const found: unknown = typeof reference === 'string' ? row[member as 'id'] : reference.of(row);
    for (const id of [found].flat()) if (typeof id === 'string') ids.add(id);
  }
  return ids;
}

test.each(['spec', 'grid'] as const)(
  'a member whose name ends in Id and that names a row of another table is declared as a reference, profile %s',
  async (profile) => {
    const it = await fullLife(profile);
    const { tables } = it.sandbox.world.snapshot();
    const known = new Map<string, string>();
    for (const { name, rows } of tables) for (const { id } of rows) known.set(id, name);
    const dangling = new Set<string>();
    for (const { name, rows } of tables)
      for (const row of rows) {
        const refers = declared(name, row as Row);
        for (const [member, value] of Object.entries(row)) {
          if (typeof value !== 'string' || !member.endsWith('Id')) continue;
          if (known.has(value) && value !== row.id && !refers.has(value))
            dangling.add(`${name}.${member}: ${known.get(value)}`);
        }
      }
    it.host.close();
    expect([...dangling].sort()).toEqual([]);
  },
);
