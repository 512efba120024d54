import { defineConfig } from 'vitest/config';

/** What mutants of the domain meet: its own tests, which need no database. */
export default defineConfig({
  test: {
    include: [
      'src/{causes,failures,lib,service}/**/*.test.ts',
      'src/{changes/change,digests/decide,incidents/state,incidents/state.join,polling/gap,polling/passes}.test.ts',
    ],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 20_000,
  },
});
