import { beforeEach, expect, it } from 'vitest';
import { groupOf } from '../domain/failure.ts';
import { at, failureOf, NOON, recordFailures } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

const GROUP = groupOf('production', failureOf('a')).key;

describeStore('a mute', (store) => {
  let watchId: string;
  beforeEach(async () => {
    watchId = (await store().ensureWatch('C1', NOON)).id;
    await recordFailures(store(), at(1), [failureOf('a')]);
  });
  const mute = (groupKey: string | null, until: Date, now: Date, by = 'UANN') =>
    store().mute(watchId, groupKey, { by, until }, now);
  const running = (now: Date) => store().mutesOf(watchId, now);

  it('runs from when it was made to its end', async () => {
    const made = await mute(GROUP, at(60), at(2));
    expect(made).toEqual({ groupKey: GROUP, by: 'UANN', from: at(2), until: at(60) });
    expect(await running(at(59))).toEqual([made]);
    expect(await running(at(60))).toEqual([]);
  });

  it('is of a group or of the whole watch, each by itself', async () => {
    await mute(GROUP, at(60), at(2));
    await mute(null, at(30), at(3));
    expect((await running(at(4))).map(({ groupKey }) => groupKey)).toEqual([null, GROUP]);
  });

  it('goes on up to a new end, from its own beginning, as of who muted last', async () => {
    await mute(GROUP, at(60), at(2));
    await mute(GROUP, at(20), at(3), 'UBEN');
    expect(await running(at(4))).toEqual([{ groupKey: GROUP, by: 'UBEN', from: at(2), until: at(20) }]);
  });

  it('stands once, when two people make it at once', async () => {
    await Promise.all([mute(GROUP, at(60), at(2)), mute(GROUP, at(60), at(2), 'UBEN')]);
    expect(await running(at(3))).toHaveLength(1);
  });

  it('is ended by somebody, once', async () => {
    await mute(GROUP, at(60), at(2));
    expect(await store().unmute(watchId, GROUP, 'UBEN', at(3))).toBe(true);
    expect(await store().unmute(watchId, GROUP, 'UBEN', at(3))).toBe(false);
    expect(await running(at(3))).toEqual([]);
  });

  it('is not made in a watch that has ended', async () => {
    await store().endWatch(watchId, 'UANN', at(2));
    expect(await mute(null, at(60), at(3))).toBeNull();
  });
});
