import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { openEmbedded } from '../../src/store/database/embedded.ts';
import { openServer } from '../../src/store/database/server.ts';
import { newDatabase, newStoreFolder, silent } from '../../src/store/store.testing.ts';
import { accountOf, combinationOf, describeFailing, findFailing } from './combinations.ts';
import { ALL_SWITCHES, drawSwitches } from './world.ts';

/** Plays combinations and returns descriptions of those that fail. */
async function failuresOf(seeds: readonly number[], database: Database): Promise<string[]> {
  const failures: string[] = [];
  for (const seed of seeds) {
    const failing = await findFailing(combinationOf(seed, ALL_SWITCHES, 'brief'), database);
    if (failing !== null) failures.push(describeFailing(failing));
  }
  return failures;
}

const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('a difficult world', { timeout: 300_000 }, () => {
  test('has an exact account for a fixed set of combinations, on a server', async () => {
    const database = await openServer(await newDatabase(), silent);
    onTestFinished(() => database.close());
    expect(await failuresOf([4, 24, 31], database)).toEqual([]);
  });

  test('has an exact account for some combinations on the embedded database', async () => {
    const database = await openEmbedded(await newStoreFolder());
    onTestFinished(() => database.close());
    expect(await failuresOf([4], database)).toEqual([]);
  });

  test('plays the same each time', async () => {
    const database = await openServer(await newDatabase(), silent);
    onTestFinished(() => database.close());
    const combination = {
      seed: 4,
      switches: ['answers-lost', 'kills', 'two-replicas'],
      excerpt: null,
      size: 'brief',
    } as const;
    const seen = async () => {
      const { played } = await accountOf(combination, database);
      const posts = played.slack.messages.map(({ at, channel }) => `${at} ${channel}`);
      return { posts, requests: played.service.requests.length, heartbeats: played.heartbeats };
    };
    expect(await seen()).toEqual(await seen());
  });

  test('uses each switch within a thousand seeds', () => {
    const drawn = new Set(seedsFrom(1, 1_000).flatMap((seed) => drawSwitches(seed)));
    expect([...drawn].sort()).toEqual([...ALL_SWITCHES].sort());
  });
});
