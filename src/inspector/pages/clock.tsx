import { ClockButtons } from '../clock-buttons.tsx';
import { CallForm, Field } from '../form.tsx';
import { JobRows } from '../job-rows.tsx';
import { Act, Facts, Head, type PageParts, Panel, times } from '../parts.tsx';
import type { Visit } from '../visit.ts';

const SPEEDS = [1, 10, 60, 3600];

/** The virtual clock, and everything that moves it. */
export function clock(visit: Visit): PageParts {
  const { mode, speed } = visit.world.clock.state();
  const jobs = visit.world.scheduler.jobs.size;
  return {
    title: 'Clock',
    menu: 'clock',
    body: (
      <>
        <Head
          title="Clock"
          lead="Time is yours. Advance it, and everything due on the way happens in order: decisions, settlements, expiries, seven days of webhook retries."
        />
        <div class="columns even">
          <div>
            <Panel id="clock-now" title="Now" live="clock reset">
              <ClockButtons visit={visit} />
            </Panel>
            <Panel id="clock-move" title="Move it exactly">
              <CallForm visit={visit} method="POST" path="/clock" body={{}} label="Advance by a duration">
                <Field label="Advance by (ISO 8601)" name="advance" value="PT2H30M" pattern="P.+" required grow />
                <button type="submit" class="button">
                  Advance
                </button>
              </CallForm>
              <div class="gap">
                <CallForm visit={visit} method="POST" path="/clock" body={{}} label="Advance to a moment">
                  <Field label="Or to a moment (UTC)" name="to" placeholder={visit.world.clock.iso()} required grow />
                  <button type="submit" class="button">
                    Go there
                  </button>
                </CallForm>
              </div>
            </Panel>
          </div>
          <div>
            <Panel id="clock-mode" title="How it runs" live="clock reset">
              <Facts
                rows={[
                  ['Mode', mode === 'held' ? 'held: it moves only when told' : 'live: it moves by itself'],
                  ['Speed', speed === 1 ? 'as fast as real time' : `${speed} virtual seconds a real one`],
                ]}
              />
              <fieldset class="buttons gap" aria-label="Speed">
                {SPEEDS.map((n) => (
                  <Act visit={visit} call={{ method: 'POST', path: '/clock', body: { mode: 'live', speed: n } }}>
                    {n === 1 ? 'Run' : `Run ×${n}`}
                  </Act>
                ))}
                <Act visit={visit} call={{ method: 'POST', path: '/clock', body: { mode: 'held' } }}>
                  Hold
                </Act>
              </fieldset>
              <p class="hint">
                <code>
                  POST {visit.door('/clock')} {'{"mode":"live","speed":60}'}
                </code>
                <button
                  type="button"
                  class="copy js"
                  data-copy={`curl -s '${visit.origin}${visit.door('/clock')}' -d '{"mode":"live","speed":60}'`}
                  aria-label="Copy as curl"
                  title="Copy as curl"
                >
                  <svg viewBox="0 0 16 16" aria-hidden="true">
                    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
                    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
                  </svg>
                </button>
              </p>
            </Panel>
            <Panel
              id="clock-next"
              title={`Next of ${times(jobs, 'job')}`}
              live="request fact delivery clock reset"
              tools={<a href={visit.to('/inspector/jobs')}>All jobs</a>}
              flush
            >
              <JobRows visit={visit} most={5} />
            </Panel>
          </div>
        </div>
        <section class="panel flush js" hidden aria-labelledby="ran-title">
          <div class="panel-head">
            <h2 id="ran-title">What that ran</h2>
            <p class="panel-tools" id="ran-count" role="status" />
          </div>
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">At</th>
                  <th scope="col">Job</th>
                  <th scope="col">With</th>
                </tr>
              </thead>
              <tbody id="ran" />
            </table>
          </div>
        </section>
      </>
    ),
  };
}
