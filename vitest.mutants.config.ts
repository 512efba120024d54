import { defineConfig } from 'vitest/config';

/** What mutants of the domain meet: the tests of its folders, on a real database where they need one. */
export default defineConfig({
  test: {
    include: [
      'src/{alerts,causes,changes,coverage,incidents,judging,lib,lookups,outbox,polling,service,watches}/**/*.test.ts',
    ],
    globalSetup: ['test/support/databases.ts'],
    provide: { database: 'server' },
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
