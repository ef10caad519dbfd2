import { commands, LANGUAGES } from '../../sandbox/commands/index.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { Command } from '../frame/act.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Panel } from '../frame/parts.tsx';

type Language = (typeof LANGUAGES)[number];
type Code = readonly (readonly [as: Language, text: string])[];

const NAMES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  fetch: 'fetch',
  python: 'Python',
  java: 'Java',
  go: 'Go',
};

/** Returns a request as code in every language that is available. */
export const codeOf = (visit: PageContext, { id }: Entry): Promise<Code> =>
  Promise.all(LANGUAGES.map(async (as) => [as, await visit.ask(commands.requests.code, { id, as })] as const));

/** A request as code, one language at a time; the choice needs no script. */
export const CopyAs = ({ code }: { code: Code }) => (
  <Panel id="code" title="Copy as">
    <fieldset class="tabs">
      <legend class="visually-hidden">Language</legend>
      {code.map(([as]) => (
        <label>
          <input type="radio" name="copy-as" id={`copy-as-${as}`} checked={as === 'curl'} autocomplete="off" />
          <span>{NAMES[as]}</span>
        </label>
      ))}
    </fieldset>
    {code.map(([as, text]) => (
      <div class={`tab ${as}`}>
        <Command text={text} label={`Copy as ${NAMES[as]}`} />
      </div>
    ))}
  </Panel>
);
