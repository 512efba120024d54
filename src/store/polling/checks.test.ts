import { expect, test } from 'vitest';
import { at, NOON, takeCursor } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const PRESENT = { to: NOON, setAside: [], clockAheadMs: null, newestEventAt: null };

describeStore('the state of polls', (store) => {
  const state = () => store().polling.pollState('production');

  test('is unknown before the first poll', async () => {
    expect(await state()).toBeNull();
  });

  test('counts a poll as concluded when it has finished', async () => {
    const cursor = await takeCursor(store());
    expect(await state()).toMatchObject({ version: cursor.version, concluded: 0, underWayMs: expect.any(Number) });
    await store().polling.finishPresent(cursor, PRESENT, NOON);
    expect(await state()).toMatchObject({
      concluded: cursor.version,
      underWayMs: null,
      isFailing: false,
      problem: null,
    });
  });

  test('counts a poll as concluded when it has failed, with the reason', async () => {
    const cursor = await takeCursor(store());
    const problem = { kind: 'key-refused', status: 401 } as const;
    await store().polling.noteTrouble(cursor, problem, NOON);
    expect(await state()).toMatchObject({ concluded: cursor.version, isFailing: true, problem });
  });

  test('leaves a poll unconcluded when another has taken its cursor', async () => {
    const older = await takeCursor(store());
    await takeCursor(store());
    await expect(store().polling.finishPresent(older, PRESENT, at(1))).rejects.toThrow();
    expect(await state()).toMatchObject({ version: older.version + 1, concluded: 0 });
  });
});
