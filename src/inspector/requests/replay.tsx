import { Failure } from '../../contract/errors.ts';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { Hint } from '../frame/act.tsx';
import { Submit } from '../frame/form.tsx';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Panel, Time } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { Lines, PostForm, Wrong } from '../reference/post-form.tsx';
import { changedBody, changedHeaders, editableBody, editableHeaders } from './edited.ts';
import { Sides } from './sides.tsx';

const AGAINST = ['now', 'before', 'fork'] as const;
type Against = (typeof AGAINST)[number];

/** The result of a replay, or the reason why it was refused. */
export type Replayed = AnswerOf<typeof commands.requests.replay> | Failure;

const againstOf = (visit: PageContext): Against => AGAINST.find((one) => one === visit.field('against')) ?? 'now';

/** Replays a request with the values of its page's form; returns undefined if no form was sent. */
export async function replayed(visit: PageContext, entry: Entry): Promise<Replayed | undefined> {
  if (visit.field('do') !== 'replay') return undefined;
  try {
    const body = visit.form?.has('body') ? changedBody(entry, visit.field('body') ?? '') : undefined;
    return await visit.do(commands.requests.replay, {
      id: entry.id,
      against: againstOf(visit),
      ...(body === undefined ? {} : { body }),
      headers: changedHeaders(entry, visit.field('headers') ?? ''),
    });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Both replies of a replayed request. */
export const ReplayAnswer = ({ visit, entry, of }: { visit: PageContext; entry: Entry; of: Replayed }) => {
  if (of instanceof Failure) return <Wrong failure={of} />;
  const { original, replayed: fresh, against, sandbox, same } = of;
  const elsewhere = against === 'fork' ? `/?${new URLSearchParams({ sandbox })}` : undefined;
  const to = against === 'now' ? href(visit, fresh.id) : undefined;
  return (
    <Sides
      visit={visit}
      same={same}
      left={{
        title: (
          <>
            as it was, <Time visit={visit} at={entry.at} />
          </>
        ),
        status: original.status,
        body: original.body,
      }}
      right={{
        title: (
          <>
            {PLACES[against]}
            {to ? (
              <>
                , <a href={to}>{fresh.id}</a>
              </>
            ) : null}
            {elsewhere ? (
              <>
                {' '}
                <a href={elsewhere}>{escapeControlChars(sandbox)}</a>
              </>
            ) : null}
          </>
        ),
        status: fresh.status,
        body: fresh.body,
      }}
    />
  );
};

const PLACES: Readonly<Record<Against, string>> = {
  now: 'replayed now',
  before: 'replayed in the state before it',
  fork: 'replayed in the fork',
};

/** The form that replays a request, with changes or without. */
export const ReplayForm = ({ visit, entry }: { visit: PageContext; entry: Entry }) => {
  const chosen = againstOf(visit);
  const noWay = visit.sandbox.changesSince(entry) === undefined;
  const hasBody = entry.method !== 'GET' && entry.method !== 'HEAD';
  const body = visit.form?.has('body') ? (visit.field('body') ?? '') : editableBody(entry);
  const headers = visit.form?.has('headers') ? (visit.field('headers') ?? '') : editableHeaders(entry);
  return (
    <Panel id="again" title="Replay">
      <PostForm to={`${visit.to(visit.path)}#answer`} does="replay" label="Replay">
        <fieldset class="choices">
          <legend>Against</legend>
          <Way value="now" chosen={chosen} label="This sandbox, now" />
          <Way
            value="before"
            chosen={chosen}
            off={noWay}
            label={noWay ? 'The state before it (no longer kept)' : 'A copy of the state before it'}
          />
          <Way value="fork" chosen={chosen} label="A new fork, which is kept" />
        </fieldset>
        {hasBody ? <Lines label="Body" name="body" value={body} note={<Masked text={body} />} /> : null}
        <details id="again-headers" open={visit.form?.has('headers') && headers !== editableHeaders(entry)}>
          <summary>Headers</summary>
          <Lines label="One per line: name: value" name="headers" value={headers} />
        </details>
        <div class="buttons gap">
          <Submit label="Replay" main />
        </div>
      </PostForm>
      <Hint call={visit.call(commands.requests.replay, { id: entry.id, against: chosen })} />
    </Panel>
  );
};

const Masked = ({ text }: { text: string }) =>
  text.includes('•••') ? <>Masked values (•••) are sent unchanged unless you replace them.</> : null;

const Way = (p: { value: Against; chosen: Against; label: string; off?: boolean }) => (
  <label class="check">
    <input type="radio" name="against" value={p.value} checked={p.value === p.chosen} disabled={p.off} />
    <span>{p.label}</span>
  </label>
);
