import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byOurClock,
  byServiceClock,
  datedAheadMs,
  endOfPoll,
  horizonAt,
  lateListed,
  listEnd,
  listedBy,
  listStart,
  planPoll,
  type ReadTo,
} from './reading.ts';

const now = new Date('2026-03-04T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number) => new Date(now.getTime() - ms);

const planAfter = (cursor: Pick<ReadTo, 'checkedTo'> & Partial<ReadTo>, pollMs = MINUTE) =>
  planPoll(
    { newestEventAt: cursor.checkedTo, coveredFrom: ago(100 * HOUR), lastSuccessAt: null, ...cursor },
    now,
    pollMs,
  );

describe('the range of a poll', () => {
  test('overlaps what was read, for events that appear late in the list', () => {
    expect(planAfter({ checkedTo: ago(MINUTE) })).toEqual({
      present: { from: ago(2 * MINUTE), to: now },
      missed: null,
    });
  });

  test('reaches back to the newest event, by the clock of a service that is behind ours', () => {
    const { present } = planAfter({ checkedTo: ago(MINUTE), newestEventAt: ago(5 * MINUTE) });
    expect(present.from).toEqual(ago(6 * MINUTE));
  });

  test('reaches back ten minutes where no event was ever seen, as nothing says how far behind that clock is', () => {
    const { present } = planAfter({ checkedTo: ago(MINUTE), newestEventAt: null });
    expect(present.from).toEqual(ago(12 * MINUTE));
  });

  test('reaches back to the time at the last poll, by the clock of a service that was set back since', () => {
    const cursor = {
      checkedTo: ago(MINUTE),
      newestEventAt: ago(MINUTE),
      lastSuccessAt: ago(MINUTE),
      coveredFrom: ago(HOUR),
    };
    const fromAt = (...aheadMs: number[]) => planPoll(cursor, now, MINUTE, aheadMs).present.from;
    expect(planPoll(cursor, now, MINUTE).present.from).toEqual(ago(2 * MINUTE));
    expect(planPoll({ ...cursor, lastSuccessAt: null }, now, MINUTE, [-5 * MINUTE]).present.from).toEqual(
      ago(2 * MINUTE),
    );
    expect(fromAt(0)).toEqual(ago(2 * MINUTE));
    expect(fromAt(0, -5 * MINUTE)).toEqual(ago(7 * MINUTE));
    expect(fromAt(0, -5 * HOUR)).toEqual(ago(12 * MINUTE));
  });

  test("doesn't reach back further than ten minutes on a quiet service", () => {
    const { present } = planAfter({ checkedTo: ago(MINUTE), newestEventAt: ago(10 * HOUR) });
    expect(present.from).toEqual(ago(12 * MINUTE));
  });

  test('covers everything missed by a restart of less than a quarter of an hour', () => {
    expect(planAfter({ checkedTo: ago(15 * MINUTE) }).missed).toBeNull();
  });

  test('starts with the last quarter of an hour if more was missed', () => {
    expect(planAfter({ checkedTo: ago(HOUR) })).toEqual({
      present: { from: ago(15 * MINUTE), to: now },
      missed: { from: ago(61 * MINUTE), to: ago(15 * MINUTE) },
    });
  });

  test.each([15 * MINUTE, HOUR])('misses nothing between polls %i ms apart, also if one was left out', (pollMs) => {
    expect(planAfter({ checkedTo: ago(2 * pollMs + MINUTE) }, pollMs).missed).toBeNull();
    expect(planAfter({ checkedTo: ago(2 * pollMs + MINUTE + 1) }, pollMs).missed).not.toBeNull();
  });

  test('is the whole first hour if nothing was read before', () => {
    const first = { checkedTo: ago(HOUR), coveredFrom: ago(HOUR), newestEventAt: null };
    expect(planAfter(first)).toEqual({ present: { from: ago(61 * MINUTE), to: now }, missed: null });
  });

  test('continues after a clock was set back', () => {
    const later = new Date(now.getTime() + HOUR);
    expect(planAfter({ checkedTo: later, newestEventAt: later })).toMatchObject({
      present: { from: ago(MINUTE), to: now },
    });
  });

  test('leaves out no moment between what was read and now', () => {
    const range = fc.integer({ min: 0, max: 80 * HOUR });
    fc.assert(
      fc.property(range, range, (read, newest) => {
        const { present, missed } = planAfter({ checkedTo: ago(read), newestEventAt: ago(newest) });
        expect((missed ?? present).from.getTime()).toBeLessThan(ago(read).getTime());
        expect(missed?.to ?? present.from).toEqual(present.from);
        expect(present.to).toEqual(now);
      }),
    );
  });
});

describe('the end of a poll', () => {
  test('is now, by our clock or that of a service that is ahead of it', () => {
    expect(endOfPoll(now, 0)).toEqual(now);
    expect(endOfPoll(now, null)).toEqual(now);
    expect(endOfPoll(now, -5 * MINUTE)).toEqual(now);
    expect(endOfPoll(now, 5 * MINUTE)).toEqual(ago(-5 * MINUTE));
    expect(endOfPoll(now, 5 * HOUR)).toEqual(ago(-10 * MINUTE));
  });
});

describe('what the list may show late', () => {
  const window = { from: ago(HOUR), to: ago(10 * MINUTE) };

  test('is nothing of a window that ended more than a minute before it was asked for', () => {
    expect(lateListed(window, now)).toBeNull();
    expect(lateListed(window, ago(9 * MINUTE))).toBeNull();
  });

  test('is the last minute before a window was asked for', () => {
    expect(lateListed(window, ago(10 * MINUTE))).toEqual({ from: ago(11 * MINUTE), to: window.to });
    expect(lateListed(window, ago(9.5 * MINUTE))).toEqual({ from: ago(10.5 * MINUTE), to: window.to });
  });

  test("is all of a window that wasn't over when it was asked for", () => {
    expect(lateListed(window, ago(HOUR))).toEqual(window);
  });

  test('is shown a minute later', () => {
    expect(listedBy(ago(MINUTE))).toEqual(now);
    expect(lateListed(window, listedBy(window.to))).toBeNull();
  });
});

describe('a list of what there is now', () => {
  const endsAhead = (aheadMs: number | null) => listEnd(now, aheadMs).getTime() - now.getTime();
  const beginsBefore = (aheadMs: number | null) => now.getTime() - listStart(now, aheadMs).getTime();
  const aFewSeconds = 10_000;

  test.each([0, 5_000, 3 * HOUR])("ends a few seconds beyond the service's time, %i ms ahead of ours", (aheadMs) => {
    expect(endsAhead(aheadMs)).toBeGreaterThan(aheadMs);
    expect(endsAhead(aheadMs)).toBeLessThanOrEqual(aheadMs + aFewSeconds);
  });

  test('ends no earlier for a service whose clock is behind ours', () => {
    expect(endsAhead(-3 * HOUR)).toBe(endsAhead(0));
  });

  test("has an hour to spare at both ends while the service hasn't said its time", () => {
    expect(endsAhead(null)).toBe(endsAhead(HOUR));
    expect(beginsBefore(null)).toBe(beginsBefore(-HOUR));
  });

  test.each([0, -5_000, -3 * HOUR])(
    "begins ten minutes before the service's time, %i ms from ours, since the difference may have changed",
    (aheadMs) => {
      expect(beginsBefore(aheadMs)).toBe(-aheadMs + 10 * MINUTE);
    },
  );

  test('begins no later for a service whose clock is ahead of ours', () => {
    expect(beginsBefore(3 * HOUR)).toBe(beginsBefore(0));
  });
});

describe('a time by another clock', () => {
  test.each([
    [5 * MINUTE, 5 * MINUTE],
    [-5 * MINUTE, -5 * MINUTE],
    [null, 0],
    [5 * HOUR, 10 * MINUTE],
    [-5 * HOUR, -10 * MINUTE],
  ])('of a service that is %s ms ahead of ours counts as %i ms ahead', (aheadMs, tolerated) => {
    expect(byServiceClock(now, aheadMs)).toEqual(ago(-tolerated));
    expect(byOurClock(now, aheadMs)).toEqual(ago(tolerated));
    expect(datedAheadMs(aheadMs)).toBe(Math.min(0, tolerated));
  });

  test("decides what is beyond the horizon, which is measured by the service's clock", () => {
    expect(horizonAt(now, 0, HOUR)).toEqual(ago(HOUR));
    expect(horizonAt(now, 5 * MINUTE, HOUR)).toEqual(ago(55 * MINUTE));
  });
});
