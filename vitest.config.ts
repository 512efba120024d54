import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { parsedCatalog } from './scripts/build/parsed-catalog.ts';
import { CiReporter } from './scripts/ci-reporter.ts';
import { LongestFirst } from './test/support/longest-first.ts';

const ciReport = process.env.CI_REPORT;
const isOnRequest = process.env.CHAOS_KILLS || process.env.TEST_HOURS || process.env.TEST_ALERTMANAGER;

// Node can crash while it frees the compiled code of embedded databases in several threads (nodejs/node#64500).
setFlagsFromString('--no-wasm-code-gc');

export default defineConfig({
  plugins: [parsedCatalog()],
  test: {
    // Journeys share a slow machine with all other tests. What passes only when it's tried again is listed, because it's a defect.
    retry: process.env.CI ? 1 : 0,
    ...(ciReport !== undefined && { reporters: ['default', new CiReporter(ciReport)] }),
    include: ['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/**/*.test.ts'],
    // Hundreds of kills and whole hours take minutes, and an Alertmanager isn't on every machine: `npm run test:chaos`, `test:hours`, `test:alertmanager`.
    exclude: isOnRequest ? [] : ['test/chaos/**', 'test/hours/**', 'test/alertmanager/**'],
    globalSetup: ['test/support/databases.ts'],
    // A server, which costs a test a quarter of what the bot's own files do. `TEST_DATABASE=embedded` runs the same tests on those.
    provide: { database: process.env.TEST_DATABASE === 'embedded' ? 'embedded' : 'server' },
    // Some tests wait: for sockets, for processes. A worker more than cores keeps the machine busy meanwhile; another one would compile
    // everything once more, a tenth of the CPU time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Threads compile the embedded database once for the whole run; processes would, each for itself.
    pool: 'threads',
    // No module has state, so files can share what they import: that saves a third of the time.
    isolate: false,
    // What was transformed before is kept by its content, in node_modules: a journey alone takes two thirds of the CPU time.
    experimental: { fsModuleCache: true },
    // A hung socket or database must fail its own test, not the whole run.
    testTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 180_000,
  },
});
