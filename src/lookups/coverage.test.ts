import { expect, test } from 'vitest';
import { openGap } from '../coverage/gaps.ts';
import { at, covered, NOON, recordFailures, stretch } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { coverageIn } from './coverage.ts';

const GAP = [-30, -20] as const;

describeStore('the coverage of an hour', (store) => {
  test.for([
    ['misses nothing if it is about to be checked to its end', [-120, -1], null, 0, []],
    ['misses what follows the last check five minutes before', [-120, -5], null, 0, [[-5, 0]]],
    ['misses what comes before the first check', [-45, 0], null, 0, [[-60, -45]]],
    ['misses all before any check', null, null, 0, [[-60, 0]]],
    ['misses all before its first check', [10, 20], null, 0, [[-60, 0]]],
    ['misses all after its last check', [-120, -61], null, 0, [[-60, 0]]],
    ['misses its gaps', [-45, -10], GAP, 0, [[-60, -45], GAP, [-10, 0]]],
    ["misses nothing that a service's clock nine minutes behind dates earlier", [-120, -9], null, -540_000, []],
    ["misses, by Notif's clock, a gap by one nine minutes behind", [-120, -9], GAP, -540_000, [[-21, -11]]],
  ] as const)('%s', async ([, checked, gap, clockAheadMs, expected]) => {
    const range = ([from, to]: readonly [number, number]) => ({ from: at(from), to: at(to) });
    await recordFailures(store(), at(-500), []);
    if (gap !== null) {
      const { from, to } = range(gap);
      await store().db.transaction((tx) => openGap(tx, 'production', stretch(from, to), NOON));
    }
    await covered(store(), checked && range(checked), clockAheadMs);
    const { checkedTo, missing, gaps } = await coverageIn(store().db, 'production', range([-60, 0]));
    expect(missing).toEqual(expected.map(range));
    expect(checkedTo).toEqual(checked && at(checked[1] - clockAheadMs / 60_000));
    const shown = gaps.map(({ beginsAt, endsAt }) => ({ from: beginsAt, to: endsAt }));
    expect(shown).toEqual(gap === null ? [] : [range(clockAheadMs === 0 ? gap : [-21, -11])]);
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
