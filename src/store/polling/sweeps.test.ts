import { expect, test } from 'vitest';
import { FencedOffError } from '../../domain/errors.ts';
import type { Stretch } from '../../domain/polling/recheck-pace.ts';
import { at, failure, NOON, reading, takeCursor } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const aStretch = (from: number, to: number, change: Partial<Stretch> = {}): Stretch => ({
  from: at(from),
  to: at(to),
  checkedAt: null,
  events: 0,
  failedChecks: 0,
  notBefore: null,
  ...change,
});

describeStore('sweeps for late failures', (store) => {
  test('store when each stretch was checked, for each environment', async () => {
    const cursor = await takeCursor(store());
    await store().polling.noteChecked(cursor, [aStretch(-300, -240), aStretch(-240, -180), aStretch(-180, -120)]);
    const checked = aStretch(-240, -120, { checkedAt: NOON, events: 7 });
    const failed = aStretch(-300, -240, { failedChecks: 2, notBefore: at(120) });
    await store().polling.noteChecked(cursor, [failed, checked]);
    expect(await store().polling.stretches('production')).toEqual([failed, checked]);
    expect(await store().polling.stretches('staging')).toEqual([]);
  });

  test('recognize new failures', async () => {
    const cursor = await takeCursor(store());
    await store().polling.record(cursor, reading({ failures: [failure()] }), NOON);
    const late = failure({ detailId: 'detail-2' });
    expect(await store().polling.unknownFailures('production', [failure(), late])).toEqual([late]);
    expect(await store().polling.unknownFailures('staging', [failure()])).toEqual([failure()]);
  });

  test('report their delay to the next sweep and to people', async () => {
    const cursor = await takeCursor(store());
    expect(await store().polling.lastSweep('production')).toBeNull();
    const delays = [{ ageMs: 3_600_000, withinMs: 1_200_000 }];
    const note = { behindMs: 90_000, delays, failedSweeps: 1, unfilteredUntil: at(60) };
    await store().polling.noteSweep(cursor, note);
    expect(await store().polling.lastSweep('production')).toEqual(note);
    expect(await store().polling.health(NOON)).toMatchObject([{ behindMs: 90_000, lateFailures: delays }]);
  });

  test("can't be recorded by a reader that was overtaken", async () => {
    const overtaken = await takeCursor(store());
    await takeCursor(store());
    const stretches = [aStretch(-300, -240)];
    await expect(store().polling.noteChecked(overtaken, stretches)).rejects.toThrow(FencedOffError);
    expect(await store().polling.stretches('production')).toEqual([]);
  });
});
