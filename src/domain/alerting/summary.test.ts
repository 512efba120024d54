import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GroupTally } from '../failures/failure.ts';
import { EVERYTHING, UNFILTERED } from '../watches/watch.ts';
import { type SummedIncident, summaryDue, sumUp } from './summary.ts';

const at = (text: string) => new Date(text);
const WATCH = { createdAt: at('2026-11-18T12:00:00Z'), settings: { ...UNFILTERED, timeZone: 'Europe/Berlin' } };

describe('summaryDue', () => {
  test.each([
    ['before its time', '2026-11-20', '2026-11-21T07:59:59Z', null],
    ['at its time', '2026-11-20', '2026-11-21T08:00:00Z', '2026-11-21'],
    ['once a day', '2026-11-21', '2026-11-21T20:00:00Z', null],
    ['late, after an hour in which nothing ran', '2026-11-20', '2026-11-21T09:10:00Z', '2026-11-21'],
    ['once for several days in which nothing ran', '2026-11-18', '2026-11-21T10:00:00Z', '2026-11-21'],
    ['for the day before, when nothing ran until midnight', '2026-11-20', '2026-11-22T00:30:00Z', '2026-11-21'],
    ['the first time on the day after it was made', null, '2026-11-18T20:00:00Z', null],
    ['the first time', null, '2026-11-19T08:00:00Z', '2026-11-19'],
  ])('is due or not: %s', (_when, lastDay, now, day) => {
    expect(summaryDue(WATCH, lastDay, at(now))).toBe(day);
  });

  test('is never due for a watch that wants none', () => {
    const watch = { ...WATCH, settings: { ...WATCH.settings, summaryAt: null } };
    expect(summaryDue(watch, null, at('2026-11-21T08:00:00Z'))).toBeNull();
  });

  test('is due once for each day of a year, however often it is checked', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Nuuk', 'Africa/Casablanca'];
    // The shortest local day has 23 hours, so less frequent checks might miss one.
    const stepMinutes = fc.integer({ min: 90, max: 23 * 60 });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 1439 }),
        stepMinutes,
        (timeZone, summaryAt, step) => {
          const watch = { createdAt: at('2026-01-01T00:00:00Z'), settings: { ...UNFILTERED, timeZone, summaryAt } };
          const days: string[] = [];
          for (let now = watch.createdAt.getTime(); now < at('2027-01-03T00:00:00Z').getTime(); now += step * 60_000) {
            const day = summaryDue(watch, days.at(-1) ?? null, new Date(now));
            if (day !== null) days.push(day);
          }
          expect(new Set(days).size).toBe(days.length);
          expect(days.filter((day) => day.startsWith('2026-')).length).toBeGreaterThanOrEqual(364);
          expect(days).toEqual(days.toSorted());
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('sumUp', () => {
  const group = (episodeId: number, change: Partial<SummedIncident> & { channel?: string; failures?: number } = {}) => {
    const { channel = 'email', failures = 1, ...rest } = change;
    return {
      episodeId,
      tally: aTally(channel, failures),
      parts: [
        {
          environment: 'production',
          workflow: 'order-shipped',
          workflowName: null,
          channel,
          provider: null,
          severities: [],
          verdicts: ['failed' as const],
          topics: [],
          contexts: [],
          tags: [],
          subscribers: [],
        },
      ],
      state: 'firing' as const,
      isAlerted: true,
      ...rest,
    };
  };

  test('counts groups by what they do now', () => {
    const groups = [group(1), group(2, { state: 'quiet' }), group(3, { state: 'resolved' }), group(4)];
    expect(sumUp(groups, UNFILTERED).groups).toEqual({ failing: 2, quiet: 1, recovered: 1 });
  });

  test("leaves out what the watch doesn't cover", () => {
    const settings = { ...UNFILTERED, filter: { ...EVERYTHING, channels: ['sms'] } };
    const sums = sumUp([group(1), group(2, { channel: 'sms' })], settings);
    expect(sums.groups.failing).toBe(1);
    expect(sums.largest).toEqual([2]);
  });

  test('names the five largest, the largest first', () => {
    const groups = [1, 2, 3, 4, 5, 6].map((failures) => group(failures, { failures }));
    expect(sumUp(groups, UNFILTERED).largest).toEqual([6, 5, 4, 3, 2]);
  });

  test('counts what stayed below the threshold, if there is one', () => {
    const groups = [group(1), group(2, { isAlerted: false })];
    const threshold = { failures: 5, withinMs: 600_000, rate: null };
    expect(sumUp(groups, { ...UNFILTERED, threshold }).belowThreshold).toBe(1);
    expect(sumUp(groups, UNFILTERED).belowThreshold).toBe(0);
  });
});

function aTally(channel: string, failures: number): GroupTally {
  const key = `${channel}-${failures}`;
  return {
    group: {
      key,
      environment: 'production',
      workflow: 'order-shipped',
      workflowName: null,
      channel,
      provider: null,
      cause: { text: 'refused', key: 'refused' },
      announcement: 'announced',
      isTest: false,
    },
    verdict: 'failed',
    failures,
    subscribers: failures,
    events: failures,
    firstSeen: at('2026-11-20T12:00:00Z'),
    lastSeen: at('2026-11-20T12:01:00Z'),
    severity: null,
    critical: false,
    example: { eventId: null, transactionId: 'txn_1', subscriberId: null },
  };
}
