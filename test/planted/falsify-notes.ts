import { appendFileSync } from 'node:fs';
import { TestRunner } from 'vitest';

const noted = new Set<string>();

/** The name of a test as `vitest -t` knows it. */
const fullName = ({ name, suite }: { name: string; suite?: object | undefined }): string =>
  `${suite === undefined ? '' : `${fullName(suite as never)} `}${name}`;

/** Notes that the running test reached the place of a rule: a line of JSON in the file that RULES_REACHED names. */
export function reachedRule(place: string): void {
  const test = TestRunner.getCurrentTest();
  if (!test) return;
  const line = `${JSON.stringify({ place, suite: test.file.name, test: fullName(test) })}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(process.env['RULES_REACHED'] as string, line);
}
