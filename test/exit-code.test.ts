import { expect, it } from 'vitest';
import { newEmptyDatabase } from '../src/store/store.testing.ts';

/**
 * `.ci/run` runs this file once with FAIL_ON_PURPOSE=yes, and demands an exit code that isn't 0: the PostgreSQL package has a handler of its
 * own for a process's end, which once made failed runs look passed.
 */
it.runIf(process.env.FAIL_ON_PURPOSE === 'yes')('fails on purpose, with a PostgreSQL server running', async () => {
  await newEmptyDatabase();
  expect('this').toBe('that');
});
