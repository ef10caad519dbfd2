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
  'docs/evidence.json has every operation, each with the same cells, and none of them empty',
  'docs/evidence.json says of what is declared what the declarations say today: contract, sections, falsifications, reasons',
  'a run that saw anything else fails with one sentence and the first line that differs',
];

/** Backends with a mistake know nothing of operations, and need a machine that does little else. */
const APART = ['--exclude', 'test/exam/mutants.test.ts'];

test('with an operation more, in the files that CONTRIBUTING names, every test holds but those of documents that count or list them', async () => {
  const { tests, failed, output } = await runPlanted(THROW_AWAY, APART);
  expect(tests).toBeGreaterThan(1000);
  expect([...failed].sort()).toEqual([...DOCUMENTS].sort());
  expect(output).not.toContain('never seen');
});
