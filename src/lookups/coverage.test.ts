import { expect, test } from 'vitest';
import { openGap } from '../coverage/gaps.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { at, covered, NOON, recordFailures, stretch } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { coverageIn } from './coverage.ts';

type Minutes = readonly [from: number, to: number];
/** Times are in minutes from noon. */
interface Case {
  title: string;
  checked: Minutes | null;
  gap?: Minutes;
  clockAheadMs?: number;
  /** The gap by Notif's clock, where the service's is behind. */
  shownGap?: Minutes;
  missing: readonly Minutes[];
}
const GAP = [-30, -20] as const;

describeStore('the coverage of an hour', (store) => {
  test.for<Case>([
    { title: 'nothing if it is about to be checked to its end', checked: [-120, -1], missing: [] },
    { title: 'what follows the last check five minutes before', checked: [-120, -5], missing: [[-5, 0]] },
    { title: 'what comes before the first check', checked: [-45, 0], missing: [[-60, -45]] },
    { title: 'all before any check', checked: null, missing: [[-60, 0]] },
    { title: 'all before its first check', checked: [10, 20], missing: [[-60, 0]] },
    { title: 'all after its last check', checked: [-120, -61], missing: [[-60, 0]] },
    { title: 'its gaps', checked: [-45, -10], gap: GAP, missing: [[-60, -45], GAP, [-10, 0]] },
    {
      title: "nothing that a service's clock nine minutes behind dates earlier",
      checked: [-120, -9],
      clockAheadMs: -9 * MINUTE_MS,
      missing: [],
    },
    {
      title: "by Notif's clock, a gap by one nine minutes behind",
      checked: [-120, -9],
      gap: GAP,
      clockAheadMs: -9 * MINUTE_MS,
      shownGap: [-21, -11],
      missing: [[-21, -11]],
    },
  ])('misses $title', async ({ checked, gap = null, shownGap = gap, clockAheadMs = 0, missing: expected }) => {
    const range = ([from, to]: Minutes) => ({ from: at(from), to: at(to) });
    await recordFailures(store(), at(-500), []);
    if (gap !== null) {
      const { from, to } = range(gap);
      await store().db.transaction((tx) => openGap(tx, 'production', stretch(from, to), NOON));
    }
    await covered(store(), checked && range(checked), clockAheadMs);
    const { checkedTo, missing, gaps } = await coverageIn(store().db, 'production', range([-60, 0]));
    expect(missing).toEqual(expected.map(range));
    expect(checkedTo).toEqual(checked && at(checked[1] - clockAheadMs / MINUTE_MS));
    const shown = gaps.map(({ beginsAt, endsAt }) => ({ from: beginsAt, to: endsAt }));
    expect(shown).toEqual(shownGap === null ? [] : [range(shownGap)]);
  });

  test('misses what polls have yet to read before what they read ahead', async () => {
    await recordFailures(store(), at(-500), []);
    await covered(store(), { from: at(-120), to: at(-20) }, 0);
    const readAhead = JSON.stringify([{ from: at(-2), to: at(0) }]);
    await store().db.write('UPDATE environments SET read_ahead = $1::jsonb', [readAhead]);
    const { missing, read } = await coverageIn(store().db, 'production', { from: at(-60), to: at(0) });
    expect([missing, read.to]).toEqual([[{ from: at(-20), to: at(-2) }], at(0)]);
  });
});
