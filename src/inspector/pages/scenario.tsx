import { stringify } from 'yaml';
import { Act, Copy, Hint } from '../act.tsx';
import { CallForm, Field } from '../form.tsx';
import type { PageContext } from '../page-context.ts';
import { Empty, Facts, Head, type PageParts, Panel, Time } from '../parts.tsx';
import { escapeControlChars, segment } from '../text.ts';

/** Lines of a scenario that are shown. */
const MOST = 600;

const RESET = { method: 'POST', path: '/reset' } as const;

/** Where this sandbox started, and where it can go back to. */
export const scenario = (visit: PageContext): PageParts => ({
  title: 'Scenario',
  menu: 'scenario',
  body: (
    <>
      <Head title="Scenario" lead={escapeControlChars(visit.sandbox.scenario.title ?? 'Where this sandbox started')}>
        <Act visit={visit} danger sure="Really reset?" call={RESET}>
          Reset to the scenario
        </Act>
      </Head>
      <Hint visit={visit} call={RESET} />
      <div class="columns">
        <div>
          <InUse visit={visit} />
        </div>
        <div class="aside">
          <SandboxCard visit={visit} />
          <Panel id="snapshots" title="Snapshots" live="reset">
            <Snapshots visit={visit} />
          </Panel>
          <Panel id="snapshot-new" title="Keep this moment">
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
      title="In use, completed with defaults"
      tools={<Copy text={text} label="Copy the scenario" show="Copy" />}
    >
      <p class="none">It was checked when the sandbox started: no problems.</p>
      <div class="code">
        <section class="pre" tabindex={0} aria-label="The scenario as YAML">
          <code>
            {escapeControlChars(text)}
            {lines.length > MOST ? '\n# … cut here' : ''}
          </code>
        </section>
      </div>
    </Panel>
  );
};

const SandboxCard = ({ visit }: { visit: PageContext }) => {
  const { sandbox, world, host } = visit;
  const path = `/sandboxes/${segment(sandbox.id)}`;
  return (
    <Panel id="sandbox-card" title="Sandbox">
      <Facts
        rows={[
          ['Id', <code>{escapeControlChars(sandbox.id)}</code>],
          ['Seed', <code>{escapeControlChars(sandbox.seed)}</code>],
          ['Profile', world.profile.name],
        ]}
      />
      <div class="buttons gap">
        <Act visit={visit} call={{ method: 'POST', path: '/sandboxes', body: {} }} then="/?sandbox={id}">
          New sandbox
        </Act>
        <Act visit={visit} call={{ method: 'POST', path: `${path}/fork`, body: {} }} then="/?sandbox={id}">
          Fork this one
        </Act>
        {sandbox === host.default ? null : (
          <Act visit={visit} danger sure="Really drop?" call={{ method: 'DELETE', path }} then="/">
            Drop
          </Act>
        )}
      </div>
      <Hint visit={visit} call={{ method: 'POST', path: '/sandboxes', body: {} }} />
    </Panel>
  );
};

const KeepForm = ({ visit }: { visit: PageContext }) => (
  <CallForm visit={visit} method="POST" path="/snapshots" label="Keep a snapshot" then="reload">
    <Field label="Name" name="name" placeholder="before-payday" pattern="[\w.\-]{1,100}" required grow />
    <button type="submit" class="button">
      Keep
    </button>
  </CallForm>
);

const Export = ({ visit }: { visit: PageContext }) => (
  <>
    <p>
      <a href={visit.door('/state')} download={`${visit.sandbox.id}-state.json`}>
        Download the whole state
      </a>{' '}
      as JSON, in an order that does not change, so it can be committed.
    </p>
    <CallForm visit={visit} method="PUT" path="/state" label="Import a state" then="reload">
      <label class="field grow">
        <span>Become a saved state</span>
        <input type="file" accept="application/json,.json" required />
      </label>
      <button type="submit" class="button">
        Import
      </button>
    </CallForm>
  </>
);

const Snapshots = ({ visit }: { visit: PageContext }) => {
  const { snapshots } = visit.sandbox;
  const [first] = snapshots.keys();
  if (first === undefined)
    return (
      <Empty title="None kept">
        <p>Keep one before you try something, then see what changed, or go back.</p>
      </Empty>
    );
  return (
    <>
      <ul class="links">
        {[...snapshots].map(([name, { clock }]) => (
          <Snapshot visit={visit} name={name} at={clock.now} />
        ))}
      </ul>
      <Hint visit={visit} call={{ method: 'POST', path: `/snapshots/${segment(first)}/restore` }} />
    </>
  );
};

const Snapshot = ({ visit, name, at }: { visit: PageContext; name: string; at: string }) => {
  const path = `/snapshots/${segment(name)}`;
  return (
    <li>
      <a href={visit.to(`/inspector/scenario/${encodeURIComponent(name)}`)}>{escapeControlChars(name)}</a>
      <Time visit={visit} at={at} />
      <span class="buttons">
        <Act
          visit={visit}
          small
          sure="Really restore?"
          label={`Restore ${name}`}
          call={{ method: 'POST', path: `${path}/restore` }}
        >
          Restore
        </Act>
        <Act visit={visit} small danger label={`Forget ${name}`} call={{ method: 'DELETE', path }} then="reload">
          Forget
        </Act>
      </span>
    </li>
  );
};
