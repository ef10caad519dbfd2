import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { runPlanted } from './run.ts';

test.each(FAULTS)('a planted fault is found by $suite: $what (X14)', async ({ what, suite, test }) => {
  expect((await runPlanted(what, [suite, '-t', test])).failed.join('\n')).toContain(test);
});
