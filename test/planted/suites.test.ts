import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS, type Fault } from './faults.ts';

interface Outcome {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Tests that fail while a fault is planted, in a run of their own: what is loaded here stays as it is. */
async function failing({ what, suite, test }: Fault): Promise<string[]> {
  const file = join(tmpdir(), `planted-${process.pid}-${FAULTS.findIndex((one) => one.what === what)}.json`);
  const args = ['run', '--project', 'in-process', suite, '-t', test, '--reporter=json', `--outputFile=${file}`];
  const env = { ...process.env, PLANTED: what, THOROUGH: '' };
  await new Promise((resolve) =>
    execFile(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { env }, resolve),
  );
  const outcome = JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  rmSync(file);
  return outcome.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
}

test.each(FAULTS)('a planted fault is found by $suite: $what (X14)', async (fault) => {
  expect((await failing(fault)).join('\n')).toContain(fault.test);
});
