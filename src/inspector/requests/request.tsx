import { commands } from '../../sandbox/commands/index.ts';
import { inPlainWords } from '../../sandbox/job-words.ts';
import { maskPath, maskTarget } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { Copy } from '../frame/act.tsx';
import { curlOfEntry } from '../frame/curl.ts';
import { Body, linked } from '../frame/json.tsx';
import type { PageContext } from '../frame/page-context.ts';
import {
  Badge,
  Empty,
  Facts,
  Id,
  type PageParts,
  Panel,
  Resource,
  Rows,
  Status,
  Time,
  times,
} from '../frame/parts.tsx';
import { HookRow, milliseconds } from '../frame/rows.tsx';
import { capital, escapeControlChars } from '../frame/text.ts';
import { CopyAs, codeOf } from './copy-as.tsx';
import { GoBack, goneBack } from './go-back.tsx';
import { kindInWords } from './job-kinds.ts';
import { isRefused, Outcome } from './outcome.tsx';
import { RecordOne } from './record-requests.tsx';
import { ReplayAnswer, ReplayForm, replayed } from './replay.tsx';
import { affectedIds, caused } from './request-filter.ts';

type Whole = ReturnType<typeof commands.requests.read.run>;

/** Shows one call from end to end. */
export async function request(visit: PageContext, [id = '']: readonly string[]): Promise<PageParts> {
  const whole = visit.ask(commands.requests.read, { id });
  const entry = visit.sandbox.requestLog.get(id) as Entry;
  const elsewhere = await goneBack(visit, entry);
  if (elsewhere) return elsewhere;
  const again = await replayed(visit, entry);
  const code = await codeOf(visit, entry);
  return {
    title: escapeControlChars(`${entry.method} ${maskPath(entry)}`),
    up: { href: visit.to('/inspector/requests'), label: 'Requests' },
    heading: (
      <span class="request-title">
        <span class="method">{escapeControlChars(entry.method)}</span>{' '}
        <span class="path">{linked(visit, maskTarget(entry))}</span>
      </span>
    ),
    lead: (
      <>
        <Status of={entry.status} />{' '}
        {entry.operation ? <Operation visit={visit} id={entry.operation} /> : 'no operation of the service'} ·{' '}
        {milliseconds(entry.ms)} · <Time visit={visit} at={entry.at} /> · <code>{entry.id}</code>
        {whole.traceparent ? (
          <>
            {' '}
            · trace <code>{whole.traceparent.split('-')[1]}</code>
          </>
        ) : null}
      </>
    ),
    tools: <Copy text={curlOfEntry(visit, entry)} label="Copy this call as curl" show="Copy as curl" mark="curl" />,
    call: visit.call(commands.requests.read, { id: entry.id }),
    body: (
      <>
        {again ? <ReplayAnswer visit={visit} entry={entry} of={again} /> : null}
        <Undone visit={visit} entry={entry} />
        <Outcome visit={visit} entry={entry} why={whole.why} />
        <div class="columns">
          <div>
            <Exchange visit={visit} whole={whole} />
            <ReplayForm visit={visit} entry={entry} />
            <CopyAs code={code} />
          </div>
          <div class="aside">
            <Caused visit={visit} entry={entry} />
            <GoBack visit={visit} entry={entry} />
            <RecordOne visit={visit} id={entry.id} />
            <Named visit={visit} entry={entry} />
            <Jobs visit={visit} jobs={whole.caused.jobs} />
          </div>
        </div>
      </>
    ),
  };
}

const Operation = ({ visit, id }: { visit: PageContext; id: string }) => <a href={visit.at('api', id)}>{id}</a>;

/** The request as it was sent, and its reply. */
const Exchange = ({ visit, whole: { request: sent, reply } }: { visit: PageContext; whole: Whole }) => (
  <>
    <Panel id="sent" title="Request">
      <Body visit={visit} text={sent.body} label="Request body" none="No body" />
      <details>
        <summary>Headers</summary>
        <Facts
          rows={Object.entries(sent.headers).map(([name, value]) => [
            escapeControlChars(name),
            <code>{escapeControlChars(value)}</code>,
          ])}
        />
      </details>
    </Panel>
    <Panel id="got" title="Response">
      <Body visit={visit} text={reply.body} label="Response body" none="No body" />
    </Panel>
  </>
);

/** The note that a rewind undid a call, which only the log still has. */
const Undone = ({ visit, entry: { undone, undoneBy } }: { visit: PageContext; entry: Entry }) =>
  undone ? (
    <section class="why note" aria-labelledby="undone-title">
      <h2 id="undone-title">
        {undoneBy === undefined ? (
          'Undone by a rewind'
        ) : (
          <>
            Undone by the rewind to before <a href={visit.at('requests', undoneBy)}>{escapeControlChars(undoneBy)}</a>
          </>
        )}
      </h2>
      <p>Only the log remembers it. What it changed is undone; a webhook that had been delivered stays delivered.</p>
    </section>
  ) : null;

const Caused = ({ visit, entry }: { visit: PageContext; entry: Entry }) => {
  const hooks = caused(visit, entry);
  return (
    <Panel id="caused" title="Webhooks it triggered" live="delivery fact" flush>
      {hooks.length > 0 ? (
        <Rows compact of={hooks.slice(0, 50).map((hook) => <HookRow visit={visit} hook={hook} />)} />
      ) : (
        <Empty title={titleOfNone(entry)}>
          <p>{whyNone(entry)}</p>
        </Empty>
      )}
    </Panel>
  );
};

const titleOfNone = ({ undone, caused }: Entry): string =>
  !caused?.events.length ? 'None' : undone ? 'Undone' : 'No longer kept';

function whyNone(entry: Entry): string {
  const triggered = entry.caused?.events.length ?? 0;
  if (triggered > 0)
    return `It triggered ${times(triggered, 'webhook')}${entry.undone ? ', which the rewind undid' : ''}.`;
  if (entry.method === 'GET') return 'Reading changes nothing.';
  return isRefused(entry) ? 'It was refused, so it sent none.' : 'It sent no event.';
}

const Named = ({ visit, entry }: { visit: PageContext; entry: Entry }) => {
  const about = affectedIds(visit, entry, 8);
  return (
    <Panel
      id="about"
      title={entry.method === 'GET' || entry.undone ? 'Related resources' : 'Changed or related resources'}
    >
      {about.length > 0 ? (
        <ul class="links">
          {about.map((id) => (
            <li>
              <Resource visit={visit} id={id} />
              <Id visit={visit} id={id} />
            </li>
          ))}
        </ul>
      ) : (
        <p class="none">None</p>
      )}
    </Panel>
  );
};

/** The work of a job in words; for one that ran, only its kind is known. */
const JobWords = ({ visit, id, kind }: { visit: PageContext; id: string; kind: string }) => {
  const job = visit.world.scheduler.jobs.get(id);
  const does = job ? inPlainWords(visit.world, job).does : kindInWords(kind);
  return <b>{escapeControlChars(capital(does))}</b>;
};

const Jobs = ({ visit, jobs }: { visit: PageContext; jobs: Whole['caused']['jobs'] }) =>
  jobs.length === 0 ? null : (
    <Panel id="jobs-caused" title="Jobs it scheduled" live="delivery clock reset">
      <ul class="links">
        {jobs.slice(0, 50).map(({ id, kind, state, dueAt }) => (
          <li>
            <span>
              <JobWords visit={visit} id={id} kind={kind} /> <Badge of={state} />{' '}
              {dueAt ? <Time visit={visit} at={dueAt} /> : null}
            </span>
            <Id visit={visit} id={id} />
          </li>
        ))}
      </ul>
    </Panel>
  );
