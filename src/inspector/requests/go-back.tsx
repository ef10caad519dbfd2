import { commands } from '../../sandbox/commands/index.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { Hint } from '../frame/act.tsx';
import type { PageCall, PageContext } from '../frame/page-context.ts';
import type { PageParts } from '../frame/parts.tsx';
import { Panel, times } from '../frame/parts.tsx';
import { PostForm } from '../reference/post-form.tsx';

/** Rewinds to before a request, or forks that state, if a form of its page requests it. */
export async function goneBack(visit: PageContext, entry: Entry): Promise<PageParts | undefined> {
  const action = visit.field('do');
  if (action === 'rewind') {
    await visit.do(commands.requests.rewind, { id: entry.id });
    return { title: 'Rewound', body: null, to: visit.at('requests', entry.id) };
  }
  if (action !== 'fork') return undefined;
  const { id } = await visit.do(commands.requests.fork, { id: entry.id });
  return { title: 'Forked', body: null, to: `/?${new URLSearchParams({ sandbox: id })}` };
}

/** The button back to the state before a request, with its cost, or the reason why that is no longer possible. */
export const GoBack = ({ visit, entry }: { visit: PageContext; entry: Entry }) => {
  const changes = visit.sandbox.changesSince(entry);
  const to = visit.at('requests', entry.id);
  return (
    <Panel id="go-back" title="State before this request" live="request fact delivery clock reset">
      <p class={changes === undefined ? 'none' : undefined}>{costOf(entry, changes)}</p>
      <div class="buttons gap">
        <Button
          to={to}
          does="rewind"
          label="Rewind to before this request"
          sure="Rewind now?"
          off={changes === undefined}
        />
        <Button to={to} does="fork" label="Fork from before this request" off={changes === undefined} />
      </div>
      {changes ? (
        <p class="gap">
          <a href={visit.to('/inspector/compare', { from: `before:${entry.id}` })}>What changed since</a>
        </p>
      ) : null}
      <Hint call={callOf(visit, entry)} />
    </Panel>
  );
};

const callOf = (visit: PageContext, { id }: Entry): PageCall => visit.call(commands.requests.rewind, { id });

function costOf(entry: Entry, changes: number | undefined): string {
  if (changes === 0) return `${entry.undone ? 'This is that state. ' : ''}Nothing has changed since.`;
  const what = entry.undone ? 'everything that replaced it' : 'this request and everything after it';
  if (changes !== undefined)
    return `A rewind undoes ${times(changes, 'row change')}, ${what}. A fork leaves them here.`;
  return entry.undone
    ? 'It is no longer kept: the rewind went back further.'
    : 'It is no longer kept: the last 20,000 row changes of a life are kept.';
}

const Button = (p: { to: string; does: string; label: string; sure?: string; off: boolean }) => (
  <PostForm to={p.to} does={p.does} label={p.label}>
    <button type="submit" class="button" disabled={p.off} data-sure={p.sure}>
      {p.label}
    </button>
  </PostForm>
);
