import { Failure, failFields } from '../../contract/errors.ts';
import type { Operation } from '../../declare/operation.ts';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { Command, Hint } from '../frame/act.tsx';
import { Submit } from '../frame/form.tsx';
import { Json } from '../frame/json.tsx';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Facts, Panel, Status } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { headersOf, indented, jsonTyped } from '../requests/edited.ts';
import { Lines, PostForm, Wrong } from './post-form.tsx';

type Described = AnswerOf<typeof commands.operations.describe>;
type Called = AnswerOf<typeof commands.operations.call>;

/** The result of a trial call: its reply, or the reason why it could not be sent. */
export type Tried = Called | Failure;

/** Prefixes of the form's fields: parameters by their names, and texts. */
const PARAM = 'param.';
const QUERY = 'query.';

/** Calls an operation with the values of its page's form; returns undefined if no form was sent. */
export async function tried(visit: PageContext, id: string): Promise<Tried | undefined> {
  if (visit.field('do') !== 'try') return undefined;
  try {
    const body = visit.field('body');
    return await visit.do(commands.operations.call, {
      id,
      params: fieldsOf(visit, PARAM),
      query: fieldsOf(visit, QUERY),
      headers: headersOf(visit.field('headers') ?? ''),
      ...(body === undefined ? {} : { body: jsonTyped(body) }),
    });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Returns the values of the fields with a prefix, by the rest of their names. */
function fieldsOf(visit: PageContext, prefix: string): Record<string, string> {
  const named = [...(visit.form?.keys() ?? [])].filter((name) => name.startsWith(prefix));
  if (named.length > 200) failFields([{ field: prefix, message: 'at most 200 parameters' }]);
  return Object.fromEntries(
    named.flatMap((name) => {
      const value = visit.field(name);
      return value === undefined ? [] : [[name.slice(prefix.length), value]];
    }),
  );
}

/** The reply to a trial call. */
export const TryAnswer = ({ visit, of }: { visit: PageContext; of: Tried }) => {
  if (of instanceof Failure) return <Wrong failure={of} />;
  const to = href(visit, of.requestId);
  return (
    <Panel
      id="answer"
      title={
        <>
          It answered <Status of={of.status} />
        </>
      }
      tools={to ? <a href={to}>Request {of.requestId}: why, and what it caused</a> : null}
    >
      {of.body === null ? (
        <p class="none">It has no body.</p>
      ) : (
        <Json visit={visit} value={of.body} label="Response body" />
      )}
      <details id="answer-headers">
        <summary>Headers</summary>
        <Facts
          rows={Object.entries(of.headers).map(([name, value]) => [name, <code>{escapeControlChars(value)}</code>])}
        />
      </details>
    </Panel>
  );
};

/** The form that calls an operation, filled with an example that is valid now, or with the values just sent. */
export const TryForm = (p: { visit: PageContext; operation: Operation; described: Described; curl: string }) => {
  const { visit, operation, described } = p;
  const { params, query, headers, body, needs } = described.example;
  const queries =
    described.auth === 'none' ? [] : described.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const typed = (name: string, example: string | undefined) => (visit.form?.has(name) ? visit.field(name) : example);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const headerText = typed('headers', lines.join('\n')) ?? '';
  return (
    <Panel id="try" title="Try it">
      {needs ? <Needs visit={visit} id={needs} /> : null}
      <PostForm to={`${visit.to(visit.path)}#answer`} does="try" label={`Try ${operation.id}`}>
        {Object.entries(params).map(([name, value]) => (
          <TextField name={`${PARAM}${name}`} label={name} value={typed(`${PARAM}${name}`, value)} />
        ))}
        {body === undefined ? null : <Lines label="Body" name="body" value={typed('body', indented(body)) ?? ''} />}
        {queries.length > 0 ? (
          <details
            id="try-query"
            open={Object.keys(query).length > 0 || Object.keys(fieldsOf(visit, QUERY)).length > 0}
          >
            <summary>Query parameters</summary>
            <div class="form">
              {queries.map((name) => (
                <TextField name={`${QUERY}${name}`} label={name} value={typed(`${QUERY}${name}`, query[name])} narrow />
              ))}
            </div>
          </details>
        ) : null}
        <details id="try-headers" open={headerText !== ''}>
          <summary>Headers</summary>
          <Lines label="One per line: name: value" name="headers" value={headerText} rows={2} />
        </details>
        <div class="buttons gap">
          <Submit label="Send" main />
        </div>
      </PostForm>
      <Hint call={visit.call(commands.operations.call, { id: operation.id, ...sentIn(described) })} />
      <details id="try-curl">
        <summary>From a terminal</summary>
        <Command text={p.curl} />
      </details>
    </Panel>
  );
};

/** Returns the example in the form of the call that sends it. */
const sentIn = ({ example: { params, body } }: Described) => ({
  ...(Object.keys(params).length > 0 ? { params } : {}),
  ...(body === undefined ? {} : { body }),
});

const Needs = ({ visit, id }: { visit: PageContext; id: string }) => (
  <p class="needs">
    Nothing in this sandbox fits this call now. Create it with{' '}
    <a href={visit.at('api', id)}>{escapeControlChars(id)}</a>, or replace what stands in angle brackets.
  </p>
);

const TextField = (p: { name: string; label: string; value: string | undefined; narrow?: boolean }) => (
  <label class={p.narrow ? 'field' : 'field wide'}>
    <span>{p.label}</span>
    <input
      type="text"
      name={p.name}
      value={p.value === undefined ? undefined : escapeControlChars(p.value)}
      autocomplete="off"
      spellcheck={false}
    />
  </label>
);
