import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { silent } from '../../src/lib/logger.testing.ts';
import { openDb } from '../../src/store/open.ts';
import { newDatabase } from '../../src/store/store.testing.ts';
import { combinationOf, describeFailing, findFailing } from './combinations.ts';
import { ALL_SWITCHES, drawSwitches } from './world.ts';

test('a difficult world has an exact account for a combination, on a server', { timeout: 300_000 }, async () => {
  const database = await openDb({ kind: 'server', url: await newDatabase() }, { logger: silent });
  onTestFinished(() => database.close());
  const failing = await findFailing(combinationOf(24, ALL_SWITCHES, 'brief'), database);
  expect(failing === null ? '' : describeFailing(failing)).toBe('');
});

test('the seeds that CI plays use each switch, and the same seed draws the same', async () => {
  const plays = (await readFile('.ci/run', 'utf8')).matchAll(/--seed (\d+) --combinations (\d+)/g);
  const seeds = [...plays].flatMap(([, first, count]) =>
    Array.from({ length: Number(count) }, (_, seed) => Number(first) + seed),
  );
  const drawn = new Set(seeds.flatMap((seed) => drawSwitches(seed)));
  expect([...drawn].sort()).toEqual([...ALL_SWITCHES].sort());
  expect(drawSwitches(42)).toEqual(drawSwitches(42));
});
