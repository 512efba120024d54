import { differenceInHours } from 'date-fns';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockTime, lastWallClock, nextWallClock, type QuietTimes, quietUntil, weekdayAndDay } from './wall-clock.ts';

const NIGHT = { from: 22 * 60, to: 7 * 60 };
const NOON_BREAK = { from: 12 * 60, to: 13 * 60 };
const at = (text: string) => new Date(text);
const daily = (hours: QuietTimes['hours']): QuietTimes => ({ hours, days: [] });

/** Zones of every kind: half hours, quarter hours, half an hour of daylight saving time, changes at midnight and before it, none. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['America/Nuuk', 'America/Havana', 'Asia/Beirut', 'Africa/Casablanca', 'Pacific/Chatham', 'America/Santiago'],
];
const zone = fc.constantFrom(...ZONES);
const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
const moment = fc.date({ min: at('2021-01-01T00:00:00Z'), max: at('2030-12-31T00:00:00Z'), noInvalidDate: true });

const HOURS = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const formats = new Map(ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-GB', { timeZone, ...HOURS })]));

function shownAt(timeZone: string, now: Date): number {
  const [hours, minutes] = formats.get(timeZone)?.format(now).split(':').map(Number) ?? [];
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

describe('nextWallClock', () => {
  test.each<[when: string, minuteOfDay: number, after: string, next: string]>([
    ['later today', 9 * 60, '2026-11-20T06:00:00Z', '2026-11-20T08:00:00Z'],
    ['tomorrow, when it has just come', 9 * 60, '2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z'],
    ['an hour earlier in UTC after the change to summer time', 9 * 60, '2026-03-28T08:00:00Z', '2026-03-29T07:00:00Z'],
    ['an hour later in UTC after the change back', 9 * 60, '2026-10-24T07:00:00Z', '2026-10-25T08:00:00Z'],
    ['later, when the clocks jump over it', 150, '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
  ])('finds it %s', (_when, minuteOfDay, after, next) => {
    expect(nextWallClock(minuteOfDay, 'Europe/Berlin', at(after))).toEqual(at(next));
  });

  test('shows the requested time, or is near a clock change', () => {
    fc.assert(
      fc.property(zone, minute, moment, (tz, minutes, after) => {
        const next = nextWallClock(minutes, tz, after);
        expect(next.getTime()).toBeGreaterThan(after.getTime());
        expect(differenceInHours(next, after)).toBeLessThanOrEqual(26);
        expect(shownAt(tz, next) === minutes || !isSteady(tz, next)).toBe(true);
      }),
    );
  });

  test.each(ZONES)('occurs once a day around the clock changes of a year: %s', (tz) => {
    fc.assert(
      fc.property(minute, fc.integer({ min: 2021, max: 2030 }), (minutes, year) => {
        const days = Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)));
        for (const day of days.filter((noted) => !isSteady(tz, noted))) {
          let last = nextWallClock(minutes, tz, day);
          for (let count = 0; count < 3; count += 1) {
            const next = nextWallClock(minutes, tz, last);
            expect(differenceInHours(next, last)).toBeGreaterThanOrEqual(22);
            expect(differenceInHours(next, last)).toBeLessThanOrEqual(26);
            last = next;
          }
        }
      }),
      { numRuns: 3 },
    );
  });
});

test('lastWallClock is the one before the next', () => {
  fc.assert(
    fc.property(zone, minute, moment, (tz, minutes, now) => {
      const last = lastWallClock(minutes, tz, now);
      expect(last.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(nextWallClock(minutes, tz, last)).toEqual(nextWallClock(minutes, tz, now));
    }),
  );
});

describe('quiet hours', () => {
  test.each<[when: string, quiet: typeof NIGHT, now: string, isQuiet: boolean]>([
    ['from its first moment', NIGHT, '2026-11-20T21:00:00Z', true],
    ['from its first moment at noon', NOON_BREAK, '2026-11-20T11:00:00Z', true],
    ['after midnight', NIGHT, '2026-11-21T05:59:59Z', true],
    ['at its end', NIGHT, '2026-11-21T06:00:00Z', false],
    ['after it', NOON_BREAK, '2026-11-20T12:00:00Z', false],
  ])("apply or don't: %s", (_when, quiet, now, isQuiet) => {
    expect(quietUntil(daily(quiet), 'Europe/Berlin', at(now)) !== null).toBe(isQuiet);
  });

  test('are an hour shorter in the night to daylight saving time, and an hour longer in the night back', () => {
    const isQuiet = (time: string) => quietUntil(daily(NIGHT), 'Europe/Berlin', at(time)) !== null;
    expect(['2026-03-28T21:00:00Z', '2026-03-29T04:59:59Z', '2026-03-29T05:00:00Z'].map(isQuiet)).toEqual([
      ...[true, true, false],
    ]);
    expect(['2026-10-24T20:00:00Z', '2026-10-25T05:59:59Z', '2026-10-25T06:00:00Z'].map(isQuiet)).toEqual([
      ...[true, true, false],
    ]);
  });

  test("don't occur on a day whose clocks skip them", () => {
    const quiet = { from: 2 * 60, to: 3 * 60 };
    const isQuiet = (time: string) => quietUntil(daily(quiet), 'Europe/Berlin', at(time)) !== null;
    expect(['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-03-29T12:00:00Z'].map(isQuiet)).toEqual([
      ...[false, false, false],
    ]);
  });

  test('are those between their times', () => {
    const quietTime = fc.record({ from: minute, to: minute }).filter(({ from, to }) => from !== to);
    fc.assert(
      fc.property(zone, quietTime, moment, (tz, quiet, now) => {
        const shown = shownAt(tz, now);
        const { from, to } = quiet;
        const isWithin = from < to ? from <= shown && shown < to : from <= shown || shown < to;
        const end = quietUntil(daily(quiet), tz, now);
        expect(end !== null).toBe(isWithin);
        if (end !== null) expect(quietUntil(daily(quiet), tz, end)).toBeNull();
      }),
    );
  });

  test('join with quiet days, from the evening before to the morning after', () => {
    const weekend = { hours: { from: 18 * 60, to: 9 * 60 }, days: [6, 0] };
    const ends = ['2026-11-20T16:59:00Z', '2026-11-20T17:00:00Z', '2026-11-22T12:00:00Z', '2026-11-23T08:00:00Z'].map(
      (time) => quietUntil(weekend, 'Europe/Berlin', at(time))?.toISOString() ?? null,
    );
    expect(ends).toEqual([null, '2026-11-23T08:00:00.000Z', '2026-11-23T08:00:00.000Z', null]);
  });
});

test("a moment is formatted in a zone's local time", () => {
  const midnight = new Date('2026-03-05T00:00:00Z');
  expect(clockTime(midnight, 'Asia/Kolkata')).toBe('05:30');
  expect(weekdayAndDay(midnight, 'America/New_York')).toBe('Wed 4');
});

function isSteady(timeZone: string, now: Date): boolean {
  const shown = [-24, 24].map((hours) => shownAt(timeZone, new Date(now.getTime() + hours * 3_600_000)));
  return shown.every((minutes) => minutes === shownAt(timeZone, now));
}
