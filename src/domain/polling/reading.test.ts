import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfPoll, planPoll, type ReadTo } from './reading.ts';

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
    const { present, missed } = planAfter({ checkedTo: ago(HOUR), coveredFrom: ago(HOUR) });
    expect({ present, missed }).toEqual({ present: { from: ago(61 * MINUTE), to: now }, missed: null });
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
