import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_FAILURES, type FailureFilter } from '../judging/filter.ts';
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { ALL_TIME, at, failure, failureOf, NOON, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { bucketsOf, type Chart, MOST_BUCKETS, seriesIn } from './chart.ts';
import { foundIn } from './found.ts';

test("a range's buckets cover it in whole minutes, and are at most as many as a chart has", () => {
  const lengths = fc.integer({ min: 1, max: 400 * 24 * HOUR_MS });
  fc.assert(
    fc.property(fc.nat(HOUR_MS), lengths, (offsetMs, lengthMs) => {
      const from = new Date(NOON.getTime() + offsetMs);
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

describeStore("a chart's series", (store) => {
  const HOUR = { from: at(-60), to: NOON };
  const SCOPE = { range: HOUR, coverage: ALL_TIME };
  const seriesBy = async (filter: Partial<FailureFilter> = {}) => {
    const { db } = store();
    const found = await foundIn(db, 'production', SCOPE, { ...ALL_FAILURES, ...filter });
    return seriesIn(db, found, { ...HOUR, bucketMs: MINUTE_MS, count: 60 });
  };
  /** Returns the counts that aren't 0 by their minutes. */
  const bars = ({ counts }: Pick<Chart['series'][number], 'counts'>) =>
    Object.fromEntries(counts.flatMap((count, bucket) => (count === 0 ? [] : [[bucket - 60, count]])));
  const shown = (series: Chart['series']) => series.map((line) => [line.name, bars(line)]);

  test('are the causes, by the bucket in which they failed, both ends included', async () => {
    const minutes = [-61, -60, -30.5, -30.1, 0];
    await recordFailures(store(), NOON, [
      ...minutes.map((minute) => failureOf('a', { eventKey: `${minute}`, occurredAt: at(minute) })),
      failureOf('b', { eventKey: 'other', occurredAt: at(-10) }),
    ]);
    expect(shown(await seriesBy())).toEqual([
      ['a', { '-60': 1, '-31': 2, '-1': 1 }],
      ['b', { '-10': 1 }],
    ]);
  });

  test('are the five largest, and the others together', async () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((cause, size) =>
      Array.from({ length: size + 1 }, (_, n) => failureOf(cause, { eventKey: `${cause}${n}`, occurredAt: at(-7) })),
    );
    await recordFailures(store(), NOON, many);
    expect((await seriesBy()).map(({ name, failures }) => [name, failures])).toEqual([
      ['g', 7],
      ['f', 6],
      ['e', 5],
      ['d', 4],
      ['c', 3],
      [null, 3],
    ]);
  });

  test('leave out failures that are only counted, unless their verdict is requested', async () => {
    await recordFailures(store(), NOON, [
      failure({ eventKey: 'a', occurredAt: at(-10) }),
      failure({ eventKey: 'b', occurredAt: at(-5), verdict: 'undeliverable' }),
    ]);
    const total = async (filter: Partial<FailureFilter>) => (await seriesBy(filter)).map(({ failures }) => failures);
    expect(await total({})).toEqual([1]);
    expect(await total({ verdicts: ['undeliverable'] })).toEqual([1]);
    expect(await total({ channels: ['SMS'] })).toEqual([]);
  });
});
