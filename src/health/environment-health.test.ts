import { expect, test } from 'vitest';
import { noteTrouble } from '../polling/poll.ts';
import {
  at,
  checkedTo,
  finishPresent,
  NOON,
  openedEnvironment,
  reading,
  record,
  stretch,
  trackedEvent,
} from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { environmentHealth } from './environment-health.ts';
import { aHealth } from './health.testing.ts';

describeStore('the health of an environment', (store) => {
  test('says until when an environment was read', async () => {
    const cursor = await openedEnvironment(store());
    const present = { to: NOON, gaps: [], clockAheadMs: null };
    await finishPresent(store(), cursor, present, NOON);
    expect(await environmentHealth(store().db, at(1))).toEqual([aHealth({ checkedTo: NOON, lastSuccessAt: NOON })]);
  });

  test('says since when and why an environment fails, until it can be read again', async () => {
    const refused = { kind: 'key-refused', status: 403, message: 'Not on the allow list' } as const;
    for (const minute of [1, 2])
      await noteTrouble(store().db, await openedEnvironment(store()), { problem: refused, pollMs: 60_000 }, at(minute));
    expect(await environmentHealth(store().db, at(2))).toMatchObject([
      { failingSince: at(1), problem: refused, lastSuccessAt: null, outageId: 1 },
    ]);
    await checkedTo(store(), at(3));
    expect(await environmentHealth(store().db, at(3))).toMatchObject([
      { failingSince: null, problem: null, lastSuccessAt: at(3), outageId: null },
    ]);
  });

  test('is an outage after a minute and two failed polls, however short the polls are', async () => {
    const problem = { kind: 'gateway', status: 503 } as const;
    for (const [seconds, outageId] of [
      [0, null],
      [2, null],
      [50, null],
      [60, 1],
    ] as const) {
      const now = at(1 + seconds / 60);
      await noteTrouble(store().db, await openedEnvironment(store()), { problem, pollMs: 2_000 }, now);
      expect(await environmentHealth(store().db, now)).toMatchObject([{ outageId }]);
    }
  });

  test('says how much was missed in the last day, and how much is still to be checked', async () => {
    const givenUp = [{ from: at(0), to: at(5), tries: 9, nextTryAt: null }];
    await checkedTo(store(), at(60), stretch(at(10), at(30)), stretch(at(0), at(5), { windows: givenUp }));
    expect(await environmentHealth(store().db, at(60))).toMatchObject([
      { uncheckedMs: 20 * 60_000, givenUpMs: 5 * 60_000 },
    ]);
    expect(await environmentHealth(store().db, at(24 * 60 + 3))).toMatchObject([{ givenUpMs: 2 * 60_000 }]);
    expect(await environmentHealth(store().db, at(24 * 60 + 5))).toMatchObject([{ givenUpMs: 0 }]);
  });

  test('counts the unreadable events of the last quarter of an hour if none of that time was readable', async () => {
    const cursor = await openedEnvironment(store());
    const unreadable = [at(0), at(10), at(11)].map((createdAt, n) => ({ key: `odd-${n}`, createdAt }));
    await record(store(), cursor, reading({ unreadable }), at(11));
    expect(await environmentHealth(store().db, at(12))).toMatchObject([{ unreadableAlone: 3 }]);
    expect(await environmentHealth(store().db, at(20))).toMatchObject([{ unreadableAlone: 2 }]);
    await record(store(), cursor, reading({ trackedEvents: [trackedEvent({ createdAt: at(19) })] }), at(20));
    expect(await environmentHealth(store().db, at(20))).toMatchObject([{ unreadableAlone: 0, unreadable: 3 }]);
  });

  test('counts the unreadable events of the last day', async () => {
    const cursor = await openedEnvironment(store());
    const unreadable = [at(0), at(0), at(30)].map((createdAt, n) => ({ key: `odd-${n}`, createdAt }));
    await record(store(), cursor, reading({ unreadable }), at(31));
    expect(await environmentHealth(store().db, at(31))).toMatchObject([{ unreadable: 3 }]);
    expect(await environmentHealth(store().db, at(24 * 60 + 10))).toMatchObject([{ unreadable: 1 }]);
  });
});
