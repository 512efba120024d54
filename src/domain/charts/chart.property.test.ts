import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import { bucketAt, bucketsOf, MOST_BUCKETS, rangeOfIncident } from './buckets.ts';
import type { CountedGroup } from './chart.ts';
import { barsOf, chartFacts } from './chart-facts.ts';
import { makeChart } from './make-chart.ts';
import { MOST_SERIES, totalOf } from './stack.ts';

const START = Date.parse('2026-03-04T12:00:00Z');
const moment = fc.integer({ min: 0, max: 30 * 24 * HOUR_MS }).map((ms) => new Date(START + ms));
const range = fc
  .tuple(moment, fc.integer({ min: 1, max: 30 * 24 * HOUR_MS }))
  .map(([from, ms]) => ({ from, to: new Date(from.getTime() + ms) }));

const counts = fc.array(fc.nat(50), { minLength: 1, maxLength: MOST_BUCKETS });
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const groups: fc.Arbitrary<CountedGroup[]> = fc.array(
  fc.record({ channel: name, provider: fc.option(name), cause: name, workflow: fc.option(name), counts }),
  { maxLength: 30 },
);

describe('the buckets of a time range', () => {
  test('cover it without gaps, at most 72 of one length, in whole minutes', () => {
    fc.assert(
      fc.property(range, ({ from, to }) => {
        const buckets = bucketsOf({ from, to });
        const all = Array.from({ length: buckets.count }, (_, index) => bucketAt(buckets, index));
        expect(buckets.count).toBeLessThanOrEqual(MOST_BUCKETS);
        expect(buckets.bucketMs % MINUTE_MS).toBe(0);
        expect(all[0]?.from.getTime()).toBeLessThanOrEqual(from.getTime());
        expect(from.getTime() - buckets.from.getTime()).toBeLessThan(buckets.bucketMs);
        expect(all.at(-1)?.to).toEqual(to);
        for (const [index, one] of all.entries()) {
          expect(one.from < one.to).toBe(true);
          if (index > 0) expect(one.from).toEqual(all[index - 1]?.to);
        }
      }),
    );
  });

  test.each([
    [1, 1],
    [2, 2],
    [6, 5],
    [24, 20],
    [71, 60],
    [72, 60],
    [168, 180],
  ])('of %i hours, starting at a whole one, are %i minutes long', (hours, minutes) => {
    const from = new Date(START);
    expect(bucketsOf({ from, to: new Date(START + hours * HOUR_MS) }).bucketMs).toBe(minutes * MINUTE_MS);
  });
});

test('the time around an incident includes all of it, or its last three days, and no future', () => {
  fc.assert(
    fc.property(range, moment, ({ from: firstSeen, to: lastSeen }, later) => {
      const now = new Date(Math.max(later.getTime(), lastSeen.getTime()));
      const { from, to } = rangeOfIncident({ firstSeen, lastSeen }, now);
      expect(from < to && to >= lastSeen && to <= now).toBe(true);
      expect(from < firstSeen || to.getTime() - from.getTime() === 72 * HOUR_MS).toBe(true);
    }),
  );
});

describe('the series of a chart', () => {
  test('have every failure once, in at most five series and the others', () => {
    fc.assert(
      fc.property(range, groups, counts, (asked, counted, rest) => {
        const chart = makeChart(
          bucketsOf(asked),
          { groups: counted, rest, events: [], unreadable: 0, marks: [] },
          { coverage: asked, gaps: [] },
        );
        const expected = [...counted.map((group) => group.counts), rest].map(totalOf).reduce((a, b) => a + b, 0);
        const facts = chartFacts(chart);
        expect(facts.failures).toBe(expected);
        expect(totalOf(facts.parts.map(({ failures }) => failures))).toBe(expected);
        expect(chart.series.filter(({ example }) => example !== null).length).toBeLessThanOrEqual(MOST_SERIES);
        for (const [index, bar] of barsOf(chart.series).entries()) {
          const all = [...counted.map((group) => group.counts), rest].map((each) => each[index] ?? 0);
          expect(bar).toBe(totalOf(all));
        }
        expect(facts.peak?.failures ?? 0).toBe(Math.max(0, ...barsOf(chart.series)));
      }),
    );
  });

  const group = (change: Partial<CountedGroup>): CountedGroup => ({
    ...{ channel: 'email', provider: 'sendgrid', cause: 'Mailbox full', workflow: 'order-shipped', counts: [1] },
    ...change,
  });

  test.each<[string, Partial<CountedGroup>[]]>([
    ['provider', [{}, { provider: 'ses' }]],
    ['cause', [{}, { cause: 'Refused' }, { cause: 'Refused', workflow: 'weekly' }]],
    ['workflow', [{}, { workflow: 'weekly' }]],
    ['cause', [{}]],
  ])('are stacked by %s if that is the most informative', (stackedBy, changes) => {
    const asked = { from: new Date(START), to: new Date(START + HOUR_MS) };
    const counted = { groups: changes.map(group), rest: [], events: [], unreadable: 0, marks: [] };
    expect(makeChart(bucketsOf(asked), counted, { coverage: asked, gaps: [] })).toMatchObject({ stackedBy });
  });
});

describe('an unchecked range', () => {
  const at = (minutes: number) => new Date(START + minutes * MINUTE_MS);
  const asked = { from: at(0), to: at(60) };
  const counted = { groups: [], rest: [], events: Array.from({ length: 60 }, () => 7), unreadable: 0, marks: [] };
  const chartOf = (coverage: { from: Date; to: Date } | null, gaps: { from: Date; to: Date }[] = []) =>
    makeChart(bucketsOf(asked), counted, { coverage, gaps });

  test('is never a count of zero events', () => {
    const chart = chartOf({ from: at(10), to: at(50) }, [
      { from: at(20), to: at(25) },
      { from: at(24), to: at(30) },
      { from: at(49), to: at(90) },
    ]);
    expect(chart.unchecked).toEqual([
      { from: at(0), to: at(10) },
      { from: at(20), to: at(30) },
      { from: at(49), to: at(60) },
    ]);
    expect(chart.events.flatMap((count, minute) => (count === null ? [minute] : []))).toEqual([
      ...Array.from({ length: 10 }, (_, minute) => minute),
      ...Array.from({ length: 10 }, (_, minute) => 20 + minute),
      ...Array.from({ length: 11 }, (_, minute) => 49 + minute),
    ]);
  });

  test('is everything before the first poll', () => {
    expect(chartOf(null)).toMatchObject({ unchecked: [asked], events: Array(60).fill(null) });
  });
});
