import { expect, test } from 'vitest';
import { effort } from '../kit/effort.ts';
import { hostile } from './run.ts';

/** Inputs of `npm test`; with fewer, not every kind of input would be among them. */
const INPUTS = effort(500, 40_000);

test('hostile inputs of one seed, most of them wrong somewhere, find no defect', async () => {
  // Timings decide nothing here: `npm run hostile` has them.
  const report = await hostile({ inputs: INPUTS, seed: 1, timings: false, long: effort(0, 1) > 0 });
  expect(report.told()).toBe('');
  expect(report.inputs).toBe(INPUTS);
  expect(report.raw).toBe(INPUTS / 100);
  // X14: every operation of the contract was done at least once, so that what lies behind the checks is reached.
  expect(report.never()).toEqual([]);
});
