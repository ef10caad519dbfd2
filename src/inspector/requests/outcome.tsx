import type { Child } from 'hono/jsx';
import type { Explanation } from '../../sandbox/explain.ts';
import { type Ignored, ignoredIn } from '../../sandbox/ignored.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { anchorOf, ruleOf } from '../../sandbox/rules.ts';
import { Json, linked } from '../frame/json.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Facts, Step } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

interface OutcomeProps {
  visit: PageContext;
  entry: Entry;
  why: Explanation;
}

/** Returns whether a call was refused, or its connection broke. */
export const isRefused = ({ status }: Entry): boolean => status >= 400 || status === 0;

/**
 * The reason for the result: the rule that refused the call, expected and seen; or the magic value or fault that acted.
 */
export const Outcome = ({ visit, entry, why }: OutcomeProps) => {
  const refused = isRefused(entry);
  const pendingOutcome = entry.status === 202 && !entry.undone ? why.outcome : undefined;
  const ignored = ignoredIn(entry, visit.world.profile);
  const isPlain = !refused && !entry.caused?.magic.length && !entry.fault && !pendingOutcome;
  if (isPlain && ignored.length === 0 && why.repeats === undefined) return null;
  const tone = refused ? (entry.status >= 500 || entry.status === 0 ? 'bad' : 'warn') : 'note';
  return (
    <section class={`why ${tone}`} aria-labelledby="why-title">
      <h2 id="why-title">{refused ? `Why it was refused${entry.code ? `: ${entry.code}` : ''}` : 'Why it went so'}</h2>
      {refused ? <Refusal visit={visit} why={why} /> : null}
      {why.steps ? <Steps visit={visit} steps={why.steps} /> : null}
      <Facts
        rows={[
          ['Outcome', pendingOutcome],
          ['Rule', why.rule ? <Rule visit={visit} text={why.rule} /> : undefined],
          ['Expected', shownValue(visit, why.expected)],
          ['Seen', shownValue(visit, why.seen)],
          ['Repeats', why.repeats === undefined ? undefined : <Repeated visit={visit} id={why.repeats} />],
          ['Ignored', ignored.length > 0 ? <NotRead of={ignored} /> : undefined],
          ['Fault', entry.fault ? escapeControlChars(entry.fault) : undefined],
          ['Magic value', entry.caused?.magic.length ? <Magic fired={entry.caused.magic} /> : undefined],
        ]}
      />
    </section>
  );
};

/** The request whose reply is repeated, as a link while the log has it. */
const Repeated = ({ visit, id }: { visit: PageContext; id: string }) => (
  <>
    the first reply to this <code>Idempotency-Key</code>, of{' '}
    {visit.sandbox.requestLog.get(id) ? <a href={visit.at('requests', id)}>{id}</a> : escapeControlChars(id)}; nothing
    was done
  </>
);

/** The members that were sent and ignored, each with the one that was probably meant. */
const NotRead = ({ of }: { of: readonly Ignored[] }) => (
  <ul class="fields">
    {of.map(({ name, near }) => (
      <li>
        <code>{escapeControlChars(name)}</code>
        {near === undefined ? null : (
          <>
            {' '}
            did you mean <code>{near}</code>?
          </>
        )}
      </li>
    ))}
  </ul>
);

/** A rule with its text; the place that it cites links to the page of rules. */
const Rule = ({ visit, text }: { visit: PageContext; text: string }) => {
  const found = ruleOf(text);
  if (!found) return <>{escapeControlChars(text)}</>;
  return (
    <>
      {found.says} <a href={`${visit.to('/inspector/rules')}#${anchorOf(found.place)}`}>{escapeControlChars(text)}</a>
    </>
  );
};

/** The message of a refusal, and every wrong field. */
const Refusal = ({ visit, why: { message, fields = [] } }: { visit: PageContext; why: Explanation }) => (
  <>
    {message ? <p class="why-message">{linked(visit, message)}</p> : null}
    {fields.length > 0 ? (
      <ul class="fields">
        {fields.map(({ field, message: said }) => (
          <li>
            <code>{escapeControlChars(field)}</code> {escapeControlChars(said)}
          </li>
        ))}
      </ul>
    ) : null}
  </>
);

const Magic = ({ fired }: { fired: readonly string[] }) => (
  <ul class="plain-list">
    {fired.map((one) => (
      <li>{escapeControlChars(one)}</li>
    ))}
  </ul>
);

/** The checks of a signature in their order, up to the one that differed. */
const Steps = ({ visit, steps }: { visit: PageContext; steps: NonNullable<Explanation['steps']> }) => (
  <ol class="checks-done">
    {steps.map(({ step, ok, note }) => (
      <Step class={ok ? 'ok' : 'not-ok'} mark={ok ? '✓' : '✗'}>
        <span class="visually-hidden">{ok ? 'passed: ' : 'failed: '}</span>
        {escapeControlChars(step)}
        {note ? <span class="check-note">{linked(visit, note)}</span> : null}
      </Step>
    ))}
  </ol>
);

function shownValue(visit: PageContext, value: unknown): Child {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') return <Json visit={visit} value={value} label="Value" />;
  return <code>{linked(visit, String(value))}</code>;
}
