import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import { bucketsOf, rangeOfIncident } from './buckets.ts';
import type { Counted, CountedGroup } from './chart.ts';
import { chartFacts } from './chart-facts.ts';
import { makeChart } from './make-chart.ts';

const START = Date.parse('2026-03-04T12:00:00Z');
const at = (minutes: number) => new Date(START + minutes * MINUTE_MS);
const minute = (index: number) => ({ from: at(index), to: at(index + 1) });

/** An hour in bars of a minute. */
const HOUR = { from: at(0), to: at(60) };

const group = (change: Partial<CountedGroup>): CountedGroup => ({
  ...{ channel: 'email', provider: 'sendgrid', cause: 'Mailbox full', workflow: 'order-shipped', counts: [] },
  ...change,
});

const chartOf = (counted: Partial<Counted>) =>
  makeChart(
    bucketsOf(HOUR),
    { groups: [], rest: [], events: [], unreadable: 0, marks: [], ...counted },
    { coverage: { from: at(0), to: at(50) }, gaps: [] },
  );

describe("a chart's facts", () => {
  test('name the first and last bar with a failure, the first of the highest, and the events that were checked', () => {
    const sendgrid = group({ counts: [0, 0, 3, 1, 5, 0, 0] });
    const ses = group({ provider: 'ses', counts: [0, 0, 0, 0, 0, 5, 0] });
    const facts = chartFacts(chartOf({ groups: [sendgrid, ses], events: [10, 20] }));
    expect(facts).toMatchObject({
      failures: 14,
      start: minute(2),
      end: minute(5),
      peak: { failures: 5, at: minute(4) },
      events: 30,
    });
    expect(facts.parts.map(({ series, failures }) => [series.example?.provider, failures])).toEqual([
      ['sendgrid', 9],
      ['ses', 5],
    ]);
  });

  test('name the very first bar if that failed', () => {
    expect(chartFacts(chartOf({ groups: [group({ counts: [1] })] }))).toMatchObject({
      start: minute(0),
      end: minute(0),
      peak: { failures: 1, at: minute(0) },
    });
  });

  test('name no bar if nothing failed', () => {
    expect(chartFacts(chartOf({ groups: [group({ counts: [0, 0] })] }))).toMatchObject({
      failures: 0,
      start: null,
      end: null,
      peak: null,
    });
  });
});

describe("a chart's series", () => {
  test('begin with the largest, and end with all others if there are some', () => {
    const groups = [1, 6, 2, 5, 4, 3].map((count) => group({ provider: `p${count}`, counts: [count] }));
    const { series } = chartOf({ groups, rest: [0] });
    expect(series.map(({ example, counts }) => [example?.provider, counts[0]])).toEqual([
      ['p6', 6],
      ['p5', 5],
      ['p4', 4],
      ['p3', 3],
      ['p2', 2],
      [undefined, 1],
    ]);
    expect(chartOf({ groups: groups.slice(1), rest: [0] }).series).toHaveLength(5);
    expect(chartOf({ groups: groups.slice(1), rest: [9] }).series.at(-1)).toMatchObject({ example: null });
  });

  test('have an example with what all of their groups share', () => {
    const groups = [group({ cause: 'Refused', counts: [1] }), group({ counts: [2] }), group({ provider: 'ses' })];
    expect(chartOf({ groups }).series[0]).toEqual({
      example: expect.objectContaining({ provider: 'sendgrid', cause: 'Refused' }),
      counts: [3],
    });
  });
});

test("a chart's marks are those of its time, the oldest first", () => {
  const mark = (minutes: number) => ({ at: at(minutes), kind: 'deploy', name: `deploy ${minutes}` }) as const;
  const marks = [60.1, 60, 30, 0, -0.1, 5].map(mark);
  expect(chartOf({ marks }).marks).toEqual([0, 5, 30, 60].map(mark));
});

describe('a bar of the events', () => {
  test('is 0 if it was checked and nothing was created, and unknown if it was not', () => {
    const { events } = chartOf({ events: [4] });
    expect(events.slice(0, 2)).toEqual([4, 0]);
    expect(events.slice(49, 51)).toEqual([0, null]);
  });
});

describe("the time of an incident's chart", () => {
  const range = (first: number, last: number, now: number) =>
    rangeOfIncident({ firstSeen: at(first), lastSeen: at(last) }, at(now));

  test('has a quarter of an hour around a short one', () => {
    expect(range(0, 10, 600)).toEqual({ from: at(-15), to: at(25) });
    expect(range(0, 75, 600)).toEqual({ from: at(-15), to: at(90) });
  });

  test('has a fifth of its length around a longer one', () => {
    expect(range(0, 300, 6_000)).toEqual({ from: at(-60), to: at(360) });
  });

  test('ends now at the latest, and is at most the last three days', () => {
    expect(range(0, 10, 12)).toEqual({ from: at(-15), to: at(12) });
    const day = (24 * HOUR_MS) / MINUTE_MS;
    expect(range(0, 9 * day, 9 * day)).toEqual({ from: at(6 * day), to: at(9 * day) });
  });
});
