import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { groupOf } from '../../domain/failures/failure.ts';
import { postedAt } from '../deliveries/deliveries.testing.ts';
import { at, failureOf, NOON, recordFailures } from '../examples.testing.ts';
import { describeStore, newDatabase, silent } from '../store.testing.ts';
import { openStore } from '../store.ts';

const GROUP = groupOf('production', failureOf('a')).key;

describeStore('a mute', (store) => {
  let watchId: string;
  beforeEach(async () => {
    watchId = (await store().watches.ensureWatch('C1', NOON)).id;
    await recordFailures(store(), at(1), [failureOf('a')]);
  });
  const mute = (groupKey: string | null, until: Date, now: Date, by = 'UANN') =>
    store().incidents.mute(watchId, groupKey, { by, until }, now);
  const running = (now: Date) => store().incidents.mutesOf(watchId, now);

  test('is active from its creation to its end', async () => {
    const made = { groupKey: GROUP, by: 'UANN', from: at(2), until: at(60) };
    expect(await mute(GROUP, at(60), at(2))).toEqual({ ...made, isRepeat: false });
    expect(await running(at(59))).toEqual([made]);
    expect(await running(at(60))).toEqual([]);
  });

  test('covers an incident or the whole watch, independently', async () => {
    await mute(GROUP, at(60), at(2));
    await mute(null, at(30), at(3));
    expect((await running(at(4))).map(({ groupKey }) => groupKey)).toEqual([null, GROUP]);
  });

  test('is extended to a new end, keeping its start, under the name of the last person who muted', async () => {
    await mute(GROUP, at(60), at(2));
    await mute(GROUP, at(20), at(3), 'UBEN');
    expect(await running(at(4))).toEqual([{ groupKey: GROUP, by: 'UBEN', from: at(2), until: at(20) }]);
  });

  test('is left as it is if the same person repeats it, as by a double click', async () => {
    const until = at(60);
    const later = new Date(until.getTime() + 59_000);
    for (const groupKey of [GROUP, null]) {
      expect(await mute(groupKey, until, at(2))).toMatchObject({ until, isRepeat: false });
      expect(await mute(groupKey, later, at(3))).toMatchObject({ from: at(2), until, isRepeat: true });
      expect(await mute(groupKey, until, at(3), 'UBEN')).toMatchObject({ by: 'UBEN', until, isRepeat: false });
      expect(await mute(groupKey, at(61), at(3), 'UBEN')).toMatchObject({ until: at(61), isRepeat: false });
    }
  });

  test('exists once when two people create it at once', async () => {
    await Promise.all([mute(GROUP, at(60), at(2)), mute(GROUP, at(60), at(2), 'UBEN')]);
    expect(await running(at(3))).toHaveLength(1);
  });

  test('is ended by one person, once', async () => {
    await mute(GROUP, at(60), at(2));
    expect(await store().incidents.unmute(watchId, GROUP, 'UBEN', at(3))).toBe(true);
    expect(await store().incidents.unmute(watchId, GROUP, 'UBEN', at(3))).toBe(false);
    expect(await running(at(3))).toEqual([]);
  });

  test("redraws its incident's messages when it is created, ended and when it expires", async () => {
    await postedAt(store(), at(2), 'b');
    await store().executeSql("UPDATE episodes SET state = 'quiet'");
    const group = groupOf('production', failureOf('b')).key;
    const drawn = async (now: Date) => {
      const claimed = await store().deliveries.claimEdit(now);
      if (claimed !== null) await store().deliveries.noteEdited(claimed, { fingerprint: 'drawn', failures: 1 });
      return claimed !== null;
    };
    await mute(group, at(60), at(3));
    expect([await drawn(at(3)), await drawn(at(4))]).toEqual([true, false]);
    await store().incidents.unmute(watchId, group, 'UANN', at(5));
    expect([await drawn(at(5)), await drawn(at(6))]).toEqual([true, false]);
    await mute(group, at(60), at(7));
    expect(await drawn(at(7))).toBe(true);
    await store().alerting.redrawAfterMutes(at(59));
    expect(await drawn(at(59))).toBe(false);
    await store().alerting.redrawAfterMutes(at(60));
    expect(await drawn(at(60))).toBe(true);
    await store().alerting.redrawAfterMutes(at(61));
    expect(await drawn(at(61))).toBe(false);
  });

  test("can't be created in a removed watch", async () => {
    await store().watches.endWatch(watchId, 'UANN', at(2));
    expect(await mute(null, at(60), at(3))).toBeNull();
  });
});

test('is created while somebody else redraws its message and replies in its thread', async () => {
  const url = await newDatabase();
  const store = await openStore({ database: { kind: 'server', url }, logger: silent });
  const { id } = await store.watches.ensureWatch('C1', NOON);
  await postedAt(store, at(2), 'a');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN; UPDATE messages SET redraw_at = now()');
  const muted = store.incidents.mute(id, GROUP, { by: 'UANN', until: at(60) }, at(3));
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await store.executeSql(waiting)).rows).toHaveLength(1);
  await other.query(`INSERT INTO messages (watch_id, kind, created_at, covered_from, covered_to)
    SELECT id, 'thread', now(), now(), now() FROM watches`);
  await other.query('COMMIT');
  expect(await muted).not.toBeNull();
  await Promise.all([other.end(), store.close()]);
});
