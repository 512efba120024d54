import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import type { Check } from '../../domain/polling/check.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { type ChartStore, type ChartSubject, chartFailures } from './chart-failures.ts';

const at = (minutes: number, seconds = 0) => new Date(Date.UTC(2026, 2, 4, 12, minutes, seconds));
const ASKED = { from: at(0, 40), to: at(60, 40) };

const aGap = (change: Partial<Gap>): Gap => ({
  ...{ id: 'gap-1', environment: 'production', from: at(0), to: at(60), cause: 'unreachable', openedAt: at(0) },
  ...{ closedAt: null, unchecked: [], givenUp: [], events: 0, failures: 0 },
  ...change,
});

function chart(covered: TimeRange | null, gaps: Gap[] = [], check: Check | null = null) {
  const store: ChartStore = {
    coverage: async () => covered && { ...covered, checkedAt: covered.to },
    gapsIn: async () => gaps,
    countedIn: async () => ({ kinds: [], rest: [], marks: [], unreadable: 0, events: 9 }),
  };
  const checkNow = check && (async () => check);
  const subject: ChartSubject = { is: 'filter', filter: ALL_FAILURES };
  return chartFailures({ environment: 'production', range: ASKED, subject }, { store, checkNow });
}

test('a chart ends with the last check if the next one is imminent', async () => {
  const { buckets, unchecked } = await chart({ from: at(0, 40), to: at(58, 10) });
  expect(buckets).toMatchObject({ from: at(0), to: at(58, 10), count: 12 });
  expect(unchecked).toEqual([]);
});

test("a chart shows as unchecked what hasn't been checked for long, and the time before the first check", async () => {
  const { buckets, unchecked } = await chart({ from: at(10), to: at(50) });
  expect(buckets.to).toEqual(ASKED.to);
  expect(unchecked).toEqual([
    { from: ASKED.from, to: at(10) },
    { from: at(50), to: ASKED.to },
  ]);
  expect((await chart(null)).unchecked).toEqual([ASKED]);
});

test("gaps are unchecked while they're still to be checked, once they're given up, and to the end while they're open", async () => {
  const part = { from: at(5), to: at(9) };
  const covered = { from: at(-60), to: at(60, 40) };
  expect((await chart(covered, [aGap({ unchecked: [part] })])).unchecked).toEqual([part]);
  expect((await chart(covered, [aGap({ givenUp: [part] })])).unchecked).toEqual([part]);
  expect((await chart(covered, [aGap({ closedAt: at(61) })])).unchecked).toEqual([]);
  expect((await chart(covered, [aGap({ from: at(40), to: null })])).unchecked).toEqual([
    { from: at(40), to: ASKED.to },
  ]);
});

test('a chart is as current as the check made for it, and never without one', async () => {
  const covered = { from: at(-60), to: at(60, 40) };
  const freshnessAfter = async (check: Check | null) => (await chart(covered, [], check)).freshness;
  expect(await freshnessAfter({ outcome: 'checked', problem: null })).toEqual({
    asOf: covered.to,
    isCurrent: true,
  });
  const still: Check = { outcome: 'still checking', problem: null };
  for (const check of [null, still]) expect(await freshnessAfter(check)).toMatchObject({ isCurrent: false });
});
