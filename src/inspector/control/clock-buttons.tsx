import { commands } from '../../sandbox/commands/index.ts';
import { Act, Hint } from '../frame/act.tsx';
import type { PageContext } from '../frame/page-context.ts';

const STEPS: readonly (readonly [label: string, duration: string])[] = [
  ['+1 min', 'PT1M'],
  ['+15 min', 'PT15M'],
  ['+1 h', 'PT1H'],
  ['+1 d', 'P1D'],
  ['+7 d', 'P7D'],
];

/** The clock, and the buttons that move it. */
export const ClockButtons = ({ visit }: { visit: PageContext }) => {
  const { now, mode } = visit.world.clock.state();
  const next = mode === 'live' ? 'held' : 'live';
  return (
    <>
      <p class="big-time">
        <time datetime={now}>
          {now.slice(0, 10)} <b>{now.slice(11, 19)}</b>
        </time>
        <span>UTC</span>
        <Act small call={visit.call(commands.clock.move, { mode: next })} does={mode === 'live' ? 'Hold' : 'Run'} />
      </p>
      <fieldset class="steps" aria-label="Advance the clock">
        {STEPS.map(([label, advance]) => (
          <Act call={visit.call(commands.clock.move, { advance })} does={label} />
        ))}
      </fieldset>
      <Hint call={visit.call(commands.clock.move, { advance: 'PT15M' })} of="+15 min" />
    </>
  );
};
