import type { Child } from 'hono/jsx';
import type { PageContext } from './page-context.ts';

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
  visit: PageContext;
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
export const Hint = (p: { visit: PageContext; call: Call | { method: 'GET'; path: string } }) => {
  const { method, path } = p.call;
  const body = 'body' in p.call ? p.call.body : undefined;
  const url = p.visit.door(path);
  return (
    <p class="hint">
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
