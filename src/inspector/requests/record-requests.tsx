import { Failure } from '../../contract/errors.ts';
import { commands, EXPECTATIONS, RECORDINGS } from '../../sandbox/commands/index.ts';
import { Copy, Hint } from '../frame/act.tsx';
import { Pick, Submit } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Code, Empty, type PageParts, Panel, times } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { Wrong } from '../reference/post-form.tsx';
import { SandboxField } from '../search/box.tsx';

type As = (typeof RECORDINGS)[number];
type Expect = (typeof EXPECTATIONS)[number];
type Chosen = string[] | { from: string; to: string };

/** The formats of a recording: the name, and the file of each. */
const KINDS: Readonly<Record<As, readonly [name: string, file: string]>> = {
  vitest: ['Vitest test', 'recorded.test.ts'],
  shell: ['Shell script', 'recorded.sh'],
  scenario: ['Scenario file', 'recorded.yaml'],
  bruno: ['Bruno collection', 'recorded.json'],
};
const OPTIONS = RECORDINGS.map((as) => [as, KINDS[as][0]] as const);
/** Expectations by name. */
const EXPECTED: Readonly<Record<Expect, string>> = {
  all: 'All that repeats',
  'status and ids': 'Statuses and ids',
};
const EXPECT_OPTIONS = EXPECTATIONS.map((one) => [one, EXPECTED[one]] as const);
const PATH = '/inspector/record';

/** Shows requests of the log as a text to keep: selected in the list, or a span with both ends. */
export async function recordRequests(visit: PageContext): Promise<PageParts> {
  const as = RECORDINGS.find((one) => one === visit.query('as')) ?? 'vitest';
  const expect = expectIn(visit);
  const chosen = chosenIn(visit);
  const recorded = chosen && (await textOf(visit, chosen, as, expect));
  if (typeof recorded === 'string' && visit.query('file'))
    return { title: 'Record', body: null, file: { name: KINDS[as][1], text: recorded } };
  return {
    title: 'Record',
    up: { href: visit.to('/inspector/requests'), label: 'Requests' },
    lead: leadOf(chosen),
    body: (
      <>
        {recorded instanceof Failure ? <Wrong failure={recorded} /> : null}
        {chosen && typeof recorded === 'string' ? (
          <Recorded visit={visit} chosen={chosen} as={as} text={recorded} />
        ) : null}
        <Span visit={visit} chosen={chosen} as={as} />
      </>
    ),
  };
}

/** Returns the requests that the address names, oldest first, as a recording replays them. */
function chosenIn(visit: PageContext): Chosen | undefined {
  const [from, to] = [visit.query('from'), visit.query('to')];
  if (from && to) return { from, to };
  const ids = visit.url.searchParams.getAll('r');
  return ids.length > 0 ? ids.reverse() : undefined;
}

const expectIn = (visit: PageContext): Expect => EXPECTATIONS.find((one) => one === visit.query('expect')) ?? 'all';

/** Returns the expectation as a member of the call, unless it is the default. */
function expectMember(visit: PageContext): { expect?: Expect } {
  const expect = expectIn(visit);
  return expect === 'all' ? {} : { expect };
}

async function textOf(visit: PageContext, requests: Chosen, as: As, expect: Expect): Promise<string | Failure> {
  try {
    return await visit.ask(commands.requests.record, { requests, as, expect });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function leadOf(chosen: Chosen | undefined): string {
  if (chosen === undefined)
    return 'Requests become a test, a script, a scenario file or a collection; ids become variables.';
  if (Array.isArray(chosen))
    return `${times(chosen.length, 'request')}, and those that made what they use; ids are variables.`;
  return `${escapeControlChars(chosen.from)} to ${escapeControlChars(chosen.to)}; ids are variables.`;
}

/** Returns the address of the same requests in another format. */
function addressOf(visit: PageContext, chosen: Chosen, as: As, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Array.isArray(chosen) ? [] : chosen);
  if (Array.isArray(chosen)) for (const id of [...chosen].reverse()) query.append('r', id);
  for (const [name, value] of Object.entries({ as, ...more })) query.set(name, value);
  const expect = expectIn(visit);
  if (expect !== 'all') query.set('expect', expect);
  if (visit.sandbox !== visit.host.default) query.set('sandbox', visit.sandbox.id);
  return `${PATH}?${query}`;
}

const Recorded = ({ visit, chosen, as, text }: { visit: PageContext; chosen: Chosen; as: As; text: string }) => (
  <Panel
    id="recorded"
    title={KINDS[as][0]}
    tools={
      <>
        <Copy text={text} label="Copy the text" show="Copy" mark="recorded" />
        <a class="button small" href={addressOf(visit, chosen, as, { file: '1' })} download={KINDS[as][1]}>
          Download
        </a>
      </>
    }
  >
    <nav class="tabs" aria-label="Record as">
      {OPTIONS.map(([one, name]) => (
        <a href={addressOf(visit, chosen, one)} aria-current={one === as ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
    <Code label={KINDS[as][0]} of={escapeControlChars(text)} />
    <Hint call={visit.call(commands.requests.record, { requests: chosen, as, ...expectMember(visit) })} />
  </Panel>
);

/** A span of requests: the whole log by default. */
const Span = ({ visit, chosen, as }: { visit: PageContext; chosen: Chosen | undefined; as: As }) => {
  const log = [...visit.sandbox.requestLog.newest()];
  if (log.length === 0)
    return (
      <div class="panel">
        <Empty title="No requests yet">
          <p>Call the API first. Then you can record its requests.</p>
        </Empty>
      </div>
    );
  const span = chosen && !Array.isArray(chosen) ? chosen : { from: log.at(-1)?.id ?? '', to: log[0]?.id ?? '' };
  return (
    <Panel id="span" title="A range of requests">
      <form class="form" method="get" action={PATH} aria-label="A range of requests">
        <SandboxField visit={visit} />
        <Bound label="From" name="from" value={span.from} />
        <Bound label="To" name="to" value={span.to} />
        <Pick label="As" name="as" options={OPTIONS} value={as} />
        <Pick label="Expect" name="expect" options={EXPECT_OPTIONS} value={expectIn(visit)} />
        <Submit label="Record" main />
      </form>
      <p class="fine">
        Or select them one by one <a href={visit.to('/inspector/requests')}>in the list</a>.
      </p>
    </Panel>
  );
};

const Bound = (p: { label: string; name: string; value: string }) => (
  <label class="field">
    <span>{p.label}</span>
    <input type="text" name={p.name} value={escapeControlChars(p.value)} autocomplete="off" spellcheck={false} />
  </label>
);

/** The form that records the requests selected in a list, or the one request of the page. */
export const RecordForm = ({ visit, only }: { visit: PageContext; only?: string }) => (
  <form
    id="record"
    class="record"
    method="get"
    action={PATH}
    aria-label={only === undefined ? 'Record the selected requests' : 'Record this request'}
  >
    <SandboxField visit={visit} />
    {only === undefined ? null : <input type="hidden" name="r" value={only} />}
    <label for="record-as">{only === undefined ? 'Record selected as' : 'Record as'}</label>
    <select id="record-as" name="as">
      {OPTIONS.map(([as, name]) => (
        <option value={as}>{name}</option>
      ))}
    </select>
    <Submit label="Record" small />
  </form>
);

/** The act that makes a test of one request, on its page. */
export const RecordOne = ({ visit, id }: { visit: PageContext; id: string }) => (
  <Panel id="record-one" title="Record as a test">
    <p class="none">With the requests that created what it uses. Ids become variables.</p>
    <RecordForm visit={visit} only={id} />
  </Panel>
);
