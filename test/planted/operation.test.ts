import { expect, test } from 'vitest';
import { THROW_AWAY } from './operation.ts';
import { runPlanted } from './run.ts';

/** Documents count and list the operations; they are read as they are, without the change. */
const DOCUMENTS = [
  ...['README.md', 'docs/comparison.md'].map((file) => `${file} says how many operations are declared`),
  'llms.txt says how many operations there are',
  'docs/errors.md lists every error code with its status and the operations that refuse with it (W19)',
  'the sample reports of docs/coverage.md and docs/cli.md have the totals of this build and matching percentages',
  'every number of the documents is of a kind that is not a figure, or is computed and true',
  'the record of evidence docs/evidence.json has every operation, each with the same cells, and none of them empty',
  'the record of evidence docs/evidence.json repeats what is declared today: contract, sections, falsifications, reasons',
  'a run that saw anything other than the record fails with one sentence and the first line that differs',
];

/** Backends with a mistake know nothing of operations, and need a machine that does little else. */
const APART = ['--exclude', 'test/exam/mutants.test.ts'];

test('every test holds with one operation more in the files that CONTRIBUTING names, but for documents that count or list operations', async () => {
  const { tests, failed, output } = await runPlanted(THROW_AWAY, APART);
  expect(tests).toBeGreaterThan(1000);
  expect([...failed].sort()).toEqual([...DOCUMENTS].sort());
  expect(output).not.toContain('never seen');
});
