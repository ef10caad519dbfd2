import { defineConfig } from 'vitest/config';

/** Journeys that need a real Chromium; `npm test` needs none. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    globalSetup: ['test/kit/build.ts'],
  },
});
