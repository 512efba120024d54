import { beforeEach, describe, expect, test } from 'vitest';
import { EVERYTHING, UNFILTERED } from '../../domain/watches/watch.ts';
import { settingsKey } from '../../domain/watches/watch-settings.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import {
  at,
  checkedTo,
  failureOf,
  NOON,
  openedEnvironment,
  reading,
  record,
  recordFailures,
  stretch,
  trackedEvent,
} from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';
import { digestAt, digestNow, goOn, postedAt } from './deliveries.testing.ts';

describeStore("a message's content", (store) => {
  let watchId: string;
  beforeEach(async () => {
    watchId = (await store().watches.ensureWatch('C1', at(-1))).id;
  });

  const digest = (now: Date, ...causes: string[]) => digestAt(store(), now, ...causes);
  const row = async (digestId: string, now: Date = NOON) => (await digestNow(store(), digestId, now)).rows[0];
  const change = (text: string, values: unknown[] = []) => store().executeSql(text, values);

  describe('in a digest', () => {
    test("has its covered range and its incidents' current state", async () => {
      const id = await digest(NOON, 'a', 'b');
      await goOn(store(), at(1), 'a');
      const content = await digestNow(store(), id, at(1));
      expect(content).toMatchObject({
        channel: 'C1',
        environment: 'production',
        covered: { to: NOON },
        eventsChecked: 2,
        reasons: { new: 2 },
        moreIncidents: 0,
        heldBack: null,
        mention: null,
      });
      expect(content.rows.map(({ tally }) => [tally.group.cause.text, tally.failures])).toEqual([
        ['a', 2],
        ['b', 1],
      ]);
      expect(content.rows[0]).toMatchObject({
        reason: 'new',
        state: { is: 'firing' },
        parts: [{ share: { failed: 2, of: 2 } }],
      });
    });

    test("includes the share of events created while its incident failed, even before the digest's range", async () => {
      const minutes = Array.from({ length: 30 }, (_, minute) => minute);
      for (const minute of minutes) {
        const keys = Array.from({ length: 10 }, (_, n) => `event-${minute}-${n}`);
        const trackedEvents = keys.map((key) => trackedEvent({ eventKey: key, createdAt: at(minute) }));
        const eventKey = keys[0] ?? '';
        const failed = failureOf('a', { eventKey, occurredAt: at(minute), eventCreatedAt: at(minute) });
        await record(
          store(),
          await openedEnvironment(store()),
          reading({ trackedEvents, failures: [failed] }),
          at(minute),
        );
      }
      const id = await digest(at(29));
      await change('UPDATE messages SET covered_from = $1', [at(28)]);
      expect((await row(id, at(29)))?.parts[0]?.share).toMatchObject({ failed: 30, of: 300 });
    });

    test('has no share if the failed events are older than all that is known of the workflow', async () => {
      const failed = failureOf('late', { eventCreatedAt: at(-600), occurredAt: NOON });
      await record(store(), await openedEnvironment(store()), reading({ failures: [failed] }), NOON);
      const id =
        (await announceFailures('production', { store: store().alerting, logger: silent, now: () => NOON }))[0] ?? '';
      expect((await row(id))?.parts[0]?.share).toBeNull();
    });

    test('counts the incidents beyond its rows, and gives the reason for each announcement', async () => {
      const causes = Array.from({ length: 12 }, (_, n) => `cause ${n}`);
      const content = await digestNow(store(), await digest(NOON, ...causes));
      expect(content.rows).toHaveLength(10);
      expect(content).toMatchObject({ moreIncidents: 2, reasons: { new: 12 } });
    });

    test('counts how many of the incidents beyond its rows are over and resolved', async () => {
      const causes = Array.from({ length: 13 }, (_, n) => `cause ${n}`);
      const id = await digest(NOON, ...causes);
      const states = async () => (await digestNow(store(), id)).moreStates;
      const settle = (position: number, state: string) =>
        change(
          `UPDATE episodes SET state = $3 WHERE id IN (
             SELECT episode_id FROM announcements WHERE message_id = $1 AND position = $2)`,
          [id, position, state],
        );
      expect(await states()).toEqual({ over: 0, resolved: 0 });
      await settle(10, 'resolved');
      await settle(11, 'resolved');
      await settle(12, 'recovering');
      await settle(13, 'quiet');
      expect(await states()).toEqual({ over: 2, resolved: 1 });
    });

    test('names whom the watch mentions', async () => {
      await store().watches.endWatch(watchId, 'U1', at(-1));
      const mention = { kind: 'user-group', id: 'S1' } as const;
      await store().watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings: { ...UNFILTERED, mention } }, at(-1));
      expect(await digestNow(store(), await digest(NOON, 'a'))).toMatchObject({ channel: 'C2', mention });
    });

    test('says what held it back', async () => {
      const id = await digest(NOON, 'a');
      const heldBack = { why: 'quiet', from: at(-60), to: NOON };
      await change(`UPDATE messages SET held_back = '${JSON.stringify(heldBack)}'`);
      expect(await digestNow(store(), id)).toMatchObject({ heldBack });
    });

    test('names the unchecked and given-up parts of its range', async () => {
      const id = await digest(NOON, 'a');
      const givenUp = { from: at(-120), to: at(-50), tries: 9, nextTryAt: null };
      const parts = [
        { from: at(-45), to: at(-30), tries: 1, nextTryAt: NOON },
        { from: at(-180), to: at(-150), tries: 1, nextTryAt: NOON },
      ];
      await checkedTo(store(), NOON, stretch(at(-180), at(-30), { parts: [givenUp, ...parts] }));
      expect((await digestNow(store(), id)).unchecked).toEqual([
        { from: at(-60), to: at(-50) },
        { from: at(-45), to: at(-30) },
      ]);
    });

    test('names who acknowledged an incident, or removed the acknowledgment', async () => {
      const id = await digest(NOON, 'a');
      await change('UPDATE episodes SET unacknowledged_by = $1, unacknowledged_at = $2', ['U2', at(1)]);
      expect(await row(id)).toMatchObject({ acknowledged: null, unacknowledged: { by: 'U2', at: at(1) } });
      await change('UPDATE episodes SET acknowledged_by = $1, acknowledged_at = $2', ['U1', at(2)]);
      expect(await row(id)).toMatchObject({ acknowledged: { by: 'U1', at: at(2) }, unacknowledged: null });
    });

    test('has the state of an incident, and since when', async () => {
      const id = await digest(NOON, 'a');
      await change(`UPDATE episodes SET state = 'quiet'`);
      expect(await row(id)).toMatchObject({ state: { is: 'quiet', since: NOON } });
      await change(`UPDATE episodes SET state = 'recovering', succeeding_since = $1`, [at(5)]);
      expect(await row(id)).toMatchObject({ state: { is: 'recovering', since: NOON, sendingSince: at(5) } });
      await change(`UPDATE episodes SET state = 'resolved', state_at = $1`, [at(6)]);
      expect(await row(id)).toMatchObject({ state: { is: 'resolved', at: at(6), by: null } });
    });

    test('shows an incident as muted while its own watch mutes it', async () => {
      const other = await store().watches.ensureWatch('C1', NOON);
      const id = await digest(NOON, 'a');
      const groupKey = (await row(id))?.tally.group.key ?? '';
      await store().incidents.mute(other.id, groupKey, { by: 'U1', until: at(60) }, at(1));
      expect(await row(id, at(59))).toMatchObject({ mute: { by: 'U1', from: at(1), until: at(60) } });
      expect(await row(id, at(60))).toMatchObject({ mute: null });
    });

    test('says how many failures an incident has grown from, and what a mute kept back', async () => {
      const id = await digest(NOON, 'a');
      await change(`INSERT INTO messages (id, watch_id, environment, kind, created_at, covered_from, covered_to)
        SELECT 'later', watch_id, environment, kind, created_at, covered_from, covered_to
        FROM messages WHERE id = '${id}'`);
      await change(`UPDATE announcements SET announced_failures = 3`);
      await change(`INSERT INTO announcements (message_id, position, watch_id, episode_id, reason, announced_failures, announced_seq, announced_at, missed)
        SELECT 'later', 1, watch_id, episode_id, 'grown', 40, announced_seq, announced_at + interval '1 hour', 17 FROM announcements`);
      expect(await row('later')).toMatchObject({ reason: 'grown', grown: { from: 3, to: 40 }, missed: 17 });
      expect(await row(id)).toMatchObject({ reason: 'new', grown: null, missed: null });
    });

    test('knows the previous episode of an incident that is back', async () => {
      await postedAt(store(), NOON, 'a');
      await checkedTo(store(), at(119));
      const back = at(120);
      const failure = failureOf('a', { eventKey: 'later', occurredAt: back });
      await recordFailures(store(), back, [failure]);
      const [id = ''] = await announceFailures('production', {
        store: store().alerting,
        logger: silent,
        now: () => back,
      });
      expect(await row(id, back)).toMatchObject({ reason: 'back', before: { firstSeen: NOON, lastSeen: NOON } });
    });
  });

  describe("in a row's recent counts", () => {
    async function atOne(
      failed: readonly number[],
      delivered: readonly number[],
      verdict: 'failed' | 'warning' = 'failed',
    ): Promise<string> {
      const failures = failed.map((minute) =>
        failureOf('a', {
          verdict,
          ...{ eventKey: `failed ${minute}`, subscriberId: `user-${minute}` },
          ...{ occurredAt: at(minute), eventCreatedAt: at(minute) },
        }),
      );
      const trackedEvents = delivered.map((minute, index) => {
        const step = { channel: 'email', provider: 'sendgrid', at: at(minute) };
        return trackedEvent({ eventKey: `delivered ${index}`, createdAt: at(minute), delivered: [step] });
      });
      const page = reading({ failures, trackedEvents });
      await record(store(), await openedEnvironment(store()), page, at(60));
      await checkedTo(store(), at(60));
      const [id = ''] = await announceFailures('production', {
        store: store().alerting,
        logger: silent,
        now: () => at(60),
      });
      return id;
    }

    test("counts the failures among five minutes' attempts, each event once however often it is read", async () => {
      const id = await atOne([10, 55, 56, 57.5], [10, 56, 58, 60]);
      expect((await row(id, at(60)))?.lately).toMatchObject({
        window: { from: at(56), to: at(60) },
        failures: 2,
        attempts: 5,
        lastSuccessAt: at(60),
      });
    });

    test('counts warnings without attempts, which are steps that failed or were delivered', async () => {
      const settings = { ...UNFILTERED, filter: { ...EVERYTHING, verdicts: ['warning' as const] } };
      await store().watches.changeWatch(watchId, { settings, was: settingsKey(UNFILTERED), by: 'U1' }, at(-1));
      const id = await atOne([55, 56, 57], [58, 59], 'warning');
      expect((await row(id, at(60)))?.lately).toMatchObject({ failures: 2, attempts: null, lastSuccessAt: at(59) });
    });

    test('counts the failures of the last hour per five minutes', async () => {
      const id = await atOne([1, 2, 31, 58, 59], []);
      expect((await row(id, at(60)))?.lately.trend).toEqual([2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2]);
    });

    test('counts only the failures that its watch covers', async () => {
      const settings = { ...UNFILTERED, filter: { ...EVERYTHING, subscribers: ['user-31', 'user-58'] } };
      await store().watches.changeWatch(watchId, { settings, was: settingsKey(UNFILTERED), by: 'U1' }, at(-1));
      const id = await atOne([1, 2, 31, 58, 59], []);
      expect((await row(id, at(60)))?.lately).toMatchObject({
        failures: 1,
        attempts: null,
        trend: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      });
    });
  });

  test("in a gap notice is the gap's current state", async () => {
    await record(store(), await openedEnvironment(store()), reading({ trackedEvents: [trackedEvent()] }), NOON);
    await change(
      `INSERT INTO gaps (id, environment, begins_at, ends_at, cause, opened_at, events, failures, unchecked)
      VALUES ('g', 'production', '2026-05-04T11:00Z', '2026-05-04T11:30Z', 'key-refused', '2026-05-04T11:30Z', 7, 2, $1::jsonb)`,
      [JSON.stringify([{ from: at(-60), to: at(-30), tries: 0, nextTryAt: NOON }])],
    );
    await change(
      `INSERT INTO messages (id, watch_id, environment, kind, created_at, covered_from, covered_to, gap_id)
      VALUES ('m', $1, 'production', 'gap', $2, $2, $2, 'g')`,
      [watchId, NOON],
    );
    expect(await store().deliveries.content('m', NOON)).toMatchObject({
      kind: 'gap',
      id: 'm',
      channel: 'C1',
      gap: {
        id: 'g',
        cause: 'key-refused',
        from: at(-60),
        to: at(-30),
        unchecked: [{}],
        givenUp: [],
        events: 7,
        failures: 2,
      },
      mention: null,
    });
  });
});
