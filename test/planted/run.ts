import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Outcome {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** What a run of the tests that run on every change came to, while something is planted. */
export interface Run {
  readonly tests: number;
  /** Tests that failed, and files that could not be loaded. */
  readonly failed: readonly string[];
  readonly output: string;
}

let runs = 0;

/** Runs tests with something planted, in a process of its own: what is loaded here stays as it is. */
export async function runPlanted(what: string, args: readonly string[] = []): Promise<Run> {
  runs += 1;
  const file = join(tmpdir(), `planted-${process.pid}-${runs}.json`);
  const projects = ['--project', 'in-process', '--project', 'sweep'];
  const all = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects,
    ...args,
    '--reporter=json',
    `--outputFile=${file}`,
  ];
  const env = { ...process.env, PLANTED: what, THOROUGH: '' };
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, all, { env, maxBuffer: 2 ** 28 }, (_, out, errors) => resolve(out + errors)),
  );
  const { numTotalTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  rmSync(file);
  const failed = testResults.flatMap(({ name, message, assertionResults }) => {
    const names = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    return names.length === 0 && message ? [`${name}: ${message}`] : names;
  });
  return { tests: numTotalTests, failed, output };
}
