import { commands } from '../../sandbox/commands/index.ts';
import { Act, Hint } from '../frame/act.tsx';
import { CallForm, Field, Submit } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { DataTable, Facts, type PageParts, Panel, times } from '../frame/parts.tsx';
import { ClockButtons } from './clock-buttons.tsx';
import { JobRows } from './job-rows.tsx';

const SPEEDS = [1, 10, 60, 3600];

/** The virtual clock, and everything that moves it. */
export const clock = (visit: PageContext): PageParts => ({
  title: 'Clock',
  lead: 'Advance the clock, and everything that falls due runs in order: decisions, settlements, expiries, seven days of webhook retries.',
  body: (
    <>
      <div class="columns even">
        <div>
          <Panel id="clock-now" title="Now" live="clock reset">
            <ClockButtons visit={visit} />
          </Panel>
          <MoveCard visit={visit} />
        </div>
        <div>
          <ModeCard visit={visit} />
          <NextCard visit={visit} />
        </div>
      </div>
      <Ran />
    </>
  ),
});

const MoveCard = ({ visit }: { visit: PageContext }) => (
  <Panel id="clock-move" title="Set the time">
    <CallForm call={visit.call(commands.clock.move)} label="Advance by a duration">
      <Field label="Advance by" name="advance" value="2h30m" placeholder="2h, 90s, 7d or PT15M" required grow />
      <Submit label="Advance" />
    </CallForm>
    <div class="gap">
      <CallForm call={visit.call(commands.clock.move)} label="Advance to a moment">
        <Field label="Or set a time (UTC)" name="to" placeholder={visit.world.clock.iso()} required grow />
        <Submit label="Set" />
      </CallForm>
    </div>
  </Panel>
);

const runs = (speed: number): string => (speed === 1 ? 'Run' : `Run ×${speed}`);

const ModeCard = ({ visit }: { visit: PageContext }) => {
  const { mode, speed } = visit.world.clock.state();
  // The present speed is not a choice.
  const speeds = SPEEDS.filter((n) => mode === 'held' || n !== speed);
  const shown = speeds.includes(60) ? 60 : 1;
  return (
    <Panel id="clock-mode" title="Mode" live="clock reset">
      <Facts
        rows={[
          ['Mode', mode === 'held' ? 'held: it moves only when you advance it' : 'live: it runs by itself'],
          ['Speed', speed === 1 ? 'real time' : `${speed} virtual seconds per real second`],
        ]}
      />
      <fieldset class="buttons gap" aria-label="Speed">
        {speeds.map((n) => (
          <Act call={visit.call(commands.clock.move, { mode: 'live', speed: n })} does={runs(n)} />
        ))}
        {mode === 'live' ? <Act call={visit.call(commands.clock.move, { mode: 'held' })} does="Hold" /> : null}
      </fieldset>
      <Hint call={visit.call(commands.clock.move, { mode: 'live', speed: shown })} of={runs(shown)} />
    </Panel>
  );
};

const NextCard = ({ visit }: { visit: PageContext }) => (
  <Panel
    id="clock-next"
    title="Next jobs"
    live="request fact delivery clock reset"
    tools={<a href={visit.to('/inspector/jobs')}>{`All ${times(visit.world.scheduler.jobs.size, 'job')}`}</a>}
    flush
  >
    <JobRows visit={visit} most={5} />
  </Panel>
);

/** The place where the script lists the jobs that an advance ran. */
const Ran = () => (
  <section class="panel flush js" hidden aria-labelledby="ran-title">
    <div class="panel-head">
      <h2 id="ran-title">Jobs that ran</h2>
      <p class="panel-tools" id="ran-count" role="status" />
    </div>
    <DataTable columns={[{ name: 'At' }, { name: 'What was done' }]} body="ran" />
  </section>
);
