import { stringify } from 'yaml';
import { commands } from '../../sandbox/commands/index.ts';
import { Act, Copy, Hint } from '../frame/act.tsx';
import { CallForm, Field, Submit } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Code, Empty, Facts, type PageParts, Panel, pageFrom, Time } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

/** The most lines of a scenario that are shown. */
const MOST = 600;

/** Shows the scenario of this sandbox, and the states to which it can return. */
export const scenario = (visit: PageContext): PageParts => ({
  title: 'Scenario',
  lead: escapeControlChars(visit.sandbox.scenario.title ?? 'Where this sandbox started'),
  tools: <Act danger sure="Really reset?" call={visit.call(commands.state.reset)} does="Reset to the scenario" />,
  body: (
    <>
      <Hint call={visit.call(commands.state.reset)} />
      <div class="columns">
        <div>
          <InUse visit={visit} />
        </div>
        <div class="aside">
          <SandboxCard visit={visit} />
          <Panel id="snapshots" title="Snapshots" live="reset">
            <Snapshots visit={visit} />
          </Panel>
          <Panel id="snapshot-new" title="Save a snapshot">
            <KeepForm visit={visit} />
          </Panel>
          <Panel id="export" title="Export and import">
            <Export visit={visit} />
          </Panel>
        </div>
      </div>
    </>
  ),
});

const InUse = ({ visit }: { visit: PageContext }) => {
  const lines = stringify(visit.sandbox.scenario).split('\n');
  const text = lines.slice(0, MOST).join('\n');
  return (
    <Panel
      id="scenario"
      title="Current scenario, with defaults"
      tools={<Copy text={text} label="Copy the scenario" show="Copy" />}
    >
      <p class="none">Checked at the start: no problems.</p>
      <Code
        label="The scenario as YAML"
        of={`${escapeControlChars(text)}${lines.length > MOST ? '\n# … cut here' : ''}`}
      />
    </Panel>
  );
};

const SandboxCard = ({ visit }: { visit: PageContext }) => {
  const { sandbox, world, host } = visit;
  const { id } = sandbox;
  return (
    <Panel id="sandbox-card" title="Sandbox">
      <Facts
        rows={[
          ['Id', <code>{escapeControlChars(id)}</code>],
          ['Seed', <code>{escapeControlChars(sandbox.seed)}</code>],
          ['Profile', world.profile.name],
        ]}
      />
      <div class="buttons gap">
        <Act call={visit.call(commands.sandboxes.create)} then="/?sandbox={id}" does="New sandbox" />
        {sandbox === host.default ? null : (
          <Act danger sure="Really drop?" call={visit.call(commands.sandboxes.drop, { id })} then="/" does="Drop" />
        )}
      </div>
      <Hint call={visit.call(commands.sandboxes.create)} of="New sandbox" />
      <CallForm call={visit.call(commands.sandboxes.fork, { id })} then="/?sandbox={id}" label="Fork this sandbox">
        <Field label="Name of a fork" name="name" placeholder="optional" pattern="[\w.\-]{1,100}" grow />
        <Submit label="Fork this one" />
      </CallForm>
      <p>
        <a href={visit.to('/inspector/compare')}>Compare two states</a>: now, a snapshot, another sandbox, the state
        before a request.
      </p>
    </Panel>
  );
};

const KeepForm = ({ visit }: { visit: PageContext }) => (
  <CallForm call={visit.call(commands.snapshots.keep)} label="Save a snapshot" then="reload">
    <Field label="Name" name="name" placeholder="before-payday" pattern="[\w.\-]{1,100}" required grow />
    <Submit label="Save" />
  </CallForm>
);

const Export = ({ visit }: { visit: PageContext }) => (
  <>
    <p>
      <a href={visit.call(commands.state.read).url} download={`${visit.sandbox.id}-state.json`}>
        Download the whole state
      </a>{' '}
      as JSON, in an order that does not change, so it can be committed.
    </p>
    <CallForm call={visit.call(commands.state.write)} label="Import a state" then="reload">
      <label class="field grow">
        <span>Load a saved state</span>
        <input type="file" accept="application/json,.json" required />
      </label>
      <Submit label="Import" />
    </CallForm>
  </>
);

const Snapshots = ({ visit }: { visit: PageContext }) => {
  const { snapshots } = visit.sandbox;
  const [first] = snapshots.keys();
  const { rows, pager } = pageFrom(visit, '/inspector/scenario', [...snapshots]);
  if (first === undefined)
    return (
      <Empty title="None kept">
        <p>Take one before you try something. Then compare, or go back.</p>
      </Empty>
    );
  return (
    <>
      <ul class="links">
        {rows.map(([name, { clock }]) => (
          <Snapshot visit={visit} name={name} at={clock.now} />
        ))}
      </ul>
      {pager}
      <Hint call={visit.call(commands.snapshots.restore, { name: first })} />
    </>
  );
};

const Snapshot = ({ visit, name, at }: { visit: PageContext; name: string; at: string }) => {
  const restore = visit.call(commands.snapshots.restore, { name });
  const forget = visit.call(commands.snapshots.forget, { name });
  return (
    <li>
      <a href={visit.at('scenario', name)}>{escapeControlChars(name)}</a>
      <Time visit={visit} at={at} />
      <span class="buttons">
        <Act small sure="Really restore?" label={`Restore ${name}`} call={restore} does="Restore" />
        <Act small danger label={`Delete ${name}`} call={forget} then="reload" does="Delete" />
      </span>
    </li>
  );
};
