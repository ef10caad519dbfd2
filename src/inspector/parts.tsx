import type { Child } from 'hono/jsx';
import { find } from './kinds.ts';
import { href, plain, shortId } from './text.ts';
import type { Visit } from './visit.ts';

/** A page in the making: what stands in its head, and its body. */
export interface PageParts {
  readonly title: string;
  readonly body: Child;
  /** The entry of the menu that it belongs to. */
  readonly menu?: string;
  readonly status?: number;
  /** Where the page's own filter looks for another page instead of being shown. */
  readonly to?: string;
}

/** The head of a page. */
export const Head = (p: { title: Child; lead?: Child; up?: { href: string; label: string }; children?: Child }) => (
  <header class="head">
    <div>
      {p.up ? (
        <a class="up" href={p.up.href}>
          <span aria-hidden="true">←</span> {p.up.label}
        </a>
      ) : null}
      <h1>{p.title}</h1>
      {p.lead ? <p class="lead">{p.lead}</p> : null}
    </div>
    {p.children ? <div class="head-tools">{p.children}</div> : null}
  </header>
);

/** A titled part of a page; `live` names the news after which it is fetched again. */
export const Panel = (p: {
  title?: Child;
  id: string;
  live?: string;
  tools?: Child;
  flush?: boolean;
  class?: string;
  children?: Child;
}) => (
  <section
    class={`panel${p.flush ? ' flush' : ''}${p.class ? ` ${p.class}` : ''}`}
    aria-labelledby={p.title ? `${p.id}-title` : undefined}
  >
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

/** What stands where nothing is yet, and how to get something there. */
export const Empty = (p: { title: string; children?: Child }) => (
  <div class="empty">
    <p class="empty-title">{p.title}</p>
    {p.children}
  </div>
);

/** A line for a terminal, to be copied. */
export const Command = (p: { text: string; label?: string }) => (
  <div class="command">
    <pre tabindex={0}>
      <code>{p.text}</code>
    </pre>
    <Copy text={p.text} label={p.label ?? 'Copy the command'} />
  </div>
);

export const Copy = (p: { text: string; label: string; show?: string; mark?: string }) => (
  <button
    type="button"
    class="copy js"
    data-copy={p.text}
    aria-label={p.show ? undefined : p.label}
    title={p.label}
    data-key={p.mark}
  >
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </svg>
    {p.show ? <span>{p.show}</span> : null}
  </button>
);

/** Something that the control API does: a button, or the button of a form, that its script turns into a call. */
export interface Call {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Below `/_emulator`. */
  readonly path: string;
  readonly body?: unknown;
}

export const Act = (p: {
  visit: Visit;
  call: Call;
  main?: boolean;
  danger?: boolean;
  /** Asked for a second press. */
  sure?: string;
  /** Where to go when it is done; `{name}` is a member of the answer. */
  then?: string;
  label?: string;
  small?: boolean;
  children: Child;
}) => {
  const { method, path, body } = p.call;
  const url = p.visit.door(path);
  return (
    <button
      type="button"
      class={`button js${p.main ? ' main' : ''}${p.danger ? ' danger' : ''}${p.small ? ' small' : ''}`}
      data-method={method}
      data-url={url}
      data-body={body === undefined ? undefined : JSON.stringify(body)}
      data-sure={p.sure}
      data-then={p.then}
      aria-label={p.label}
      title={`${method} ${url}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`}
    >
      {p.children}
    </button>
  );
};

/** The control API call behind the actions beside it; the script keeps it in step with the one that is pointed at. */
export const Hint = (p: { visit: Visit; call: Call | { method: 'GET'; path: string }; id?: string }) => {
  const { method, path } = p.call;
  const body = 'body' in p.call ? p.call.body : undefined;
  const url = p.visit.door(path);
  return (
    <p class="hint" data-hint={p.id ?? ''}>
      <code>
        {method} {url}
        {body === undefined ? '' : ` ${JSON.stringify(body)}`}
      </code>
      <Copy text={curlOf(p.visit.origin, method, url, body)} label="Copy as curl" />
    </p>
  );
};

export const curlOf = (origin: string, method: string, url: string, body?: unknown): string => {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  const data = body === undefined ? '' : ` -d ${quote(JSON.stringify(body))}`;
  return `curl -s ${verb}${quote(`${origin}${url}`)}${data}`;
};

const TONES: Readonly<Record<string, string>> = Object.fromEntries([
  ...['APPROVED', 'ACTIVE', 'COMPLETED', 'DELIVERED', 'VERIFIED', 'CLAIMED', 'SETTLED'].map((s) => [s, 'good']),
  ...['REJECTED', 'FAILED', 'ABANDONED', 'DELETED', 'EXPIRED', 'CANCELLED', 'CLOSED', 'FROZEN', 'broken'].map((s) => [
    s,
    'bad',
  ]),
  ...[
    'PENDING',
    'WAITING',
    'PROCESSING',
    'IN_PROGRESS',
    'PENDING_MANUAL_REVIEW',
    'RESOLVE_ERRORS',
    'UNVERIFIED',
    'PENDING_OWNERSHIP_VERIFICATION',
    'held',
  ].map((s) => [s, 'warn']),
]);

/** A state, in its colour and in words. */
export const Badge = (p: { of: string; tone?: string }) => (
  <span class={`badge ${p.tone ?? TONES[p.of] ?? 'plain'}`}>{plain(p.of.replaceAll('_', ' ').toLowerCase())}</span>
);

const toneOf = (status: number): string => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

/** The status of a reply; 0 is a connection that broke. */
export const Status = (p: { of: number }) => <span class={`status ${toneOf(p.of)}`}>{p.of === 0 ? 'cut' : p.of}</span>;

/** A moment of virtual time: the clock alone on the present virtual day, the date too on others. */
export const Time = (p: { visit: Visit; at: string | number }) => {
  const at = typeof p.at === 'number' ? new Date(p.at) : new Date(p.at);
  if (Number.isNaN(at.getTime())) return <span>{plain(String(p.at))}</span>;
  const iso = at.toISOString();
  const today = iso.slice(0, 10) === p.visit.world.clock.iso().slice(0, 10);
  return (
    <time datetime={iso} title={`${iso} (virtual time)`}>
      {today ? iso.slice(11, 19) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`}
    </time>
  );
};

/** An id, as a link if it leads anywhere, short but whole on demand. */
export const Id = (p: { visit: Visit; id: string; long?: boolean; mark?: string }) => {
  const to = href(p.visit, p.id);
  const text = p.long ? plain(p.id) : shortId(p.id);
  return to ? (
    <a class="id" href={to} title={plain(p.id)} data-key={p.mark}>
      {text}
    </a>
  ) : (
    <span class="id" title={plain(p.id)}>
      {text}
    </span>
  );
};

/** A resource by the name people know it by. */
export const Resource = (p: { visit: Visit; id: string; mark?: string }) => {
  const found = find(p.visit, p.id);
  if (!found) return <Id visit={p.visit} id={p.id} {...(p.mark ? { mark: p.mark } : {})} />;
  const name = found.kind.name?.(found.row);
  return (
    <a class="resource" href={href(p.visit, p.id)} title={plain(p.id)} data-key={p.mark}>
      <span class="resource-kind">{found.kind.one}</span> <b>{name ? plain(name) : `…${plain(p.id.slice(-6))}`}</b>
    </a>
  );
};

export const count = (n: number): string => n.toLocaleString('en-US');

export const times = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

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

/** On and back through a list. */
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

/** A long name that may be broken where its words end. */
export const Breakable = ({ text }: { text: string }) =>
  plain(text)
    .split(/(?<=[._/:?&=])/)
    .map((part, i) => (
      <>
        {i > 0 ? <wbr /> : null}
        {part}
      </>
    ));
