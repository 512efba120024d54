import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { newEmptyDatabase } from '../src/store/store.testing.ts';
import { ROOT } from './source-code.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const THIS_FILE = fileURLToPath(import.meta.url);

if (process.env.FAIL_ON_PURPOSE === 'yes') {
  it('fails on purpose, with a PostgreSQL server running', async () => {
    await newEmptyDatabase();
    expect('this').toBe('that');
  });
} else {
  it('is not 0 for a run in which a test failed', async () => {
    const env = { ...process.env, FAIL_ON_PURPOSE: 'yes' };
    const run = spawn(process.execPath, [VITEST, 'run', THIS_FILE], { cwd: ROOT, env, stdio: 'ignore' });
    expect(await once(run, 'exit')).toEqual([1, null]);
  });
}
