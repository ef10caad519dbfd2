import { commands } from '../../sandbox/commands/index.ts';
import type { WordedDifferences } from '../../sandbox/differences.ts';
import { Act } from '../frame/act.tsx';
import { Choice, Submit } from '../frame/form.tsx';
import { kindOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Missing, type PageParts, Panel, Resource, Time, times } from '../frame/parts.tsx';
import { escapeControlChars, shortId, textOf } from '../frame/text.ts';
import { SandboxField } from '../search/box.tsx';

type TableDiff = WordedDifferences['tables'][number];
type Change = TableDiff['changed'][number];
type Names = WordedDifferences['names'];

const MOST = 40;
/** The most requests and sandboxes that a choice offers. */
const OFFERED = 20;
const PATH = '/inspector/compare';

/** Shows the differences between a snapshot and now. */
export async function diff(visit: PageContext, [name = '']: readonly string[]): Promise<PageParts> {
  const restore = visit.call(commands.snapshots.restore, { name });
  const page = await comparison(visit, `snapshot:${name}`, 'now');
  return {
    ...page,
    title: `Since ${escapeControlChars(name)}`,
    tools: <Act sure="Really restore?" call={restore} then="reload" does="Restore it" />,
  };
}

/** Shows the differences between any two states that the address names (W15). */
export async function compare(visit: PageContext): Promise<PageParts> {
  const from = visit.query('from');
  if (from !== undefined) return comparison(visit, from, visit.query('to') ?? 'now');
  return {
    title: 'Compare two states',
    up: UP(visit),
    lead: 'Choose an earlier and a later state.',
    body: <Places visit={visit} from={undefined} to="now" />,
  };
}

const UP = (visit: PageContext) => ({ href: visit.to('/inspector/scenario'), label: 'Scenario' });

async function comparison(visit: PageContext, from: string, to: string): Promise<PageParts> {
  const found = await visit.ask(commands.snapshots.compare, { from, to });
  const { tables, clock, settings, names } = found;
  return {
    title: 'What differs',
    up: UP(visit),
    lead: (
      <>
        From <Time visit={visit} at={clock.before} /> to <Time visit={visit} at={clock.after} />
      </>
    ),
    call: visit.call(commands.snapshots.compare, { from, to }),
    body: (
      <>
        <Places visit={visit} from={from} to={to} />
        {tables.length + settings.length === 0 ? (
          <Missing title="Nothing differs" />
        ) : (
          <div class="stack">
            {settings.length > 0 ? (
              <Panel id="diff-settings" title="Policies and limits">
                <Fields fields={settings} names={names} />
              </Panel>
            ) : null}
            {tables.map((table) => (
              <TableCard visit={visit} table={table} names={names} />
            ))}
          </div>
        )}
      </>
    ),
  };
}

/** The states to choose from, always with the one that is shown. */
const Places = ({ visit, from, to }: { visit: PageContext; from: string | undefined; to: string }) => {
  const options = placesOf(visit);
  const withChosen = (chosen: string | undefined) =>
    chosen === undefined || options.some(([value]) => value === chosen)
      ? options
      : [...options, [chosen, escapeControlChars(chosen)] as const];
  return (
    <form class="filter" method="get" action={PATH} aria-label="States to compare">
      <SandboxField visit={visit} />
      <Choice name="from" label="The earlier state" any="Earlier state" options={withChosen(from)} value={from} />
      <Choice name="to" label="The later state" any="Later state: now" options={withChosen(to)} value={to} />
      <Submit label="Compare" main />
    </form>
  );
};

function placesOf(visit: PageContext): readonly (readonly [value: string, words: string])[] {
  const { sandbox, host } = visit;
  const changing = [];
  for (const entry of sandbox.requestLog.newest()) {
    if ((sandbox.changesSince(entry) ?? 0) > 0 && entry.method !== 'GET') changing.push(entry);
    if (changing.length === OFFERED) break;
  }
  const others = [...host.sandboxes].filter((one) => one !== sandbox).slice(-OFFERED);
  return [
    ['now', 'now'],
    ...[...sandbox.snapshots.keys()].map((name) => [`snapshot:${name}`, `snapshot ${name}`] as const),
    ...others.map(({ id }) => [`sandbox:${id}`, `sandbox ${id}, now`] as const),
    ...changing.map(({ id, operation, method }) => [`before:${id}`, `before ${id}, ${operation ?? method}`] as const),
  ];
}

const TableCard = ({ visit, table, names }: { visit: PageContext; table: TableDiff; names: Names }) => (
  <Panel
    id={`diff-${table.name}`}
    title={kindOf(table.name)?.many ?? table.name}
    tools={<span class="none">{summary(table)}</span>}
  >
    <ul class="diff">
      {table.added.slice(0, MOST).map((id) => (
        <li class="added">
          <b>added</b> <RowName visit={visit} id={id} names={names} />
        </li>
      ))}
      {table.removed.slice(0, MOST).map((id) => (
        <li class="removed">
          <b>removed</b> <RowName visit={visit} id={id} names={names} />
        </li>
      ))}
      {table.changed.slice(0, MOST).map((change) => (
        <Changed visit={visit} change={change} names={names} />
      ))}
    </ul>
  </Panel>
);

/** A row by its name and its id; one that is not in this sandbox is not a link. */
const RowName = ({ visit, id, names }: { visit: PageContext; id: string; names: Names }) => {
  const name = names[id];
  if (name === undefined) return <Resource visit={visit} id={id} />;
  const to = href(visit, id);
  const both = (
    <>
      {escapeControlChars(name)} <small class="id">{shortId(id)}</small>
    </>
  );
  return to === undefined ? both : <a href={to}>{both}</a>;
};

const Changed = ({ visit, change: { id, fields }, names }: { visit: PageContext; change: Change; names: Names }) => (
  <li class="changed">
    <b>changed</b> <RowName visit={visit} id={id} names={names} />
    <Fields fields={fields} names={names} />
  </li>
);

const Fields = ({ fields, names }: { fields: readonly Field[]; names: Names }) => (
  <ul>
    {fields.slice(0, 20).map(({ path, before, after, words }) => (
      <li>
        <code>{escapeControlChars(path)}</code>{' '}
        {words === undefined ? (
          <>
            <del>{said(before, names)}</del> <span aria-hidden="true">→</span> <ins>{said(after, names)}</ins>
          </>
        ) : (
          escapeControlChars(words.replace('->', '→'))
        )}
      </li>
    ))}
  </ul>
);

interface Field {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly words?: string;
}

/** Returns the number of changes of each kind, including those that are not named. */
const summary = (table: TableDiff): string =>
  (['added', 'removed', 'changed'] as const)
    .map((what) => [table[what].length + (table.more?.[what] ?? 0), what] as const)
    .filter(([n]) => n > 0)
    .map(([n, what]) => times(n, what, what))
    .join(', ');

function said(value: unknown, names: Names): string {
  if (value === undefined) return 'nothing';
  const text = (typeof value === 'string' && names[value]) || textOf(value);
  return escapeControlChars(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
