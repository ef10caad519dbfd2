import type { Child } from 'hono/jsx';
import { Hint } from './act.tsx';
import { find, nameOf, RESOURCES } from './kinds.ts';
import { href } from './links.ts';
import type { PageCall, PageContext } from './page-context.ts';
import { escapeControlChars, ID, shortId } from './text.ts';

/** A page under construction: its head, its body, and the call behind it, which is shown at its foot. */
export interface PageParts {
  readonly title: string;
  /** The title in the head, if it is more than a text. */
  readonly heading?: Child;
  readonly lead?: Child;
  readonly up?: { readonly href: string; readonly label: string };
  readonly live?: string;
  readonly tools?: Child;
  /** The call that the tools make. */
  readonly hint?: PageCall | undefined;
  /** The label of the button that makes this call, if there are several. */
  readonly hintOf?: string | undefined;
  readonly body: Child;
  readonly call?: PageCall;
  readonly status?: number;
  /** The page that the filter opens, if it does not filter this one. */
  readonly to?: string;
  /** A text to download in place of the page, under a name of ours. */
  readonly file?: { readonly name: string; readonly text: string };
}

/**
 * The head of a page. It is fetched again after every act on the page, and after the news that `live` names: its badges
 * and buttons are then up to date.
 */
export const Head = (p: PageParts) => (
  <div class="top" id="head" data-live={p.live ?? ''}>
    <header class="head">
      <div>
        {p.up ? (
          <a class="up" href={p.up.href}>
            <span aria-hidden="true">←</span> {p.up.label}
          </a>
        ) : null}
        <h1>{p.heading ?? p.title}</h1>
        {p.lead ? <p class="lead">{p.lead}</p> : null}
      </div>
      {p.tools ? <div class="head-tools">{p.tools}</div> : null}
    </header>
    {p.hint ? <Hint call={p.hint} of={p.hintOf} /> : null}
  </div>
);

/** A titled part of a page; `live` names the news after which it is fetched again. */
export const Panel = (p: {
  title?: Child;
  id: string;
  live?: string;
  tools?: Child;
  flush?: boolean;
  children?: Child;
}) => (
  <section class={p.flush ? 'panel flush' : 'panel'} aria-labelledby={p.title ? `${p.id}-title` : undefined}>
    {p.title ? (
      <div class="panel-head">
        <h2 id={`${p.id}-title`}>{p.title}</h2>
        {p.tools ? <div class="panel-tools">{p.tools}</div> : null}
      </div>
    ) : null}
    <div id={p.id} data-live={p.live} class="panel-body">
      {p.children}
    </div>
  </section>
);

/** The text of an empty list, and the way to fill it. */
export const Empty = (p: { title: string; children?: Child }) => (
  <div class="empty">
    <p class="empty-title">{p.title}</p>
    {p.children}
  </div>
);

const TONES: ReadonlyMap<string, string> = new Map([
  ...RESOURCES.flatMap(({ tones = {} }) => Object.entries(tones)),
  ...[['broken', 'bad'] as const, ['held', 'warn'] as const],
]);

/** A state, in its colour and in words. */
export const Badge = (p: { of: string; tone?: string }) => (
  <span class={`badge ${p.tone ?? TONES.get(p.of) ?? 'plain'}`}>
    {escapeControlChars(p.of).replaceAll('_', ' ').toLowerCase()}
  </span>
);

const toneOf = (status: number): string => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

/** The status of a reply; 0 is a connection that broke. */
export const Status = (p: { of: number }) => <span class={`status ${toneOf(p.of)}`}>{p.of === 0 ? 'cut' : p.of}</span>;

/** A moment of virtual time: the clock alone on the present virtual day, the date too on others. */
export const Time = (p: { visit: PageContext; at: string | number }) => {
  const iso = new Date(p.at).toISOString();
  const today = iso.slice(0, 10) === p.visit.world.clock.iso().slice(0, 10);
  return (
    <time datetime={iso} title={`${iso} (virtual time)`}>
      {today ? iso.slice(11, 19) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`}
    </time>
  );
};

/** An id, as a link if it leads anywhere; short, but whole on demand. */
export const Id = (p: { visit: PageContext; id: string; long?: boolean; mark?: string }) => {
  const to = href(p.visit, p.id);
  const text = p.long ? escapeControlChars(p.id) : shortId(p.id);
  return to ? (
    <a class="id" href={to} title={escapeControlChars(p.id)} data-key={p.mark}>
      {text}
    </a>
  ) : (
    <span class="id" title={escapeControlChars(p.id)}>
      {text}
    </span>
  );
};

/** A resource by the name that people know. */
export const Resource = (p: { visit: PageContext; id: string; mark?: string }) => {
  const found = find(p.visit, p.id);
  if (!found) return <Id visit={p.visit} id={p.id} {...(p.mark ? { mark: p.mark } : {})} />;
  const name = nameOf(p.visit, found);
  return (
    <a class="resource" href={href(p.visit, p.id)} title={escapeControlChars(p.id)} data-key={p.mark}>
      <span class="resource-kind">{found.kind.one}</span>{' '}
      <b>{name ? <Name text={name} /> : `…${escapeControlChars(p.id).slice(-6)}`}</b>
    </a>
  );
};

/** A sentence with its resources by name; ids without a name are links. */
export const withNames = (visit: PageContext, text: string): Child[] => {
  const ids = text.match(ID) ?? [];
  return text.split(ID).flatMap((between, i): Child[] => {
    const id = ids[i];
    return [escapeControlChars(between), ...(id === undefined ? [] : [<Resource visit={visit} id={id} />])];
  });
};

/** A resource by its name alone, if its kind is already shown; by its id if it has no name. */
export const Named = (p: { visit: PageContext; id: string; mark: string }) => {
  const found = find(p.visit, p.id);
  const name = found && nameOf(p.visit, found);
  if (!name) return <Id {...p} />;
  return (
    <a href={href(p.visit, p.id)} title={escapeControlChars(p.id)} data-key={p.mark}>
      <Name text={name} />
    </a>
  );
};

export const count = (n: number): string => n.toLocaleString('en-US');

export const times = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** A heading of a table; one that is only for screen readers is invisible. */
export interface Heading {
  readonly name: string;
  readonly number?: boolean;
  readonly unseen?: boolean;
  /** The address of the same list in the order of this column, and its present sort order by it. */
  readonly sort?: { readonly href: string; readonly now: 'ascending' | 'descending' | undefined };
}

/**
 * A table; on a phone each line is a card, its cells named by `Cell`. The keyboard moves between lines; the script
 * fills `body`.
 */
export const DataTable = (p: { columns: readonly Heading[]; body?: string; children?: Child }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          {p.columns.map(({ name, number, unseen, sort }) => (
            <th scope="col" class={number ? 'number' : undefined} aria-sort={sort?.now}>
              {sort ? <SortLink name={name} {...sort} /> : unseen ? <span class="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      {p.body === undefined ? <tbody data-rows>{p.children}</tbody> : <tbody id={p.body} />}
    </table>
  </div>
);

const ARROWS = { ascending: '↑', descending: '↓' };

const SortLink = ({ name, href, now }: { name: string } & NonNullable<Heading['sort']>) => (
  <a class="sort" href={href} data-key={`sort ${name}`}>
    {name}
    {now ? <span aria-hidden="true"> {ARROWS[now]}</span> : null}
  </a>
);

/** A line of a table; its key identifies it across refreshes and for the keyboard. */
export const Line = (p: { of: string; children: Child }) => <tr data-row={p.of}>{p.children}</tr>;

/** A cell; on a card its heading names it, unless it names the whole card. */
export const Cell = (p: { name?: string; number?: boolean; wide?: boolean; of: Child }) => (
  <td class={p.number ? 'number' : p.wide ? 'wide' : undefined} data-name={p.name}>
    {p.of}
  </td>
);

/** The heading of a page whose resource does not exist. */
export const Missing = (p: { title: string; children?: Child }) => (
  <div class="panel">
    <Empty title={p.title}>{p.children}</Empty>
  </div>
);

/** Lines between which the keyboard moves. */
export const Rows = (p: { of: readonly Child[]; ordered?: boolean; compact?: boolean; rich?: boolean }) => {
  const List = p.ordered ? 'ol' : 'ul';
  return (
    <List class={`rows${p.compact ? ' compact' : ''}${p.rich ? ' rich' : ''}`} data-rows>
      {p.of}
    </List>
  );
};

/** The text for a filter that matches nothing, with the link that removes it. */
export const NonePass = (p: { title: string; all: string; children?: Child }) => (
  <Empty title={p.title}>
    <p>
      {p.children}
      <a href={p.all}>Clear the filter</a>
    </p>
  </Empty>
);

/** A text as it stands, in a box that scrolls. */
export const Code = (p: { label: string; of: Child }) => (
  <div class="code">
    <section class="pre" tabindex={0} aria-label={p.label}>
      <code>{p.of}</code>
    </section>
  </div>
);

/** Counts by kind: a link and a number for each. */
export const Counts = (p: { of: readonly (readonly [href: string, name: string, n: number])[] }) => (
  <ul class="counts">
    {p.of.map(([to, name, n]) => (
      <li>
        <a href={to}>{name}</a>
        <span>{count(n)}</span>
      </li>
    ))}
  </ul>
);

/** A line of a list of checks. */
export const Step = (p: { class: string; mark: string; children: Child }) => (
  <li class={p.class}>
    <span class="mark" aria-hidden="true">
      {p.mark}
    </span>
    <span>{p.children}</span>
  </li>
);

/** Members and their values. */
export const Facts = (p: { rows: readonly (readonly [string, Child])[] }) => (
  <dl class="facts">
    {p.rows
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Links to the newer and the older part of a list. */
export const Pager = (p: { newer?: string | undefined; older?: string | undefined; shown: string }) => (
  <nav class="pager" aria-label="Pages">
    <span>{p.shown}</span>
    {p.newer ? <a href={p.newer}>First page</a> : null}
    {p.older ? (
      <a href={p.older} rel="next">
        Older <span aria-hidden="true">→</span>
      </a>
    ) : null}
  </nav>
);

/** The most rows that a page shows of a list without a cursor. */
const AT_ONCE = 100;

/**
 * Returns one page of a list in memory: the rows from the place that `?from=` names, and links to the first and the
 * next page.
 */
export function pageFrom<T>(visit: PageContext, path: string, all: readonly T[]): { rows: readonly T[]; pager: Child } {
  const given = Number(visit.query('from') ?? 0);
  const from = Number.isSafeInteger(given) && given > 0 && given < all.length ? given : 0;
  const rows = all.slice(from, from + AT_ONCE);
  const next = from + rows.length;
  const pager =
    rows.length === all.length ? null : (
      <Pager
        shown={`${count(from + 1)} to ${count(next)} of ${count(all.length)}`}
        newer={from > 0 ? visit.to(path) : undefined}
        older={next < all.length ? visit.to(path, { from: next }) : undefined}
      />
    );
  return { rows, pager };
}

/** The length of an unbreakable run of characters from which on a word may be broken anywhere. */
const LONG = /\S{24,}/;

/** A long name that may be broken at the ends of its words, and within a word only if that is very long. */
export const Breakable = ({ text }: { text: string }) =>
  escapeControlChars(text)
    .split(/(?<=[_/:?&=]|\.(?!\d))|(?=@)/)
    .map((part, i) => (
      <>
        {i > 0 ? <wbr /> : null}
        {LONG.test(part) ? <span class="long">{part}</span> : part}
      </>
    ));

/** The name of a resource; one that is an amount is never broken. */
export const Name = ({ text }: { text: string }) =>
  /^-?[\d,.]+ [A-Z]{2,6}$/.test(text) ? <span class="amount">{text}</span> : <Breakable text={text} />;
