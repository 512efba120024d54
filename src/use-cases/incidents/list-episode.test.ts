import { describe, expect, test } from 'vitest';
import type { Affected } from '../../domain/incidents/incident-actions.ts';
import { affectedCsv, type EpisodeStore, MOST_IN_FILE } from './list-episode.ts';

const AT = new Date('2026-03-04T12:00:00Z');

function hit(count: number) {
  const asked: number[] = [];
  const subscribers = Array.from({ length: count }, (_, index) => `user-${String(index).padStart(6, '0')}`);
  const store: Pick<EpisodeStore, 'affected'> = {
    affected: async (_, { after, limit }) => {
      asked.push(limit);
      const from = after === null ? 0 : subscribers.indexOf(after) + 1;
      return subscribers.slice(from, from + limit).map(affected);
    },
  };
  return { store, asked };
}

function affected(subscriberId: string): Affected {
  return { subscriberId, failures: 2, firstSeen: AT, lastSeen: AT };
}

async function linesOf(store: Pick<EpisodeStore, 'affected'>): Promise<string[]> {
  let text = '';
  for await (const chunk of affectedCsv(1, store)) text += chunk;
  return text.trimEnd().split('\r\n');
}

describe("the CSV file of an episode's affected subscribers", () => {
  test('has a header and a line for each subscriber', async () => {
    expect(await linesOf(hit(1).store)).toEqual([
      'subscriber,failures,first failed at,last failed at',
      'user-000000,2,2026-03-04T12:00:00.000Z,2026-03-04T12:00:00.000Z',
    ]);
  });

  test.each([0, 1, 249, 250, 251, 2_500])('lists all %i once each, read in chunks', async (count) => {
    const { store, asked } = hit(count);
    const lines = await linesOf(store);
    expect(new Set(lines).size).toBe(count + 1);
    expect(lines).toHaveLength(count + 1);
    expect(Math.max(...asked)).toBeLessThanOrEqual(250);
  });

  test('ends before it fills the memory, and says so in its last line', async () => {
    expect(await linesOf(hit(MOST_IN_FILE).store)).toHaveLength(MOST_IN_FILE + 1);
    const lines = await linesOf(hit(MOST_IN_FILE + 1).store);
    expect(lines).toHaveLength(MOST_IN_FILE + 2);
    expect(lines.at(-1)).toBe('"and more: a file holds 100,000 at most"');
  });
});
