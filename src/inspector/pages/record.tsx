import type { Child } from 'hono/jsx';
import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import { fail } from '../../contract/errors.ts';
import { render } from '../../contract/profile.ts';
import { maskValue } from '../../engine/masking.ts';
import type { Resource } from '../../engine/resource.ts';
import { isSecretOf } from '../../engine/secrets.ts';
import type { Row } from '../../engine/table.ts';
import { Act, Copy } from '../act.tsx';
import { decisionsOn, Plan } from '../decisions.tsx';
import { hooksAbout } from '../hooks.ts';
import { Json } from '../json.tsx';
import { type Found, kindOf, nameOf } from '../kinds.ts';
import type { PageContext } from '../page-context.ts';
import { Badge, count, Empty, Id, type PageParts, Panel, Rows, times } from '../parts.tsx';
import { callsAbout, type Related, related, SHOWN } from '../related.ts';
import { HookRow, RequestRow } from '../rows.tsx';
import { RowLink, TableRows } from '../table-rows.tsx';
import { escapeControlChars, moneyText, parsed } from '../text.ts';

/** One resource: as the API shows it, and all that refers to it. */
export function record(visit: PageContext, [name = '', id = '']: readonly string[]): PageParts {
  const kind = kindOf(name) ?? fail('REFERENCE_NOT_FOUND', `there is no table ${name}`);
  const row =
    visit.world.rows(kind).get(id) ?? fail('REFERENCE_NOT_FOUND', `there is no ${kind.one.toLowerCase()} ${id}`);
  const found: Found = { kind, row };
  const title = escapeControlChars(nameOf(visit, found) ?? kind.one);
  const acts = decisionsOn(visit, found);
  return {
    title,
    up: { href: visit.to(`/inspector/state/${encodeURIComponent(name)}`), label: kind.many },
    lead: <Lead visit={visit} found={found} />,
    live: 'request fact delivery clock reset',
    tools: acts.map(({ label, call, danger }) => <Act call={call} danger={danger ?? false} does={label} />),
    hint: acts[0]?.call,
    body: <Whole visit={visit} found={found} />,
  };
}

const Lead = ({ visit, found: { kind, row } }: { visit: PageContext; found: Found }) => {
  const status = kind.columns.find(({ as }) => as === 'status')?.of(row, visit.world);
  const [first] = kind.columns;
  const money = first?.as === 'money' ? first.of(row, visit.world) : undefined;
  const note = kind.note?.(row, visit.world);
  return (
    <span class="record-lead">
      {typeof status === 'string' ? <Badge of={status} /> : null}{' '}
      {typeof money === 'string' ? <b>{moneyText(money)}</b> : null} {kind.one}{' '}
      <code>{escapeControlChars(row.id)}</code> <Copy text={row.id} label="Copy the id" />
      {note === undefined ? null : <span> {escapeControlChars(note)}</span>}
    </span>
  );
};

/** A card payment has no plan: the network moves it on. */
const isByCard = ({ world }: PageContext, id: string): boolean => world.rows(TRANSACTIONS).get(id)?.type === 'CARD';

const Whole = ({ visit, found }: { visit: PageContext; found: Found }) => {
  const { kind, row } = found;
  const refers = related(visit, found);
  const referring = (wide: boolean) =>
    refers.filter((one) => isWide(one) === wide).map((one) => <Referring visit={visit} related={one} of={row.id} />);
  return (
    <div class="columns wide-aside">
      <div>
        <AsShown visit={visit} found={found} />
        {referring(true)}
      </div>
      <div class="aside">
        {kind.name === TRANSACTIONS.name && !isByCard(visit, row.id) ? <Plan visit={visit} id={row.id} /> : null}
        {referring(false)}
        <Hooks visit={visit} id={row.id} />
        <Calls visit={visit} id={row.id} />
      </div>
    </div>
  );
};

const AsShown = ({ visit, found }: { visit: PageContext; found: Found }) => {
  const { kind, row } = found;
  const asApi = kind.view !== undefined;
  const view = asApi
    ? parsed(render(visit.world.profile, kind.view?.(row, visit.world)))
    : maskValue(row, isSecretOf(kind));
  return (
    <Panel id="shown" title={asApi ? 'As the API shows it' : 'As it is kept'} live="request fact clock reset">
      <Json visit={visit} value={view} label={`${kind.one} as JSON`} />
    </Panel>
  );
};

const isWide = ({ kind }: Related): boolean => kind.wide ?? false;

/** What refers to a resource, of one kind. */
const Referring = ({ visit, related: one, of }: { visit: PageContext; related: Related; of: string }) => (
  <Panel
    id={`of-${one.kind.name}`}
    title={one.kind.many}
    tools={one.all ? <a href={one.all}>All {count(one.total)}</a> : null}
    live="request fact delivery reset"
    flush
  >
    {isWide(one) ? (
      <TableRows visit={visit} kind={one.kind} rows={one.rows} of={of} />
    ) : (
      <Rows of={one.rows.map((row) => <BriefRow visit={visit} kind={one.kind} row={row} />)} />
    )}
  </Panel>
);

interface Shown {
  visit: PageContext;
  kind: Resource;
  row: Row;
}

const BriefRow = (p: Shown) => (
  <li class="row brief-row" data-row={p.row.id}>
    <RowLink {...p} />
    <Brief {...p} />
  </li>
);

/** The most telling column of a row. */
const Brief = ({ visit, kind, row }: Shown) => {
  const [column] = kind.columns;
  const value = column?.of(row, visit.world);
  if (value === undefined || value === null) return null;
  const text = escapeControlChars(value);
  if (column?.as === 'status') return <Badge of={text} />;
  if (column?.as === 'id') return <Id visit={visit} id={text} />;
  return <span class="brief">{column?.as === 'money' ? moneyText(text) : text}</span>;
};

/** What happened about a resource, newest first. */
const About = (p: { id: string; title: string; live: string; all: Child; none: string; lines: readonly Child[] }) => (
  <Panel id={p.id} title={p.title} live={p.live} tools={p.lines.length > 0 ? p.all : null} flush>
    {p.lines.length > 0 ? <Rows compact of={p.lines} /> : <Empty title={p.none} />}
  </Panel>
);

const Hooks = ({ visit, id }: { visit: PageContext; id: string }) => (
  <About
    id="hooks-about"
    title="Webhooks about it"
    live="fact delivery reset"
    all={<a href={visit.to('/inspector/webhooks', { q: id })}>All</a>}
    none="None yet"
    lines={hooksAbout(visit, id, SHOWN).map((hook) => <HookRow visit={visit} hook={hook} />)}
  />
);

const Calls = ({ visit, id }: { visit: PageContext; id: string }) => {
  const calls = callsAbout(visit, id);
  return (
    <About
      id="calls-about"
      title="Requests about it"
      live="request reset"
      all={<a href={visit.to('/inspector/requests', { q: id })}>{times(calls.length, 'shown', 'shown')}, all</a>}
      none="None that is remembered"
      lines={calls.map((entry) => <RequestRow visit={visit} entry={entry} />)}
    />
  );
};
