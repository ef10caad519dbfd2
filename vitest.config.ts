import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { reached } from './test/planted/falsify-plugin.ts';
import { planted } from './test/planted/plugin.ts';

/** Tests that start processes: the built command line, programs of a user's, shells. */
const PROCESS = ['test/cli/**', 'test/journeys/**', 'test/fixtures/**'];

/** Tests of the tests: each plants a fault in a copy of the emulator and looks for it with thousands of calls. */
const PLANTED = ['test/parity/planted.test.ts', 'test/hostile/planted.test.ts', 'test/planted/*.test.ts'];

/** Simulations, hostile input and the files that take longest: every change has to pass them, and nobody waits for them while writing. */
const SWEEP = [
  'test/**/{simulation,hostile*}.test.ts',
  'test/hostile/{hostile,state-edits,strange}.test.ts',
  'test/areas/cards/wallet-pulls.test.ts',
  'test/areas/ends/{ends,lives}.test.ts',
  'test/contract/filters.test.ts',
  'test/control/{blocking,capsule,control-token,foreign-state,held-jobs,record,record-examples,trigger}.test.ts',
  'test/exam/{exam,mutants}.test.ts',
  'test/house/lengths.test.ts',
  'test/mcp/blocking.test.ts',
  'test/mcp/benchmark/benchmark.test.ts',
  'test/scenario/{live,month,seeds}.test.ts',
  'test/inspector/{decisions,many,odd-state,pages}.test.ts',
];

/** Random tests that do more when they are told to: those that ask `test/kit/effort.ts`. */
const THOROUGH = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('kit/effort.ts'));

export default defineConfig({
  plugins: [planted(), reached()],
  test: {
    // Only ends what hangs: a machine under load takes many times longer, and no timing decides a test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'threads',
    // Modules are loaded once a worker, not once a file: tests share no state anyway, and the run takes half the time.
    isolate: false,
    setupFiles: ['test/kit/fixed-seed.ts'],
    // Compiled modules are kept between runs, but for those that a test run changes.
    experimental: {
      fsModuleCache: ['PLANTED', 'MUTANT', 'RULES_REACHED'].every((name) => process.env[name] === undefined),
    },
    // Some tests wait for what is real: a receiver's deadline, a slow client.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        extends: true,
        test: {
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/executable/**', ...PROCESS, ...PLANTED, ...SWEEP],
          setupFiles: ['test/evidence/recorder.ts'],
          globalSetup: ['test/kit/answers.ts'],
        },
      },
      {
        extends: true,
        // One of its tests may make a hundred thousand calls.
        test: {
          name: 'sweep',
          include: SWEEP,
          testTimeout: 1_200_000,
          setupFiles: ['test/evidence/recorder.ts'],
          globalSetup: ['test/evidence/simulations.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'thorough', include: [...THOROUGH, ...PLANTED], env: { THOROUGH: '1' }, testTimeout: 3_600_000 },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: PROCESS.map((folder) => `${folder}/*.test.ts`),
          // They wait for their processes most of the time.
          maxWorkers: 4,
          globalSetup: ['test/kit/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'executable',
          include: ['test/executable/*.test.ts'],
          // The tests of the command line can be run with it, too: EXECUTABLE=1 vitest run --project process test/cli
          env: { EXECUTABLE: '1' },
          maxWorkers: 4,
          globalSetup: ['test/kit/executable.ts'],
        },
      },
    ],
  },
});
