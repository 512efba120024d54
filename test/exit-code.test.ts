import { expect, test } from 'vitest';
import { newEmptyDatabase } from '../src/store/store.testing.ts';

/**
 * `.ci/run` runs this file once with FAIL_ON_PURPOSE=yes and requires a nonzero exit code: the PostgreSQL package's own exit handler can
 * make failed runs look passed.
 */
test.runIf(process.env.FAIL_ON_PURPOSE === 'yes')('fails on purpose, with a PostgreSQL server running', async () => {
  await newEmptyDatabase();
  expect('this').toBe('that');
});
