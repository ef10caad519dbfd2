import { shellQuote } from '../../calls/code/curl.ts';
import type { PageCall } from './page-context.ts';

/** A line for a terminal, with a button that copies it. */
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

/** A button that the script turns into a call of the control API. */
export const Act = (p: {
  call: PageCall;
  main?: boolean;
  danger?: boolean;
  /** The question before the second press; every act that cannot be undone has one. */
  sure?: string;
  /** The page to open afterwards; `{name}` is a member of the reply. */
  then?: string;
  label?: string;
  small?: boolean;
  /** The label of the button. */
  does: string;
}) => {
  const { method, url, body } = p.call;
  const sure = p.sure ?? (p.danger ? `Really ${p.does.toLowerCase()}?` : undefined);
  return (
    <button
      type="button"
      class={`button js${p.main ? ' main' : ''}${p.danger ? ' danger' : ''}${p.small ? ' small' : ''}`}
      data-method={method}
      data-url={url}
      data-body={body === undefined ? undefined : JSON.stringify(body)}
      data-sure={sure}
      data-then={p.then}
      aria-label={p.label}
      title={`${method} ${url}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`}
    >
      {p.does}
    </button>
  );
};

/**
 * The control API call behind the actions beside it; the script shows that of the action under the pointer. If there
 * are several, `of` is the label of the one whose call it is.
 */
export const Hint = (p: { call: PageCall; of?: string | undefined }) => {
  const { method, url, body } = p.call;
  return (
    <p class="hint">
      {p.of === undefined ? null : <span class="hint-of">{p.of}:</span>}{' '}
      <code>
        {method} {url}
        {body === undefined ? '' : ` ${JSON.stringify(body)}`}
      </code>
      <Copy text={curlOf(p.call)} label="Copy as curl" />
    </p>
  );
};

export const curlOf = ({ method, url, body, origin }: PageCall): string => {
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  const data = body === undefined ? '' : ` -d ${shellQuote(JSON.stringify(body))}`;
  return `curl -s ${verb}${shellQuote(`${origin}${url}`)}${data}`;
};
