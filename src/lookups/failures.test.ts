import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../judging/filter.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Check } from '../polling/check-now.ts';
import { noteTrouble } from '../polling/poll.ts';
import {
  at,
  checkedTo,
  covered,
  failure,
  NOON,
  openedEnvironment,
  recordFailures,
  stretch,
} from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { chartFailures } from './chart.ts';
import { findFailures } from './failures.ts';

const hour: TimeRange = { from: at(-60), to: NOON };
const TWO_HOURS: TimeRange = { from: at(-120), to: NOON };
const CHECKED: Check = { outcome: 'checked', problem: null };

describeStore('finding failures', (store) => {
  const failAt = async (...minutes: number[]) => {
    const times = minutes.map((minute) => ({ eventKey: `event-${minute}`, occurredAt: at(minute) }));
    const failures = times.map((time) => failure({ ...time, eventCreatedAt: at(-120) }));
    await recordFailures(store(), NOON, failures);
  };

  async function find(range = hour, coverage: TimeRange | null = TWO_HOURS, check = CHECKED, clockAheadMs = 0) {
    await covered(store(), coverage, clockAheadMs);
    const ctx = { db: store().db, checkNow: async () => check, now: () => NOON };
    return findFailures({ ...ctx, environment: anEnvironment() }, range, ALL_FAILURES);
  }

  test('is as current as the check made for the question', async () => {
    await failAt(-5, -4);
    expect(await find()).toMatchObject({
      freshness: { asOf: NOON, isCurrent: true },
      read: hour,
      since: null,
      eventsChecked: 2,
      failedEvents: 2,
    });
  });

  test('leaves what is new unchecked if no check has finished', async () => {
    const check: Check = { outcome: 'still checking', problem: null };
    expect(await find(hour, { from: at(-120), to: at(-0.5) }, check)).toMatchObject({
      freshness: { asOf: at(-0.5), isCurrent: false },
      read: { from: hour.from, to: at(-0.5) },
      unchecked: [{ from: at(-0.5), to: NOON }],
      trouble: null,
    });
  });

  test('reports why the check failed, with what is known', async () => {
    await failAt(-5);
    const problem = { kind: 'key-refused', status: 401 } as const;
    const found = await find(hour, TWO_HOURS, { outcome: 'failed', problem });
    expect(found).toMatchObject({ trouble: { problem }, failedEvents: 1 });
  });

  test('has the outage of the service that is open, unless the range ended before', async () => {
    await covered(store(), { from: at(-120), to: at(-6) });
    const trouble = { problem: { kind: 'key-refused', status: 403 }, pollMs: 60_000 } as const;
    for (const minute of [-5, -4]) await noteTrouble(store().db, await openedEnvironment(store()), trouble, at(minute));
    expect(await find()).toMatchObject({ outage: { id: 1, state: { is: 'firing' } } });
    expect(await find({ from: at(-60), to: at(-30) })).toMatchObject({ outage: null });
  });

  test('says since when the environment has been checked if the range begins before', async () => {
    const found = await find(hour, { from: at(-10), to: NOON });
    expect(found).toMatchObject({ read: { from: at(-10), to: NOON }, since: at(-10) });
  });

  test('has checked nothing of a range before that, and finds nothing in it', async () => {
    await failAt(-140);
    const range = { from: at(-150), to: at(-130) };
    const found = await find(range);
    expect(found).toMatchObject({ read: { from: range.to, to: range.to }, since: at(-120) });
    expect(found.failedEvents).toBe(0);
  });

  test.each([null, { from: at(-150), to: at(-120) }])(
    'has checked nothing yet of a range after the last poll: %j',
    async (coverage) => {
      expect(await find(hour, coverage)).toMatchObject({ read: { from: hour.from, to: hour.from }, since: null });
    },
  );

  test("looks for what the service dates by its own clock, which is behind, and names times by Notif's", async () => {
    await failAt(-68, -35, -13);
    const behind = (range: TimeRange) => find(range, { from: at(-129), to: at(-9) }, CHECKED, -540_000);
    const recent = { from: at(-5), to: NOON };
    expect(await behind(recent)).toMatchObject({ read: recent, since: null, failedEvents: 1 });
    expect((await behind({ from: at(-60), to: at(-30) })).failedEvents).toBe(1);
  });

  test.each([-540_000, 0, 540_000])('charts what it finds, where the clock is %i ms ahead', async (clockAheadMs) => {
    await failAt(-68, -35, -13, 8);
    const tooOld = failure({ eventKey: 'too-old', occurredAt: at(-12), eventCreatedAt: at(-180) });
    await recordFailures(store(), NOON, [tooOld]);
    const ranges = [
      [-20, 0],
      [-60, -30],
      [-240, -180],
    ].map(([from = 0, to = 0]) => ({ from: at(from), to: at(to) }));
    for (const range of ranges) {
      const found = await find(range, { from: at(-130), to: at(-9) }, CHECKED, clockAheadMs);
      const ctx = { db: store().db, checkNow: async () => CHECKED, now: () => NOON, environment: anEnvironment() };
      const chart = await chartFailures(ctx, range, ALL_FAILURES);
      const failures = chart.series.reduce((sum, series) => sum + series.failures, 0);
      const { failedEvents, eventsChecked, unreadable, read } = found;
      expect({ ...chart, failures }).toMatchObject({ failures: failedEvents, eventsChecked, unreadable, read });
    }
  });

  test('counts events that a fast clock dates into the future as now, but not in a range that has ended', async () => {
    await failAt(8);
    expect((await find()).failedEvents).toBe(1);
    expect((await find({ from: at(-60), to: at(-0.1) })).failedEvents).toBe(0);
  });

  test('names the gaps in what is stored, within the range', async () => {
    const unchecked = [
      { from: at(-120), to: at(-50) },
      { from: at(-33), to: at(-20) },
    ];
    const givenUp = { from: at(-50), to: at(-49) };
    const windows = [
      ...unchecked.map((part) => ({ ...part, tries: 0, nextTryAt: at(-10) })),
      { ...givenUp, tries: 9, nextTryAt: null },
    ];
    await checkedTo(store(), at(-20), stretch(at(-120), at(-20), { windows }));
    expect(await find()).toMatchObject({
      unchecked: [{ from: at(-60), to: at(-50) }, unchecked[1]],
      givenUp: [givenUp],
    });
  });
});
