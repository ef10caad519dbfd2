import { defineConfig } from 'vitest/config';

/** Tests that start processes: the built command line, programs of a user's, shells. */
const PROCESS = ['test/cli/**', 'test/journeys/**', 'test/fixtures/**'];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    pool: 'threads',
    // Modules are loaded once a worker, not once a file: tests share no state anyway, and the run takes half the time.
    isolate: false,
    setupFiles: ['test/kit/fixed-seed.ts'],
    // Vitest leaves one core to itself; it hardly needs it.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', ...PROCESS],
          globalSetup: ['test/kit/answers.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: PROCESS.map((folder) => `${folder}/*.test.ts`),
          globalSetup: ['test/kit/build.ts'],
        },
      },
    ],
  },
});
