import { commands } from '../../sandbox/commands/index.ts';
import { Act } from '../frame/act.tsx';
import { kindOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Id, Missing, type PageParts, Panel, Resource, Time, times } from '../frame/parts.tsx';
import { escapeControlChars, textOf } from '../frame/text.ts';

type TableDiff = Awaited<ReturnType<typeof commands.snapshots.diff.run>>['tables'][number];
type Change = TableDiff['changed'][number];

const MOST = 40;

/** What changed since a snapshot. */
export async function diff(visit: PageContext, [name = '']: readonly string[]): Promise<PageParts> {
  const { tables, clock, settings } = await visit.ask(commands.snapshots.diff, { name });
  const restore = visit.call(commands.snapshots.restore, { name });
  return {
    title: `Since ${escapeControlChars(name)}`,
    up: { href: visit.to('/inspector/scenario'), label: 'Scenario' },
    lead: (
      <>
        From <Time visit={visit} at={clock.before} /> to <Time visit={visit} at={clock.after} />
      </>
    ),
    tools: <Act sure="Really restore?" call={restore} then="reload" does="Restore it" />,
    call: visit.call(commands.snapshots.diff, { name }),
    body:
      tables.length + settings.length === 0 ? (
        <Missing title="Nothing differs" />
      ) : (
        <div class="stack">
          {settings.length > 0 ? (
            <Panel id="diff-settings" title="Policies and limits">
              <Fields fields={settings} />
            </Panel>
          ) : null}
          {tables.map((table) => (
            <TableCard visit={visit} table={table} />
          ))}
        </div>
      ),
  };
}

const TableCard = ({ visit, table }: { visit: PageContext; table: TableDiff }) => (
  <Panel
    id={`diff-${table.name}`}
    title={kindOf(table.name)?.many ?? table.name}
    tools={<span class="none">{summary(table)}</span>}
  >
    <ul class="diff">
      {table.added.slice(0, MOST).map((id) => (
        <li class="added">
          <b>added</b> <Resource visit={visit} id={id} />
        </li>
      ))}
      {table.removed.slice(0, MOST).map((id) => (
        <li class="removed">
          <b>removed</b> <Id visit={visit} id={id} long />
        </li>
      ))}
      {table.changed.slice(0, MOST).map((change) => (
        <Changed visit={visit} change={change} />
      ))}
    </ul>
  </Panel>
);

const Changed = ({ visit, change: { id, fields } }: { visit: PageContext; change: Change }) => (
  <li class="changed">
    <b>changed</b> <Resource visit={visit} id={id} />
    <Fields fields={fields} />
  </li>
);

const Fields = ({ fields }: { fields: Change['fields'] }) => (
  <ul>
    {fields.slice(0, 20).map(({ path, before, after }) => (
      <li>
        <code>{escapeControlChars(path)}</code> <del>{said(before)}</del> <span aria-hidden="true">→</span>{' '}
        <ins>{said(after)}</ins>
      </li>
    ))}
  </ul>
);

/** How many of each there are, those included that are not named. */
const summary = (table: TableDiff): string =>
  (['added', 'removed', 'changed'] as const)
    .map((what) => [table[what].length + (table.more?.[what] ?? 0), what] as const)
    .filter(([n]) => n > 0)
    .map(([n, what]) => times(n, what, what))
    .join(', ');

function said(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = textOf(value);
  return escapeControlChars(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
