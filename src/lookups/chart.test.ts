import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../failures/filter.ts';
import type { Check } from '../health/check.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { checkedTo, covered, at as minute, noteTrouble, stretch } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { chartFailures } from './chart.ts';

const at = (minutes: number, seconds = 0) => minute(minutes + seconds / 60);
const ASKED = { from: at(0, 40), to: at(60, 40) };

describeStore('a chart', (store) => {
  async function chart(checked: TimeRange | null, check: Check | null = null) {
    await covered(store(), checked);
    const checkNow = check && (async () => check);
    const subject = { is: 'filter', filter: ALL_FAILURES } as const;
    return chartFailures({ environment: 'production', range: ASKED, subject }, { db: store().db, checkNow });
  }

  test('ends with the last check if the next one is imminent', async () => {
    const { buckets, unchecked } = await chart({ from: at(0, 40), to: at(58, 10) });
    expect(buckets).toMatchObject({ from: at(0), to: at(58, 10), count: 12 });
    expect(unchecked).toEqual([]);
  });

  test("shows as unchecked what hasn't been checked for long, and the time before the first check", async () => {
    const { buckets, unchecked } = await chart({ from: at(10), to: at(50) });
    expect(buckets.to).toEqual(ASKED.to);
    expect(unchecked).toEqual([
      { from: ASKED.from, to: at(10) },
      { from: at(50), to: ASKED.to },
    ]);
    expect((await chart(null)).unchecked).toEqual([ASKED]);
  });

  test.each([at(10), null])('shows a gap as unchecked, to be read at %s, or given up', async (nextTryAt) => {
    const part = { from: at(5), to: at(9) };
    await checkedTo(store(), at(10), stretch(part.from, part.to, { windows: [{ ...part, tries: 1, nextTryAt }] }));
    expect((await chart({ from: at(-60), to: at(60, 40) })).unchecked).toEqual([part]);
  });

  test('shows a gap as unchecked to the end while it is open', async () => {
    await checkedTo(store(), at(40));
    for (const minutes of [41, 45]) await noteTrouble(store(), 'production', { kind: 'unreachable' }, at(minutes));
    expect((await chart({ from: at(-60), to: at(60, 40) })).unchecked).toEqual([{ from: at(40), to: ASKED.to }]);
  });

  test('is as current as the check made for it, and never without one', async () => {
    const range = { from: at(-60), to: at(60, 40) };
    const freshnessAfter = async (check: Check | null) => (await chart(range, check)).freshness;
    expect(await freshnessAfter({ outcome: 'checked', problem: null })).toEqual({ asOf: range.to, isCurrent: true });
    const still: Check = { outcome: 'still checking', problem: null };
    for (const check of [null, still]) expect(await freshnessAfter(check)).toMatchObject({ isCurrent: false });
  });
});
