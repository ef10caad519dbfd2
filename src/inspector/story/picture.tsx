import type { Child } from 'hono/jsx';
import type { Ability, Meter, Party, Picture as Pictured, Stage } from '../../engine/story.ts';
import { type Found, find, nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Breakable, count, Step, Time } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { Amount, holderOf } from '../money/money.tsx';

/** A resource at a glance: payer and payee, its progress, its permissions, and the used share of its limits. */
export const Picture = ({ visit, of }: { visit: PageContext; of: Pictured }) => (
  <div class="picture">
    {of.flow ? <Flow visit={visit} flow={of.flow} /> : null}
    {of.stages ? <Stages visit={visit} stages={of.stages} /> : null}
    {of.may || of.meters || of.facts ? (
      <div class="glance">
        {of.may ? <Abilities may={of.may} /> : null}
        {of.meters?.map((meter) => (
          <Gauge meter={meter} />
        ))}
        {of.facts?.map(([name, value]) => (
          <div class="gauge">
            <p class="glance-title">{escapeControlChars(name)}</p>
            <p>
              <Breakable text={value} />
            </p>
          </div>
        ))}
      </div>
    ) : null}
  </div>
);

const Flow = ({ visit, flow }: { visit: PageContext; flow: NonNullable<Pictured['flow']> }) => (
  <div class="flow">
    <End visit={visit} title="From" party={flow.from} sign="−" />
    <div class="flow-between">
      <svg class="arrow" viewBox="0 0 120 16" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 8H118" />
      </svg>
      <svg class="arrow-head" viewBox="0 0 10 16" aria-hidden="true">
        <path d="M1 2l7 6-7 6" />
      </svg>
      {flow.between.length > 0 ? (
        <ul>
          {flow.between.map((one) => (
            <li>{escapeControlChars(one)}</li>
          ))}
        </ul>
      ) : null}
    </div>
    <End visit={visit} title="To" party={flow.to} sign="+" />
  </div>
);

/** Returns an account by its name, without the beneficiary's, which is already shown above. */
function accountOf(visit: PageContext, found: Found, above: string | undefined): string {
  const name = nameOf(visit, found) ?? found.kind.one;
  return above !== undefined && name.startsWith(`${above}, `) ? name.slice(above.length + 2) : name;
}

const End = ({ visit, title, party, sign }: { visit: PageContext; title: string; party: Party; sign: string }) => {
  const { account, owner, name, money } = party;
  const found = find(visit, account);
  const holder = owner ?? (found?.row as { customerId?: string } | undefined)?.customerId;
  const who = find(visit, holder);
  const theirs = who ? (nameOf(visit, who) ?? who.kind.one) : found ? holderOf(visit, account ?? '') : undefined;
  const called = escapeControlChars((found ? (name ?? theirs) : (theirs ?? name)) ?? account ?? '–');
  const to = name === undefined || !found ? href(visit, holder) : undefined;
  return (
    <section class="party" aria-label={title}>
      <p class="party-side">{title}</p>
      <p class="party-name">{to ? <a href={to}>{called}</a> : called}</p>
      <p class="party-account">
        {found ? (
          <>
            <a href={href(visit, account)}>{escapeControlChars(accountOf(visit, found, name))}</a>{' '}
            <span class="fine">{found.kind.one.toLowerCase()}</span>
          </>
        ) : theirs && name ? (
          escapeControlChars(name)
        ) : null}
      </p>
      {money ? (
        <p class="party-money">
          {sign}
          <Amount of={money.amount} currency={money.currency} />
        </p>
      ) : null}
    </section>
  );
};

const MARKS: Readonly<Record<Stage['is'], Child>> = {
  done: <path d="M4.5 8.5l2.4 2.4 4.6-5.4" />,
  now: <circle cx="8" cy="8" r="2.6" />,
  'to come': null,
  bad: <path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" />,
};
const LOOKS: Readonly<Record<Stage['is'], string>> = { done: 'done', now: 'present', 'to come': 'later', bad: 'bad' };
const SAID: Readonly<Record<Stage['is'], string>> = {
  done: 'done',
  now: 'now',
  'to come': 'to come',
  bad: 'ended here',
};

/** The progress of a resource, from left to right; on a phone from the top down. */
const Stages = ({ visit, stages }: { visit: PageContext; stages: readonly Stage[] }) => (
  <ol class="stages" aria-label="How far it is">
    {stages.map(({ what, at, is }) => (
      <li class={`stage ${LOOKS[is]}`}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle class="stage-ring" cx="8" cy="8" r="7" />
          {MARKS[is]}
        </svg>
        <span class="stage-what">
          {escapeControlChars(what)}
          <span class="visually-hidden">, {SAID[is]}</span>
        </span>
        <span class="stage-at">{at === undefined ? '' : <Time visit={visit} at={at} />}</span>
      </li>
    ))}
  </ol>
);

const Abilities = ({ may }: { may: readonly Ability[] }) => (
  <div>
    <p class="glance-title">Possible now</p>
    <ul class="checks-done">
      {may.map(({ what, ok, because }) => (
        <Step class={ok ? 'ok' : 'not-ok'} mark={ok ? '✓' : '✗'}>
          <span class="visually-hidden">{ok ? 'yes: ' : 'no: '}</span>
          {escapeControlChars(what)}
          {because ? <span class="check-note">{escapeControlChars(because)}</span> : null}
        </Step>
      ))}
    </ul>
  </div>
);

/** The used share of a limit, as a bar if there is a limit. */
const Gauge = ({ meter: { what, used, of, currency } }: { meter: Meter }) => {
  const text = (n: number) => (currency === undefined ? count(n) : <Amount of={n} currency={currency} />);
  const part = of === undefined || of === 0 ? 0 : Math.min(1, Math.max(0, used / of));
  return (
    <div class="gauge">
      <p class="glance-title">{escapeControlChars(what)}</p>
      <p>
        <b>{text(used)}</b> {of === undefined ? null : <span class="none">of {text(of)}</span>}
      </p>
      {of === undefined ? null : (
        <svg class={part >= 0.9 ? 'bar warn' : 'bar'} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="bar-all" width="100" height="6" />
          <rect class="bar-used" width={part * 100} height="6" />
        </svg>
      )}
    </div>
  );
};
