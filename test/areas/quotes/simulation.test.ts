import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAYMENTS } from '../../../src/areas/transactions/index.ts';
import { effort } from '../../kit/effort.ts';
import { Watch } from './invariants.ts';
import { Payday, step } from './payday.ts';

/*
 * Random paydays. SIMULATION_STEPS: how many steps at least (2,500 unless set); SIMULATION_SEED: another history.
 *   SIMULATION_STEPS=100000 SIMULATION_SEED=7 npx vitest run test/areas/quotes/simulation.test.ts
 */
const STEPS = Number(process.env['SIMULATION_STEPS'] ?? effort(2500, 30_000));
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1);
const [SHORTEST, LONGEST] = [60, 140];

/** Ends that a run of this length has to have seen, or it proves little. */
const ENDS = [
  'out success COMPLETED',
  'out returned FAILED',
  'out timeout FAILED',
  'out user cancellation COMPLETED',
  'out refund fails FAILED',
  'out cancelled FAILED',
  'out wrong amount FAILED',
  'out slow COMPLETED',
  'out to a customer COMPLETED',
  'out not accepted FAILED',
  'told COMPLETED COMPLETED',
  'told FAILED FAILED',
  'told RETURNED FAILED',
  'undefined EXPIRED',
  'in success COMPLETED',
  'in cancelled FAILED',
  'in slow COMPLETED',
  'in refused for compliance FAILED',
  'undefined REJECTED',
];

const history = fc.record({
  // Every eighth platform is asked about incoming payments, and answers these in turn.
  asked: fc.oneof(
    { weight: 7, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(200, 200, 202, 202, 403, 500), { minLength: 1, maxLength: 5 }) },
  ),
  steps: fc.array(step, { minLength: SHORTEST, maxLength: LONGEST }),
});

test('random payments lose no cent and report every change once and in order, and lists neither lose nor repeat a row', async () => {
  const ends = new Set<string>();
  const done = { steps: 0, walks: 0 };
  await fc.assert(
    fc.asyncProperty(history, async ({ asked, steps }) => {
      const day = await Payday.open(asked);
      const watch = new Watch(day.it.sandbox.world);
      await day.act({ do: 'fund', amount: 90_000 });
      for (const one of steps) {
        await day.act(one);
        watch.check();
      }
      await day.act({ do: 'settle' });
      await day.it.advance('PT20M');
      watch.end();
      // Each payment's events arrive in the order in which they were told.
      if (day.hooks)
        for (const [id, story] of watch.stories)
          expect(
            day.hooks.received
              .filter(({ event }) => event.data.id === id && event.type.includes('.'))
              .map(({ event }) => event.type),
          ).toEqual(story);
      for (const t of day.it.sandbox.world.rows(PAYMENTS).rows()) ends.add(`${t.plan} ${t.status}`);
      done.steps += steps.length;
      done.walks += day.walks;
      watch.close();
      day.it.host.close();
    }),
    { seed: SEED, numRuns: Math.ceil(STEPS / 80) },
  );
  if (process.env['SIMULATION_STEPS']) console.info(`${done.steps} steps, ${done.walks} walks through the list`);
  expect(done.steps).toBeGreaterThanOrEqual(STEPS);
  expect(done.walks).toBeGreaterThan(STEPS / 40);
  expect(ENDS.filter((end) => !ends.has(end))).toEqual([]);
});
