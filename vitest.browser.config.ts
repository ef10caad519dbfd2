import { defineConfig } from 'vitest/config';

/** Journeys that need a real Chromium; `npm test` needs none. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'threads',
    globalSetup: ['test/kit/build.ts'],
  },
});
