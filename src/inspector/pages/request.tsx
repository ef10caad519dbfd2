import type { Child } from 'hono/jsx';
import type { Entry } from '../../host/journal.ts';
import { fail } from '../../kernel/errors.ts';
import { curlOfEntry } from '../curl.ts';
import { caused, touched } from '../journal.ts';
import { Body, Json, linked } from '../json.tsx';
import { Badge, Copy, Empty, Facts, Head, Hint, Id, type PageParts, Panel, Resource, Status, Time } from '../parts.tsx';
import { HookRow, milliseconds } from '../rows.tsx';
import { parsed, plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** What the control API says of one call. */
interface Whole {
  request: { headers: Record<string, string>; body: string };
  reply: { body: string };
  why?: Why;
  caused: { jobs?: readonly (string | { id: string; kind?: string; state?: string; dueAt?: string | null })[] };
}

interface Why {
  outcome?: string;
  code?: string;
  rule?: string;
  section?: string;
  expected?: unknown;
  seen?: unknown;
  message?: string;
  fields?: readonly { field: string; message: string }[];
  steps?: readonly { step: string; ok: boolean; note?: string }[];
}

/** One call from end to end. */
export async function request(visit: Visit, [id = '']: readonly string[]): Promise<PageParts> {
  const entry =
    visit.sandbox.journal.get(id) ??
    fail('REFERENCE_NOT_FOUND', `the log has no request ${id}; the last 1,000 are remembered`);
  const whole = await visit.ask<Whole>('GET', '/requests/:id', { id });
  const curl = curlOfEntry(visit, entry);
  const title = `${entry.method} ${entry.path}`;
  return {
    title: plain(title),
    menu: 'requests',
    body: (
      <>
        <Head
          up={{ href: visit.to('/inspector/requests'), label: 'Requests' }}
          title={
            <span class="request-title">
              <span class="method">{plain(entry.method)}</span>{' '}
              <span class="path">{linked(visit, entry.path + entry.query)}</span>
            </span>
          }
          lead={
            <>
              <Status of={entry.status} />{' '}
              {entry.operation ? <Operation visit={visit} id={entry.operation} /> : 'no operation of the service'} ·{' '}
              {milliseconds(entry.ms)} · <Time visit={visit} at={entry.at} /> · <code>{entry.id}</code>
            </>
          }
        >
          <Copy text={curl} label="Copy this call as curl" show="Copy as curl" mark="curl" />
        </Head>
        <Outcome visit={visit} entry={entry} why={whole.why} reply={whole.reply.body} />
        <div class="columns">
          <div>
            <Panel id="sent" title="Request">
              <Body visit={visit} text={whole.request.body} label="Request body" none="It had no body." />
              <details>
                <summary>Headers</summary>
                <Facts
                  rows={Object.entries(whole.request.headers).map(([name, value]) => [
                    plain(name),
                    <code>{plain(value)}</code>,
                  ])}
                />
              </details>
            </Panel>
            <Panel id="got" title="Reply">
              <Body visit={visit} text={whole.reply.body} label="Reply body" none="It had no body." />
            </Panel>
          </div>
          <div class="aside">
            <Consequences visit={visit} entry={entry} jobs={whole.caused.jobs ?? []} />
          </div>
        </div>
        <Hint visit={visit} call={{ method: 'GET', path: `/requests/${entry.id}` }} />
      </>
    ),
  };
}

export const Operation = ({ visit, id }: { visit: Visit; id: string }) => (
  <a class="operation" href={visit.to(`/inspector/api/${encodeURIComponent(id)}`)}>
    {id}
  </a>
);

/** Why it went so: the rule that refused it, what was expected and seen; or what a magic value or a fault did. */
const Outcome = ({
  visit,
  entry,
  why = {},
  reply,
}: {
  visit: Visit;
  entry: Entry;
  why: Why | undefined;
  reply: string;
}) => {
  const answer = parsed(reply) as { message?: unknown; details?: { errors?: Why['fields'] } } | undefined;
  const refused = entry.status >= 400 || entry.status === 0;
  const message = why.message ?? (typeof answer?.message === 'string' ? answer.message : undefined);
  const fields = why.fields ?? answer?.details?.errors;
  const magic = entry.trace?.magic ?? [];
  const asked = entry.status === 202 && why.outcome?.startsWith('asked');
  if (!refused && magic.length === 0 && !entry.fault && !asked) return null;
  const section = why.section ?? undefined;
  return (
    <section
      class={`why ${refused ? (entry.status >= 500 || entry.status === 0 ? 'bad' : 'warn') : 'note'}`}
      aria-labelledby="why-title"
    >
      <h2 id="why-title">{refused ? `Why it was refused${entry.code ? `: ${entry.code}` : ''}` : 'Why it went so'}</h2>
      {refused && message ? <p class="why-message">{linked(visit, message)}</p> : null}
      {refused && Array.isArray(fields) && fields.length > 0 ? (
        <ul class="fields">
          {fields.map(({ field, message: said }) => (
            <li>
              <code>{plain(String(field))}</code> {plain(String(said))}
            </li>
          ))}
        </ul>
      ) : null}
      {why.steps ? <Steps visit={visit} steps={why.steps} /> : null}
      <Facts
        rows={[
          ['Outcome', asked ? why.outcome : undefined],
          ['Rule', why.rule ? plain(why.rule) : undefined],
          ['Written in', section && section !== why.rule ? plain(section) : undefined],
          ['Expected', told(visit, why.expected)],
          ['Seen', told(visit, why.seen)],
          ['Fault', entry.fault ? plain(entry.fault) : undefined],
          [
            'Magic value',
            magic.length > 0 ? (
              <ul class="plain-list">
                {magic.map((m) => (
                  <li>{plain(m)}</li>
                ))}
              </ul>
            ) : undefined,
          ],
        ]}
      />
    </section>
  );
};

/** The checks of a signature in their order, up to the one that differed. */
const Steps = ({ visit, steps }: { visit: Visit; steps: NonNullable<Why['steps']> }) => (
  <ol class="checks-done">
    {steps.map(({ step, ok, note }) => (
      <li class={ok ? 'ok' : 'not-ok'}>
        <span class="mark" aria-hidden="true">
          {ok ? '✓' : '✗'}
        </span>
        <span>
          <span class="visually-hidden">{ok ? 'passed: ' : 'failed: '}</span>
          {plain(step)}
          {note ? <span class="check-note">{linked(visit, note)}</span> : null}
        </span>
      </li>
    ))}
  </ol>
);

function told(visit: Visit, value: unknown): Child {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') return <Json visit={visit} value={value} label="Value" />;
  return <code>{linked(visit, String(value))}</code>;
}

/** The webhooks, jobs and resources behind a call. */
const Consequences = ({
  visit,
  entry,
  jobs,
}: {
  visit: Visit;
  entry: Entry;
  jobs: NonNullable<Whole['caused']['jobs']>;
}) => {
  const hooks = caused(visit, entry);
  const about = touched(visit, entry, 8);
  const told = entry.trace?.facts.length ?? 0;
  return (
    <>
      <Panel id="caused" title="Webhooks it caused" live="delivery fact" flush>
        {hooks.length > 0 ? (
          <ul class="rows compact" data-rows>
            {hooks.slice(0, 50).map((hook) => (
              <HookRow visit={visit} hook={hook} />
            ))}
          </ul>
        ) : (
          <Empty title={told > 0 ? 'Forgotten by now' : 'None'}>
            <p>{entry.method === 'GET' ? 'Reading changes nothing.' : refusedNote(entry)}</p>
          </Empty>
        )}
      </Panel>
      <Panel id="about" title={entry.method === 'GET' ? 'Resources it names' : 'Resources it changed or names'}>
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
          <p class="none">None that exists now.</p>
        )}
      </Panel>
      {jobs.length > 0 ? (
        <Panel id="jobs-caused" title="Jobs it scheduled" live="delivery clock reset">
          <ul class="links">
            {jobs.slice(0, 50).map((job) => {
              const { id, kind, state, dueAt } =
                typeof job === 'string' ? { id: job, kind: 'job', state: undefined, dueAt: undefined } : job;
              return (
                <li>
                  <span>
                    <b>{kind ?? 'job'}</b> {state ? <Badge of={state} /> : null}{' '}
                    {dueAt ? <Time visit={visit} at={dueAt} /> : null}
                  </span>
                  <Id visit={visit} id={id} />
                </li>
              );
            })}
          </ul>
        </Panel>
      ) : null}
    </>
  );
};

const refusedNote = (entry: Entry): string =>
  entry.status >= 400 || entry.status === 0 ? 'A refused call leaves no trace.' : 'It told no event.';
