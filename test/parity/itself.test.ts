import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { STARTS } from '../../src/parity/scenarios.ts';
import { walkBoth } from '../../src/parity/session.ts';
import { effort } from '../kit/effort.ts';
import { tampered } from './sides.ts';

test('an emulator against another of the same profile shows no difference', async () => {
  const [ours, theirs] = [await tampered(), await tampered()];
  const operations = OPERATIONS.map(({ id }) => id);
  const steps = effort(300, 20_000);
  const { causes } = await walkBoth({ ours, theirs, scenarios: STARTS, operations, seed: 1, steps, patienceMs: 0 });
  expect(causes.map(({ cause, walk }) => `${cause}\n${JSON.stringify(walk)}`)).toEqual([]);
});
