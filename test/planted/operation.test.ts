import { expect, test } from 'vitest';
import { THROW_AWAY } from './operation.ts';
import { runPlanted } from './run.ts';

/** Documents count and list the operations; they are read as they are, without the change. */
const DOCUMENTS = [
  ...['README.md', 'docs/comparison.md'].map((file) => `${file} says how many operations are declared`),
  'llms.txt says how many operations there are',
  'docs/errors.md lists every error code with its status and the operations that refuse with it (W19)',
];

test('with an operation more, in the files that CONTRIBUTING names, every test holds but those of documents that count or list them', async () => {
  const { tests, failed, output } = await runPlanted(THROW_AWAY);
  expect(tests).toBeGreaterThan(1000);
  expect([...failed].sort()).toEqual([...DOCUMENTS].sort());
  expect(output).not.toContain('never seen');
});
