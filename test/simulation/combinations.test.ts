import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silent } from '../../src/lib/logger.testing.ts';
import { openDb } from '../../src/store/open.ts';
import { newDatabase } from '../../src/store/store.testing.ts';
import { type Combination, combinationOf, commandFor, describeFailing, findFailing, shrink } from './combinations.ts';
import { drawStory } from './draw-story.ts';
import { ALL_SWITCHES, createWorld, drawSwitches } from './world.ts';

test('a difficult world has an exact account for a combination, on a server', { timeout: 300_000 }, async () => {
  const database = await openDb({ kind: 'server', url: await newDatabase() }, { logger: silent });
  onTestFinished(() => database.close());
  const failing = await findFailing(combinationOf(24, ALL_SWITCHES, 'brief'), database);
  expect(failing === null ? '' : describeFailing(failing)).toBe('');
});

test('the seeds that CI plays use each switch, and the same seed draws the same', async () => {
  const [, first, count] = /--seed (\d+) --combinations (\d+)/.exec(await readFile('.ci/run', 'utf8')) ?? [];
  const drawn = new Set(Array.from({ length: Number(count) }, (_, seed) => drawSwitches(Number(first) + seed)).flat());
  expect([...drawn].sort()).toEqual([...ALL_SWITCHES].sort());
  expect(drawSwitches(42)).toEqual(drawSwitches(42));
});

test("a story is the same with switches that don't affect it, and in an excerpt", () => {
  const whole = drawStory(createWorld(11, []));
  expect(drawStory(createWorld(11, ['kills', 'ascending', 'slack-away']))).toEqual(whole);
  expect(drawStory(createWorld(11, []), { from: 2, to: 4 }).events).toEqual(whole.events.slice(2, 5));
});

describe('shrinking', () => {
  const failing: Combination = {
    ...{ seed: 7, switches: ['ascending', 'kills', 'no-date', 'slack-away'], excerpt: null, size: 'full' },
  };

  test('keeps only switches and events that the failure needs', async () => {
    const smallest = await shrink(failing, 100, async ({ switches, excerpt }) => {
      const has37 = excerpt === null || (excerpt.from <= 37 && excerpt.to >= 37);
      return switches.includes('kills') && switches.includes('no-date') && has37;
    });
    expect(smallest).toEqual({ ...failing, switches: ['kills', 'no-date'], excerpt: { from: 37, to: 37 } });
    expect(commandFor(smallest)).toBe('npm run simulate -- --seed 7 --switches kills,no-date --events 37-37');
  });

  test('returns the combination itself if nothing smaller fails', async () => {
    expect(await shrink(failing, 100, async () => false)).toEqual(failing);
  });
});
