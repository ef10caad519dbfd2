import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Host } from '../../src/sandbox/host.ts';
import { BUILT_INS } from '../../src/scenario/builtin.ts';
import { readScenarioText } from '../../src/scenario/load.ts';
import { scenarioJsonSchema } from '../../src/scenario/publish.ts';

/** Every YAML example of the documents is a scenario, or a piece of one. */
const examples = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/```yaml\n(.*?)```/gs)].map((match, i) => ({
      name: `${file}, example ${i + 1}`,
      text: match[1] as string,
    })),
  );

test('the documents have at least three examples of a scenario', () => {
  expect(examples.length).toBeGreaterThanOrEqual(3);
});

test.each(examples)('$name is a scenario that starts', async ({ name, text }) => {
  const host = await Host.start({ scenario: (await readScenarioText(text, name)) as object });
  host.close();
});

test('docs/scenarios.md names every built-in scenario and every key of a scenario', () => {
  const page = readFileSync('docs/scenarios.md', 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = new Set(
    rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name)),
  );
  const { properties } = (scenarioJsonSchema()['$defs'] as { Scenario: { properties: object } }).Scenario;
  const keys = Object.keys(properties).filter((key) => key !== '$schema' && key !== 'title');
  expect([...BUILT_INS, ...keys].filter((name) => !named.has(name))).toEqual([]);
});
