import { Act, Hint } from './act.tsx';
import type { PageContext } from './page-context.ts';

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
        <Act visit={visit} small call={{ method: 'POST', path: '/clock', body: { mode: next } }}>
          {mode === 'live' ? 'Hold' : 'Run'}
        </Act>
      </p>
      <fieldset class="steps" aria-label="Advance the clock">
        {STEPS.map(([label, advance]) => (
          <Act visit={visit} call={{ method: 'POST', path: '/clock', body: { advance } }}>
            {label}
          </Act>
        ))}
      </fieldset>
      <Hint visit={visit} call={{ method: 'POST', path: '/clock', body: { advance: 'PT15M' } }} />
    </>
  );
};
