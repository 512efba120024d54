import { addMilliseconds } from 'date-fns';
import { expect, test, vi } from 'vitest';
import { silent } from '../lib/logger.testing.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { NOON } from '../service/event.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { createStrangers } from './strangers.ts';

describeStore("other programs on the Slack app's tokens", (store) => {
  let minute = 0;
  function aReplica(replicaId: string) {
    const now = () => addMilliseconds(NOON, minute * MINUTE_MS);
    const recount = vi.fn();
    const strangers = createStrangers({ ...store(), logger: silent, now, replicaId, socketsEach: 2, recount });
    /** Has Slack count `connections` at a minute, and returns what is in trouble then. */
    const hears = async (atMinute: number, connections: number) => {
      minute = atMinute;
      await strangers.noteHello(connections);
      return strangers.trouble()?.what ?? null;
    };
    return { ...strangers, recount, hears };
  }

  test('are named once they have stayed for some minutes, in which Slack is asked again, until they are gone', async () => {
    const { hears, run, recount } = aReplica('one');
    expect(await hears(0, 2)).toBeNull();
    await run();
    expect(recount).not.toHaveBeenCalled();
    expect(await hears(10, 3)).toBeNull();
    expect(await hears(12, 4)).toBeNull();
    await run();
    expect(recount).toHaveBeenCalledOnce();
    expect(await hears(14, 4)).toMatch(/^Slack counts 4 connections of this app, and Notif has 2: another Notif/);
    expect(await hears(16, 2)).toBeNull();
    expect(await hears(17, 3)).toBeNull();
  });

  test("aren't the replicas of this store, for as long as these announce themselves", async () => {
    const first = aReplica('one');
    const second = aReplica('two');
    expect([await first.hears(20, 2), await second.hears(20, 4), await first.hears(24, 4)]).toEqual([null, null, null]);
    // The second's announcement has ended, and the two connections beyond the first's have lasted.
    expect([await first.hears(26, 4), await first.hears(30, 4)]).toEqual([
      null,
      expect.stringContaining('Notif has 2'),
    ]);
  });
});
