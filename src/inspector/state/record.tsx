import type { Child } from 'hono/jsx';
import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import { fail } from '../../contract/errors.ts';
import { jsonIn } from '../../contract/json.ts';
import { render } from '../../contract/profile.ts';
import { maskValue } from '../../engine/masking.ts';
import type { Resource } from '../../engine/resource.ts';
import { isSecretOf } from '../../engine/secrets.ts';
import type { Row } from '../../engine/table.ts';
import { POSTINGS } from '../../ledger/ledger.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Act, Copy } from '../frame/act.tsx';
import { Json } from '../frame/json.tsx';
import { type Found, find, kindOf, nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, count, Empty, Id, type PageParts, Panel, Rows } from '../frame/parts.tsx';
import { HookRow, RequestRow } from '../frame/rows.tsx';
import { escapeControlChars, moneyText } from '../frame/text.ts';
import { PostingRows } from '../money/ledger.tsx';
import { Course, EntryRows } from '../money/statement.tsx';
import { callsAbout, hooksAbout, type Subject, subjectOf } from '../story/about.ts';
import { storyOf } from '../story/gather.ts';
import { Picture } from '../story/picture.tsx';
import { Timeline } from '../story/timeline.tsx';
import { decisionsOn, Plan } from './decisions.tsx';
import { mayName, type Related, related, SHOWN } from './related.ts';
import { RowLink, TableRows } from './table-rows.tsx';

/** Shows one resource: as the API shows it, and everything that refers to it. */
export async function record(visit: PageContext, [name = '', id = '']: readonly string[]): Promise<PageParts> {
  const kind = kindOf(name) ?? fail('REFERENCE_NOT_FOUND', `there is no table ${name}`);
  const row =
    visit.world.rows(kind).get(id) ?? fail('REFERENCE_NOT_FOUND', `there is no ${kind.one.toLowerCase()} ${id}`);
  const found: Found = { kind, row };
  const title = escapeControlChars(nameOf(visit, found) ?? kind.one);
  const acts = decisionsOn(visit, found);
  const money = await moneyOf(visit, found);
  return {
    title,
    up: { href: visit.at('state', name), label: kind.many },
    lead: <Lead visit={visit} found={found} />,
    live: 'request fact delivery clock reset',
    tools: acts.map(({ label, call, danger = false }) => <Act call={call} danger={danger} does={label} />),
    hint: acts[0]?.call,
    hintOf: acts.length > 1 ? acts[0]?.label : undefined,
    body: <Whole visit={visit} found={found} money={money} />,
  };
}

/** The owner of a resource, by name (W12). */
const Owner = ({ visit, row }: { visit: PageContext; row: object }) => {
  const owner = find(visit, Reflect.get(row, 'customerId') ?? Reflect.get(row, 'cardholderId'));
  const name = owner && nameOf(visit, owner);
  return owner && name !== undefined ? (
    <>
      of <a href={href(visit, owner.row.id)}>{escapeControlChars(name)}</a>
    </>
  ) : null;
};

const Lead = ({ visit, found: { kind, row } }: { visit: PageContext; found: Found }) => {
  const status = kind.columns.find(({ as }) => as === 'status')?.of(row, visit.world);
  const [first] = kind.columns;
  const money = first?.as === 'money' ? first.of(row, visit.world) : undefined;
  const note = kind.note?.(row, visit.world);
  return (
    <span class="record-lead">
      {typeof status === 'string' ? <Badge of={status} /> : null}{' '}
      {typeof money === 'string' ? <b>{moneyText(money)}</b> : null} {kind.one} <Owner visit={visit} row={row} />{' '}
      <code>{escapeControlChars(row.id)}</code> <Copy text={row.id} label="Copy ID" />
      {note === undefined ? null : <span> {escapeControlChars(note)}</span>}
    </span>
  );
};

/** A card payment has no plan: the network moves it on. */
const isByCard = ({ world }: PageContext, id: string): boolean => world.rows(TRANSACTIONS).get(id)?.type === 'CARD';

/** All news that can change the story of a resource. */
const LIVE = 'request fact delivery clock reset';
/** The most postings from one cause that are shown; the ledger has the rest. */
const MOVED = 20;
/** The most entries of an account that are shown; its statement has the rest. */
const ENTRIES = 8;

/** The postings that a resource caused or may yet cause; for a ledger account, its statement. */
async function moneyOf(visit: PageContext, { kind, row: { id } }: Found) {
  const postings = visit.world.rows(POSTINGS);
  const holds = mayName(POSTINGS, 'lines.account', kind.name);
  const causes = mayName(POSTINGS, 'cause', kind.name) || postings.count('cause', id) > 0;
  return {
    moved: causes && !holds ? await visit.ask(commands.ledger.list, { cause: id, limit: MOVED }) : undefined,
    statement: holds ? await visit.ask(commands.ledger.account, { id, limit: ENTRIES }) : undefined,
  };
}
type Money = Awaited<ReturnType<typeof moneyOf>>;

const Whole = ({ visit, found, money }: { visit: PageContext; found: Found; money: Money }) => {
  const { kind, row } = found;
  const refers = related(visit, found).filter((one) => one.kind.name !== POSTINGS.name);
  const referring = (wide: boolean) =>
    refers.filter((one) => isWide(one) === wide).map((one) => <Referring visit={visit} related={one} of={row.id} />);
  const picture = kind.picture?.(row, visit.world);
  const subject = subjectOf(visit, found);
  return (
    <>
      {picture ? (
        <Panel id="picture" live={LIVE}>
          <Picture visit={visit} of={picture} />
        </Panel>
      ) : null}
      <div class="columns wide-aside">
        <div>
          <Held visit={visit} money={money} />
          <Life visit={visit} subject={subject} />
          <Moved visit={visit} money={money} id={row.id} />
          <AsShown visit={visit} found={found} />
          {referring(true)}
        </div>
        <div class="aside">
          {kind.name === TRANSACTIONS.name && !isByCard(visit, row.id) ? <Plan visit={visit} id={row.id} /> : null}
          {referring(false)}
          <Hooks visit={visit} subject={subject} />
          <Calls visit={visit} subject={subject} />
        </div>
      </div>
    </>
  );
};

/** The past and the future of a resource, if its kind has a story. */
const Life = ({ visit, subject }: { visit: PageContext; subject: Subject }) => {
  const { found } = subject;
  if (!found.kind.story) return null;
  const { items, older } = storyOf(visit, subject);
  return (
    <Panel id="story" title="Timeline" live={LIVE}>
      <Timeline visit={visit} of={found.row.id} items={items} older={older} />
    </Panel>
  );
};

const Moved = ({ visit, money: { moved }, id }: { visit: PageContext; money: Money; id: string }) =>
  moved ? (
    <Panel
      id="moved"
      title="Money movement"
      tools={<a href={visit.to('/inspector/ledger', { cause: id })}>View in the ledger</a>}
      live={LIVE}
      flush
    >
      {moved.data.length > 0 ? (
        <PostingRows visit={visit} postings={[...moved.data].reverse()} brief />
      ) : (
        <Empty title="None yet" />
      )}
    </Panel>
  ) : null;

const Held = ({ visit, money: { statement } }: { visit: PageContext; money: Money }) =>
  statement ? (
    <>
      <Panel id="course" title="Balance over time" live={LIVE}>
        <Course visit={visit} of={statement} />
      </Panel>
      <Panel
        id="entries"
        title="Entries"
        tools={<a href={visit.at('ledger', statement.id)}>Statement: all {count(statement.entries.totalCount)}</a>}
        live={LIVE}
        flush
      >
        {statement.entries.data.length > 0 ? (
          <EntryRows visit={visit} of={statement} />
        ) : (
          <Empty title="No entries yet" />
        )}
      </Panel>
    </>
  ) : null;

const AsShown = ({ visit, found }: { visit: PageContext; found: Found }) => {
  const { kind, row } = found;
  const asApi = kind.view !== undefined;
  const shown = asApi ? jsonIn(render(visit.world.profile, kind.view?.(row, visit.world))) : row;
  const view = maskValue(shown, isSecretOf(kind));
  return (
    <Panel id="shown" title={asApi ? 'Raw JSON' : 'Internal record'} live="request fact clock reset">
      <Json visit={visit} value={view} label={`${kind.one} as JSON`} />
    </Panel>
  );
};

const isWide = ({ kind }: Related): boolean => kind.wide ?? false;

/** The resources of one kind that refer to a resource. */
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

/** The most informative column of a row. */
const Brief = ({ visit, kind, row }: Shown) => {
  const [column] = kind.columns;
  const value = column?.of(row, visit.world);
  if (value === undefined || value === null) return null;
  const text = escapeControlChars(value);
  if (column?.as === 'status') return <Badge of={text} />;
  if (column?.as === 'id') return <Id visit={visit} id={text} />;
  return <span class="brief">{column?.as === 'money' ? moneyText(text) : text}</span>;
};

/** The requests that changed a resource, and the webhooks about it, newest first. */
const About = (p: { id: string; title: string; live: string; all: string; none: string; lines: readonly Child[] }) => (
  <Panel id={p.id} title={p.title} live={p.live} tools={p.lines.length > 0 ? <a href={p.all}>All</a> : null} flush>
    {p.lines.length > 0 ? <Rows compact of={p.lines} /> : <Empty title={p.none} />}
  </Panel>
);

const Hooks = ({ visit, subject }: { visit: PageContext; subject: Subject }) => (
  <About
    id="hooks-about"
    title="Webhooks"
    live="fact delivery reset"
    all={visit.to('/inspector/webhooks', { about: subject.found.row.id })}
    none="None yet"
    lines={hooksAbout(visit, subject, SHOWN).map((hook) => <HookRow visit={visit} hook={hook} />)}
  />
);

const Calls = ({ visit, subject }: { visit: PageContext; subject: Subject }) => (
  <About
    id="calls-about"
    title="Requests"
    live="request reset"
    all={visit.to('/inspector/requests', { about: subject.found.row.id })}
    none="None in the log"
    lines={callsAbout(visit, subject, SHOWN).map((entry) => <RequestRow visit={visit} entry={entry} />)}
  />
);
