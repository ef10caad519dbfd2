import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    testTimeout: 20_000,
    pool: 'threads',
    // Modules are loaded once a worker, not once a file: tests share no state anyway, and the run takes half the time.
    isolate: false,
    globalSetup: ['test/kit/build.ts'],
    setupFiles: ['test/kit/fixed-seed.ts'],
  },
});
