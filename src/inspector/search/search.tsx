import type { Child } from 'hono/jsx';
import { type AnyTransaction, TRANSACTIONS } from '../../areas/transactions/index.ts';
import { type Topic, waysTo } from '../../calls/index.ts';
import type { Resource } from '../../engine/resource.ts';
import { inSlices } from '../../engine/slices.ts';
import type { Row } from '../../engine/table.ts';
import { anchorOf } from '../../sandbox/rules.ts';
import { nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, count, Empty, type PageParts, Panel, Rows } from '../frame/parts.tsx';
import { HookRow, RequestRow } from '../frame/rows.tsx';
import { escapeControlChars, moneyText, shortId, textOf } from '../frame/text.ts';
import { partiesOf } from '../overview/payments.tsx';
import {
  type Finds,
  findEventTypes,
  findHooks,
  findOperations,
  findPlaces,
  findRequests,
  findRows,
  findRules,
  LOOKED_AT,
  type RowFinds,
} from './find.ts';
import { Marked } from './marked.tsx';
import { type Query, queryOf } from './query.ts';

/** Shows all matches of a text, by kind; the id of an existing resource leads to it at once. */
export async function search(visit: PageContext): Promise<PageParts> {
  const input = visit.query('q')?.trim() ?? '';
  const to = href(visit, input);
  if (to !== undefined) return { title: 'Search', body: null, to };
  const query = queryOf(input);
  return {
    title: input === '' ? 'Search' : `Search: ${escapeControlChars(query.text)}`,
    heading: 'Search',
    lead:
      input === '' ? (
        'Everything that this sandbox knows, from one box.'
      ) : (
        <>
          for <b>{escapeControlChars(input)}</b>
        </>
      ),
    body:
      query.words.length === 0 ? (
        <Nothing title="Type what you look for" />
      ) : (
        <Found visit={visit} query={query} rows={await inSlices(findRows(visit, query))} />
      ),
  };
}

interface ResultsProps {
  visit: PageContext;
  query: Query;
}

const Found = ({ visit, query, rows }: ResultsProps & { rows: readonly RowFinds[] }) => {
  const [requests, hooks] = [findRequests(visit, query), findHooks(visit, query)];
  const [operations, types, rules] = [findOperations(query), findEventTypes(query), findRules(query)];
  const places = findPlaces(query);
  const all: readonly Finds<unknown>[] = [...rows, requests, hooks, operations, types, rules, places];
  return (
    <div class="stack">
      {all.every(({ of }) => of.length === 0) ? <Nothing title="Nothing was found" /> : null}
      {rows.map((finds) => (
        <Resources visit={visit} query={query} finds={finds} />
      ))}
      <Group
        id="found-requests"
        title="Requests"
        all={visit.to('/inspector/requests', { q: query.text })}
        finds={requests}
        row={(entry) => <RequestRow visit={visit} entry={entry} />}
      />
      <Group
        id="found-webhooks"
        title="Webhooks"
        all={visit.to('/inspector/webhooks', { q: query.text })}
        finds={hooks}
        row={(hook) => <HookRow visit={visit} hook={hook} />}
      />
      <Group
        id="found-places"
        title="Controls, codes and documents"
        all={visit.to('/inspector/api')}
        finds={places}
        row={(place) => <PlaceRow visit={visit} query={query} place={place} />}
      />
      <Group
        id="found-operations"
        title="Operations"
        all={visit.to('/inspector/api', { q: query.text })}
        finds={operations}
        row={({ id, method, path, summary }) => (
          <FoundRow of={id} to={visit.to(`/inspector/api/${id}`)} name={<Marked text={id} query={query} />}>
            <span class="method">{method}</span> <code>{path}</code> <Marked text={summary} query={query} />
          </FoundRow>
        )}
      />
      <Group
        id="found-types"
        title="Types of events"
        all={visit.to('/inspector/webhooks')}
        finds={types}
        row={(type) => (
          <FoundRow
            of={type}
            to={visit.to('/inspector/webhooks', { q: type })}
            name={<Marked text={type} query={query} />}
          >
            its webhooks
          </FoundRow>
        )}
      />
      <Group
        id="found-rules"
        title="Rules"
        all={visit.to('/inspector/rules')}
        finds={rules}
        row={({ place, about, says }) => (
          <FoundRow
            of={place}
            to={`${visit.to('/inspector/rules')}#${anchorOf(place)}`}
            name={<Marked text={about} query={query} />}
          >
            <code>
              <Marked text={place} query={query} />
            </code>{' '}
            <Marked text={says} query={query} />
          </FoundRow>
        )}
      />
    </div>
  );
};

/** The results of one kind; nothing if there are none. */
function Group<T>(p: { id: string; title: string; all: string; finds: Finds<T>; row: (one: T) => Child }) {
  const { of, more } = p.finds;
  if (of.length === 0) return null;
  return (
    <Panel id={p.id} title={p.title} flush tools={<a href={p.all}>{more ? 'More of them' : 'All'}</a>}>
      <Rows of={of.map(p.row)} />
    </Panel>
  );
}

/** One result: its name as a link, and details. */
const FoundRow = (p: { of: string; to: string | undefined; name: Child; mark?: Child; children: Child }) => (
  <li class="row found-row" data-row={p.of}>
    {p.to === undefined ? (
      <b data-key={p.of}>{p.name}</b>
    ) : (
      <a class="row-link" href={p.to} data-key={p.of}>
        {p.name}
      </a>
    )}
    <span class="found-about">{p.children}</span>
    {p.mark ?? null}
  </li>
);

/** A control, a code or a document; its name links to its page, and the other ways to it follow. */
const PlaceRow = ({ visit, query, place }: ResultsProps & { place: Topic }) => {
  const [path = '', search = ''] = place.page?.split('?') ?? [];
  const to = place.page === undefined ? undefined : visit.to(path, Object.fromEntries(new URLSearchParams(search)));
  const ways = waysTo(place).filter((way) => way !== place.page);
  return (
    <FoundRow of={place.name} to={to} name={<Marked text={place.name} query={query} />}>
      <Marked text={place.about} query={query} />
      {ways.map((way) => (
        <>
          {' · '}
          <code>{way}</code>
        </>
      ))}
    </FoundRow>
  );
};

/** Rows of one table; if it has more rows than were searched, a note says so, with or without results. */
const Resources = ({ visit, query, finds }: ResultsProps & { finds: RowFinds }) => {
  const { kind, of, beyond, more } = finds;
  const all = visit.to(`/inspector/state/${encodeURIComponent(kind.name)}`, { q: query.text });
  const bound =
    beyond === undefined ? null : (
      <p class="fine inset">
        {`Of ${kind.many.toLowerCase()}, the newest ${count(LOOKED_AT)} of ${count(beyond)} were looked at. `}
        <a href={all}>Look further</a>
      </p>
    );
  if (of.length === 0) return bound;
  return (
    <Panel
      id={`found-${kind.name}`}
      title={kind.many}
      flush
      tools={<a href={more ? all : visit.at('state', kind.name)}>{more ? 'More of them' : 'All'}</a>}
    >
      <Rows of={of.map((row) => <ResourceRow visit={visit} query={query} kind={kind} row={row} />)} />
      {bound}
    </Panel>
  );
};

const ResourceRow = ({ visit, query, kind, row }: ResultsProps & { kind: Resource; row: Row }) => {
  const name = nameOf(visit, { kind, row });
  const cells = kind.columns.flatMap(({ as, of }) => {
    const value = as === 'money' ? of(row, visit.world) : undefined;
    return typeof value === 'string' && moneyText(value) !== name ? [moneyText(value)] : [];
  });
  const status = kind.columns.find(({ as }) => as === 'status')?.of(row, visit.world);
  const sought = kind.sought
    .map((member) => Reflect.get(row, member))
    .filter((value): value is string => typeof value === 'string' && query.has(value) && value !== status);
  return (
    <FoundRow
      of={row.id}
      to={visit.at('state', kind.name, row.id)}
      name={name ? <Marked text={name} query={query} /> : <span class="id">{shortId(row.id)}</span>}
      mark={typeof status === 'string' ? <Badge of={textOf(status)} /> : null}
    >
      <span class="id">
        <Marked text={row.id} query={query} />
      </span>
      {[...new Set([...parties(visit, kind, row), ...cells, ...sought])].map((text) => (
        <>
          {' · '}
          <Marked text={text} query={query} />
        </>
      ))}
    </FoundRow>
  );
};

/** Returns the payer and the payee of a payment. */
function parties(visit: PageContext, kind: Resource, row: Row): string[] {
  if (kind.name !== TRANSACTIONS.name) return [];
  const payment = row as AnyTransaction;
  const said = payment.type === 'CARD' ? undefined : payment.description;
  return [partiesOf(visit, payment).join(' → '), ...(said ? [said] : [])];
}

const KINDS: readonly (readonly [what: string, such: string])[] = [
  ['Ids, whole or in part', 'Customer:0195a7c2, req_12, 8d0c1f'],
  ['Names and addresses', 'Lighthouse, ada@example.com, $amara'],
  ['Amounts', '250.00, 250 EUR, 25000'],
  ['What was sent and answered', 'INSUFFICIENT_BALANCE, birthDate'],
  ['Operations, events and rules', 'createQuote, KYC_APPROVED, idempotency'],
  ['What you want to do', 'make a payment fail, advance the clock'],
];

const Nothing = ({ title }: { title: string }) => (
  <div class="panel">
    <Empty title={title}>
      <dl class="search-kinds">
        {KINDS.map(([what, such]) => (
          <div>
            <dt>{what}</dt>
            <dd>{such}</dd>
          </div>
        ))}
      </dl>
    </Empty>
  </div>
);
