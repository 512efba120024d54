import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/support/databases.ts'],
    // A hung socket or database must fail its own test, not the whole run.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
