import { stringify } from 'yaml';
import { CallForm, Field } from '../form.tsx';
import { Act, Copy, Empty, Facts, Head, Hint, type PageParts, Panel, Time } from '../parts.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** Lines of a scenario that are shown. */
const MOST = 600;

/** Where this sandbox started, and where it can go back to. */
export function scenario(visit: Visit): PageParts {
  const { sandbox } = visit;
  const lines = stringify(sandbox.scenario).split('\n');
  const text = lines.slice(0, MOST).join('\n');
  return {
    title: 'Scenario',
    menu: 'scenario',
    body: (
      <>
        <Head title="Scenario" lead={plain(sandbox.scenario.title ?? 'Where this sandbox started')}>
          <Act visit={visit} danger sure="Really reset?" call={{ method: 'POST', path: '/reset' }}>
            Reset to the scenario
          </Act>
        </Head>
        <Hint visit={visit} call={{ method: 'POST', path: '/reset' }} />
        <div class="columns">
          <div>
            <Panel
              id="scenario"
              title="In use, completed with defaults"
              tools={<Copy text={text} label="Copy the scenario" show="Copy" />}
            >
              <p class="none">It was checked when the sandbox started: no problems.</p>
              <div class="code">
                <section class="pre" tabindex={0} aria-label="The scenario as YAML">
                  <code>
                    {plain(text)}
                    {lines.length > MOST ? '\n# … cut here' : ''}
                  </code>
                </section>
              </div>
            </Panel>
          </div>
          <div class="aside">
            <Panel id="sandbox-card" title="Sandbox">
              <Facts
                rows={[
                  ['Id', <code>{plain(sandbox.id)}</code>],
                  ['Seed', <code>{plain(sandbox.seed)}</code>],
                  ['Profile', visit.world.profile.name],
                ]}
              />
              <div class="buttons gap">
                <Act visit={visit} call={{ method: 'POST', path: '/sandboxes', body: {} }} then="/?sandbox={id}">
                  New sandbox
                </Act>
                <Act
                  visit={visit}
                  call={{ method: 'POST', path: `/sandboxes/${sandbox.id}/fork`, body: {} }}
                  then="/?sandbox={id}"
                >
                  Fork this one
                </Act>
                {sandbox === visit.host.default ? null : (
                  <Act
                    visit={visit}
                    danger
                    sure="Really drop?"
                    call={{ method: 'DELETE', path: `/sandboxes/${sandbox.id}` }}
                    then="/"
                  >
                    Drop
                  </Act>
                )}
              </div>
              <Hint visit={visit} call={{ method: 'POST', path: '/sandboxes', body: {} }} />
            </Panel>
            <Panel id="snapshots" title="Snapshots" live="reset">
              <Snapshots visit={visit} />
            </Panel>
            <Panel id="snapshot-new" title="Keep this moment">
              <CallForm visit={visit} method="POST" path="/snapshots" label="Keep a snapshot" then="reload">
                <Field label="Name" name="name" placeholder="before-payday" pattern="[\w.\-]{1,100}" required grow />
                <button type="submit" class="button">
                  Keep
                </button>
              </CallForm>
            </Panel>
            <Panel id="export" title="Export and import">
              <p>
                <a href={visit.door('/state')} download={`${sandbox.id}-state.json`}>
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
            </Panel>
          </div>
        </div>
      </>
    ),
  };
}

const Snapshots = ({ visit }: { visit: Visit }) => {
  const { snapshots } = visit.sandbox;
  if (snapshots.size === 0)
    return (
      <Empty title="None kept">
        <p>Keep one before you try something, then see what changed, or go back.</p>
      </Empty>
    );
  const [first] = snapshots.keys();
  return (
    <>
      <ul class="links">
        {[...snapshots].map(([name, { clock }]) => (
          <li>
            <a href={visit.to(`/inspector/scenario/${encodeURIComponent(name)}`)}>{plain(name)}</a>
            <Time visit={visit} at={clock.now} />
            <span class="buttons">
              <Act
                visit={visit}
                small
                sure="Really restore?"
                label={`Restore ${name}`}
                call={{ method: 'POST', path: `/snapshots/${name}/restore` }}
              >
                Restore
              </Act>
              <Act
                visit={visit}
                small
                danger
                label={`Forget ${name}`}
                call={{ method: 'DELETE', path: `/snapshots/${name}` }}
                then="reload"
              >
                Forget
              </Act>
            </span>
          </li>
        ))}
      </ul>
      <Hint visit={visit} call={{ method: 'POST', path: `/snapshots/${first}/restore` }} />
    </>
  );
};
