import { describe, expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/store/open.ts';
import { newDatabase, silent } from '../../src/store/store.testing.ts';
import { combinationOf, describeFailing, findFailing } from './combinations.ts';
import { ALL_SWITCHES, drawSwitches } from './world.ts';

const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('a difficult world', { timeout: 300_000 }, () => {
  test('has an exact account for a combination, on a server', async () => {
    const database = await openDb({ kind: 'server', url: await newDatabase() }, { logger: silent });
    onTestFinished(() => database.close());
    const failing = await findFailing(combinationOf(24, ALL_SWITCHES, 'brief'), database);
    expect(failing === null ? '' : describeFailing(failing)).toBe('');
  });

  test('uses each switch within a thousand seeds', () => {
    const drawn = new Set(seedsFrom(1, 1_000).flatMap((seed) => drawSwitches(seed)));
    expect([...drawn].sort()).toEqual([...ALL_SWITCHES].sort());
  });
});
