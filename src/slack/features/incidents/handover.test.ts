import { expect, test } from 'vitest';
import { act } from '../../../incidents/actions.ts';
import { setAside } from '../../../polling/gaps.ts';
import { at, covered, failureOf, recordFailures, stretch } from '../../../store/examples.testing.ts';
import { describeStore } from '../../../store/store.testing.ts';
import { mute } from '../../../watches/mutes.ts';
import { UNFILTERED } from '../../../watches/settings.ts';
import { madeWatch, watchCtx } from '../../../watches/watches.testing.ts';
import { writeHandover } from './handover.ts';

const HOUR = 60;
const hours = (count: number) => at(count * HOUR);

describeStore('A handover', (store) => {
  const write = async (since = -8, coverage: readonly [number, number] | null = [-48, 0]) => {
    await covered(store(), coverage && { from: hours(coverage[0]), to: hours(coverage[1]) });
    const ctx = {
      db: store().db,
      channels: { isPublic: async (channel: string) => channel === 'C0PUBLIC' },
      now: () => hours(0),
    };
    return writeHandover(ctx, ['production'], hours(since));
  };

  test('names the open incidents, those that nobody has first, and no private channel', async () => {
    await recordFailures(store(), at(-30), [failureOf('a'), failureOf('b', { provider: 'ses' })]);
    await act(watchCtx(store().db, at(-20)), { incidentId: 1, messageId: null }, { what: 'acknowledged' }, 'U0ANN');
    for (const channel of ['C0PUBLIC', 'C0PRIVATE']) {
      const { id } = await madeWatch(store().db, { channel, createdBy: 'U0ANN', settings: UNFILTERED }, at(-60));
      await mute(watchCtx(store().db, at(-10)), id, null, { by: 'U0ANN', until: hours(1) });
    }
    const { open, mutes } = await write();
    expect([open.items.map(({ id }) => id), open.unowned]).toEqual([[2, 1], 1]);
    expect(mutes.items.map(({ channel }) => channel)).toEqual(expect.arrayContaining(['C0PUBLIC', null]));
  });

  test.for([
    ['that ended with a poll a minute ago', [-48, -1 / 60], null, []],
    ['after the last poll', [-48, -3], null, [[-3, 0]]],
    ["before the first poll's hour", [-1, 0], null, [[-8, -1]]],
    ['before any poll', null, null, [[-8, 0]]],
    ['in a gap that is too short to be listed', [-48, 0], [-1, -0.99], [[-1, -0.99]]],
    ['in a gap that is listed', [-48, 0], [-3, -2], []],
  ] as const)('names the time %s as unchecked, beside the gaps', async ([, covered, gap, expected]) => {
    await recordFailures(store(), hours(-9), []);
    if (gap !== null) {
      const [from, to] = [hours(gap[0]), hours(gap[1])];
      await store().db.transaction((sql) => setAside(sql, 'production', stretch(from, to), at(-0.5)));
    }
    const { environments } = await write(-8, covered);
    expect(environments[0]?.unchecked).toEqual(expected.map(([from, to]) => ({ from: hours(from), to: hours(to) })));
  });

  test.for([
    [8, 8],
    [1, 8],
    [24, 24],
  ] as const)('over the last %s h lists the mutes that end within %s h', async ([since, until]) => {
    expect((await write(-since)).mutesTo).toEqual(hours(until));
  });
});
