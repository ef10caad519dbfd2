import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Host } from '../../src/sandbox/host.ts';
import { readScenarioText } from '../../src/scenario/load.ts';

/** Every YAML example of the documents is a scenario, or a piece of one. */
const examples = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/```yaml\n(.*?)```/gs)].map((match, i) => ({
      name: `${file}, example ${i + 1}`,
      text: match[1] as string,
    })),
  );

test('the documents have scenarios', () => {
  expect(examples.length).toBeGreaterThanOrEqual(3);
});

test.each(examples)('$name is a scenario that starts', async ({ name, text }) => {
  const host = await Host.start({ scenario: (await readScenarioText(text, name)) as object });
  host.close();
});
