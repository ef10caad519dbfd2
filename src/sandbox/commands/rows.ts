import * as z from 'zod';
import { TABLES } from '../../areas.ts';
import { fail } from '../../contract/errors.ts';
import { render } from '../../contract/profile.ts';
import { pageInput } from '../../contract/shapes.ts';
import { maskValue } from '../../engine/masking.ts';
import { mapPage } from '../../engine/page.ts';
import { isResource } from '../../engine/resource.ts';
import { isSecretOf } from '../../engine/secrets.ts';
import type { Row, TableToken } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { find } from '../find.ts';
import { byId, command } from './command.ts';
import { decisions } from './decisions.ts';

type Token = TableToken<Row>;

/** Returns a row as the API shows it, or as it is stored if the API does not show it; secrets masked. */
function show(world: World, token: Token, row: Row): unknown {
  const view = isResource(token) ? token.view : undefined;
  const shown = view ? JSON.parse(render(world.profile, view(row, world))) : row;
  return maskValue(shown, isSecretOf(token));
}

const named = (name: string): Token =>
  TABLES.get(name) ??
  fail('REFERENCE_NOT_FOUND', `there is no table ${name}; GET /_emulator/tables lists those that hold something`);

export const rows = {
  tables: command('The tables that hold something, and how many rows each has', ({ sandbox: { world } }) => ({
    data: world.tables().map(({ name, size }) => {
      const token = TABLES.get(name);
      return { name, rows: size, ...(token && isResource(token) ? { what: token.about } : {}) };
    }),
  })),
  list: command(
    'The rows of a table, newest first, as the API shows them; secrets masked',
    () => ({ name: z.string().describe('Its name, such as customers'), ...pageInput() }),
    ({ sandbox: { world } }, { name, limit, cursor }) => {
      const token = named(name);
      return mapPage(world.rows(token).page({ limit, cursor, withHidden: true }), (row) => show(world, token, row));
    },
  ),
  read: command(
    'Whatever has an id: as the API shows it, and what can be decided about it by hand',
    byId('resource'),
    ({ sandbox: { world } }, { id }) => {
      const { kind, row } = find(world, id) ?? fail('REFERENCE_NOT_FOUND', `there is no ${id} in this sandbox`);
      const note = kind.note?.(row, world);
      return {
        table: kind.name,
        resource: show(world, kind, row),
        ...(note === undefined ? {} : { note }),
        decisions: decisions
          .filter(({ table }) => table.name === kind.name)
          .flatMap(({ name, choices }) => choices(world, row).map(({ label, body }) => ({ name, label, body }))),
      };
    },
  ),
};
