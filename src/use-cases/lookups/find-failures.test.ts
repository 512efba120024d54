import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import { emptySummary } from '../../domain/failures/tally.ts';
import type { Check } from '../../domain/polling/check.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { at, NOON } from '../../domain/service/event.testing.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { findFailures } from './find-failures.ts';

const hour: TimeRange = { from: at(-3600), to: NOON };
const CHECKED: Check = { outcome: 'checked', problem: null };

function asking(options: { coverage?: TimeRange | null; check?: Check; gaps?: Gap[]; clockAheadMs?: number }) {
  const { coverage = { from: at(-7200), to: NOON }, check = CHECKED, gaps = [], clockAheadMs = 0 } = options;
  const asked: TimeRange[] = [];
  const parts = {
    environment: anEnvironment(),
    store: {
      coverage: async () => coverage && { ...coverage, checkedAt: coverage.to },
      gapsIn: async () => gaps,
      failuresIn: async (_: string, range: TimeRange) => {
        asked.push(range);
        return { ...emptySummary(), eventsChecked: 400, failedEvents: 7 };
      },
      clockAheadMs: async () => clockAheadMs,
    },
    checkNow: async () => check,
    now: () => NOON,
  };
  return { asked, ask: (range = hour) => findFailures(range, ALL_FAILURES, parts) };
}

describe('finding failures', () => {
  test('is as current as the check made for the question', async () => {
    expect(await asking({}).ask()).toMatchObject({
      freshness: { asOf: NOON, isCurrent: true },
      read: hour,
      since: null,
      summary: { eventsChecked: 400, failedEvents: 7 },
    });
  });

  test('leaves what is new unchecked if no check has finished', async () => {
    const check: Check = { outcome: 'still checking', problem: null };
    expect(await asking({ coverage: { from: at(-7200), to: at(-30) }, check }).ask()).toMatchObject({
      freshness: { asOf: at(-30), isCurrent: false },
      read: { from: hour.from, to: at(-30) },
      trouble: null,
    });
  });

  test('reports why the check failed, with what is known', async () => {
    const problem = { kind: 'key-refused', status: 401 } as const;
    const found = await asking({ check: { outcome: 'failed', problem } }).ask();
    expect(found).toMatchObject({ trouble: { problem }, summary: { failedEvents: 7 } });
  });

  test('says since when the environment has been checked if the range begins before', async () => {
    const found = await asking({ coverage: { from: at(-600), to: NOON } }).ask();
    expect(found).toMatchObject({ read: { from: at(-600), to: NOON }, since: at(-600) });
  });

  test('has checked nothing of a range before that, and asks the store for none', async () => {
    const { ask, asked } = asking({});
    const range = { from: at(-9000), to: at(-8000) };
    expect(await ask(range)).toMatchObject({ read: { from: range.to, to: range.to }, since: at(-7200) });
    expect(asked).toEqual([]);
  });

  test.each([null, { from: at(-9000), to: at(-7200) }])(
    'has checked nothing yet of a range after the last poll: %j',
    async (coverage) => {
      const found = await asking({ coverage }).ask();
      expect(found).toMatchObject({ read: { from: hour.from, to: hour.from }, since: null });
    },
  );

  test("looks for what the service dates by its own clock, which is behind, and names times by Notif's", async () => {
    const { ask, asked } = asking({ coverage: { from: at(-7740), to: at(-540) }, clockAheadMs: -540_000 });
    expect(await ask({ from: at(-300), to: NOON })).toMatchObject({ read: { from: at(-300), to: NOON }, since: null });
    await ask({ from: at(-3600), to: at(-1800) });
    expect(asked[0]?.from).toEqual(at(-840));
    expect(asked[0]?.to.getTime()).toBeGreaterThanOrEqual(NOON.getTime());
    expect(asked[1]).toEqual({ from: at(-4140), to: at(-2340) });
  });

  test('counts events that a fast clock dates into the future as now, but not in a range that has ended', async () => {
    const { ask, asked } = asking({});
    await ask();
    await ask({ from: at(-3600), to: at(-1) });
    expect(asked.map(({ to }) => to)).toEqual([at(600), at(-1)]);
  });

  test('names the gaps in what is stored, within the range', async () => {
    const gap: Gap = {
      id: 'gap-1',
      environment: 'production',
      from: at(-7200),
      to: at(-1200),
      cause: 'unreachable',
      openedAt: at(-1200),
      closedAt: null,
      unchecked: [
        { from: at(-7200), to: at(-3000) },
        { from: at(-2000), to: at(-1200) },
      ],
      givenUp: [{ from: at(-3000), to: at(-2999) }],
      events: 0,
      failures: 0,
    };
    expect((await asking({ gaps: [gap] }).ask()).gaps).toEqual({
      unchecked: [
        { from: at(-3600), to: at(-3000) },
        { from: at(-2000), to: at(-1200) },
      ],
      givenUp: gap.givenUp,
    });
  });
});
