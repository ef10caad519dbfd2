import { Act, Hint } from './parts.tsx';
import type { Visit } from './visit.ts';

const STEPS: readonly (readonly [label: string, duration: string, words: string])[] = [
  ['+1 min', 'PT1M', 'Advance one minute'],
  ['+15 min', 'PT15M', 'Advance fifteen minutes'],
  ['+1 h', 'PT1H', 'Advance one hour'],
  ['+1 d', 'P1D', 'Advance one day'],
  ['+7 d', 'P7D', 'Advance seven days'],
];

/** The clock, and the buttons that move it. */
export const ClockButtons = ({ visit }: { visit: Visit }) => {
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
        {STEPS.map(([label, advance, words]) => (
          <Act visit={visit} label={words} call={{ method: 'POST', path: '/clock', body: { advance } }}>
            {label}
          </Act>
        ))}
      </fieldset>
      <Hint visit={visit} call={{ method: 'POST', path: '/clock', body: { advance: 'PT15M' } }} />
    </>
  );
};
