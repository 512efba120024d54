import { expect, it } from 'vitest';
import { FencedOffError } from '../domain/errors.ts';
import { at, failure, NOON, reading, takeCursor } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

const MINUTE = 60_000;
const first = [2, 10].map((minutes) => ({ ageMs: minutes * MINUTE, sweptTo: NOON }));

describeStore('sweeps for late failures', (store) => {
  it('begin once, and go on from where they got to', async () => {
    const cursor = await takeCursor(store());
    expect(await store().sweeps(cursor, first)).toEqual(first);
    await store().noteSwept(cursor, { ageMs: 2 * MINUTE, sweptTo: at(5) });
    await store().noteSwept(cursor, { ageMs: 2 * MINUTE, sweptTo: at(3) });
    const later = first.map(({ ageMs }) => ({ ageMs, sweptTo: at(9) }));
    const swept = await store().sweeps(cursor, later);
    expect(swept.map(({ sweptTo }) => sweptTo).sort((a, b) => a.getTime() - b.getTime())).toEqual([NOON, at(5)]);
  });

  it('begin anew at an age of their own where the horizon was changed', async () => {
    const cursor = await takeCursor(store());
    await store().sweeps(cursor, first);
    const other = [{ ageMs: 30 * MINUTE, sweptTo: at(7) }];
    expect(await store().sweeps(cursor, other)).toEqual(other);
  });

  it('know which failures are new', async () => {
    const cursor = await takeCursor(store());
    await store().record(cursor, reading({ failures: [failure()] }), NOON);
    const late = failure({ detailId: 'detail-2' });
    expect(await store().unknownFailures('production', [failure(), late])).toEqual([late]);
    expect(await store().unknownFailures('staging', [failure()])).toEqual([failure()]);
  });

  it('say how late they are', async () => {
    await store().noteBehind(await takeCursor(store()), 90_000);
    expect(await store().health(NOON)).toMatchObject([{ behindMs: 90_000 }]);
  });

  it('are noted by nobody who was overtaken', async () => {
    const overtaken = await takeCursor(store());
    await takeCursor(store());
    await expect(store().sweeps(overtaken, first)).rejects.toThrow(FencedOffError);
    await expect(store().noteSwept(overtaken, { ageMs: 2 * MINUTE, sweptTo: NOON })).rejects.toThrow(FencedOffError);
  });
});
