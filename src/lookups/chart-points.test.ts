import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { bucketsOf, type CountedKind, divided, MOST_BUCKETS, rangeOfIncident } from './chart-points.ts';

const START = Date.parse('2026-03-04T12:00:00Z');
const at = (minutes: number) => new Date(START + minutes * MINUTE_MS);

test("a range's buckets cover it in whole minutes, and are at most as many as a chart has", () => {
  const lengths = fc.integer({ min: 1, max: 400 * 24 * HOUR_MS });
  fc.assert(
    fc.property(fc.nat(HOUR_MS), lengths, (offsetMs, lengthMs) => {
      const from = new Date(START + offsetMs);
      const to = new Date(from.getTime() + lengthMs);
      const buckets = bucketsOf({ from, to });
      const end = buckets.from.getTime() + buckets.count * buckets.bucketMs;
      expect(buckets.count).toBeLessThanOrEqual(MOST_BUCKETS);
      expect(buckets.bucketMs % MINUTE_MS).toBe(0);
      expect(from.getTime() - buckets.from.getTime()).toBeLessThan(buckets.bucketMs);
      expect(end).toBeGreaterThanOrEqual(to.getTime());
      expect(end - to.getTime()).toBeLessThan(buckets.bucketMs);
    }),
  );
});

describe('the series of a chart', () => {
  const kind = (change: Partial<CountedKind>): CountedKind => ({
    ...{ channel: 'email', provider: 'sendgrid', cause: 'Mailbox full', workflow: 'order-shipped', counts: [1, 2] },
    ...change,
  });

  test('are the providers if there are several, else the causes, else the workflows', () => {
    const byOf = (change: Partial<CountedKind>) => divided({ kinds: [kind({}), kind(change)], rest: [] }).by;
    expect(byOf({ provider: 'ses', cause: 'Blocked' })).toBe('provider');
    expect(byOf({ cause: 'Blocked', workflow: 'weekly' })).toBe('cause');
    expect(byOf({ workflow: 'weekly' })).toBe('workflow');
  });

  test('are the five largest, and the others together', () => {
    const kinds = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((cause, size) => kind({ cause, counts: [size, 1] }));
    const { series } = divided({ kinds: [...kinds, kind({ cause: 'a', counts: [9] })], rest: [0, 4] });
    expect(series.map(({ example, failures }) => [example?.cause, failures])).toEqual([
      ['a', 10],
      ['g', 7],
      ['f', 6],
      ['e', 5],
      ['d', 4],
      [undefined, 9],
    ]);
    expect(series.at(-1)?.counts).toEqual([3, 6]);
  });

  test('are none if nothing failed', () => {
    expect(divided({ kinds: [], rest: [0, 0] }).series).toEqual([]);
  });
});

test("an incident's chart has some time around it, ends now at the latest, and covers at most three days", () => {
  const range = (first: number, last: number, now: number) =>
    rangeOfIncident({ firstSeen: at(first), lastSeen: at(last) }, at(now));
  expect(range(0, 10, 600)).toEqual({ from: at(-15), to: at(25) });
  expect(range(0, 300, 6_000)).toEqual({ from: at(-60), to: at(360) });
  expect(range(0, 10, 12)).toEqual({ from: at(-15), to: at(12) });
  const day = (24 * HOUR_MS) / MINUTE_MS;
  expect(range(0, 9 * day, 9 * day)).toEqual({ from: at(6 * day), to: at(9 * day) });
});
