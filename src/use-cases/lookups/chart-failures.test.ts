import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { type ChartStore, chartFailures } from './chart-failures.ts';

const at = (minutes: number, seconds = 0) => new Date(Date.UTC(2026, 2, 4, 12, minutes, seconds));
const ASKED = { from: at(0, 40), to: at(60, 40) };

const aGap = (change: Partial<Gap>): Gap => ({
  ...{ id: 'gap-1', environment: 'production', from: at(0), to: at(60), cause: 'unreachable', openedAt: at(0) },
  ...{ closedAt: null, unchecked: [], givenUp: [], events: 0, failures: 0 },
  ...change,
});

function chart(covered: { from: Date; to: Date } | null, gaps: Gap[] = []) {
  const store: ChartStore = {
    coverage: async () => covered && { ...covered, checkedAt: covered.to },
    gapsIn: async () => gaps,
    countedIn: async (_environment, { count }) => ({
      ...{ groups: [], rest: [], marks: [] },
      events: Array.from({ length: count }, () => 1),
    }),
  };
  const subject = { is: 'filter', filter: ALL_FAILURES } as const;
  return chartFailures({ environment: 'production', range: ASKED, subject }, { store, checkNow: null });
}

test('a chart ends with the last check if the next one is imminent', async () => {
  const { buckets, unchecked } = await chart({ from: at(0, 40), to: at(58, 10) });
  expect(buckets).toMatchObject({ from: at(0), to: at(58, 10), count: 59 });
  expect(unchecked).toEqual([]);
});

test("a chart shows as unchecked what hasn't been checked for long, and the time before the first check", async () => {
  const { buckets, unchecked } = await chart({ from: at(10), to: at(50) });
  expect(buckets.to).toEqual(ASKED.to);
  expect(unchecked).toEqual([
    { from: at(0), to: at(10) },
    { from: at(50), to: ASKED.to },
  ]);
  expect((await chart(null)).unchecked).toEqual([{ from: at(0), to: ASKED.to }]);
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
