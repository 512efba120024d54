import { beforeEach, expect, test } from 'vitest';
import type { Delivery } from '../../domain/alerting/delivery.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import { UNFILTERED, type Watch } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import {
  at,
  checkedTo,
  failureOf,
  openedEnvironment,
  reading,
  record,
  recordFailures,
  trackedEvent,
} from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const DAY = EPISODE_MS / 60_000;

describeStore('an outage of several days', (store) => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await store().watches.ensureWatch('C1', at(-1));
  });

  const announce = (minute: number) =>
    announceFailures('production', { store: store().alerting, logger: silent, now: () => at(minute) });

  const fail = (minute: number, cause = 'a') =>
    recordFailures(store(), at(minute), [
      failureOf(cause, { eventKey: `${cause} ${minute}`, occurredAt: at(minute), eventCreatedAt: at(minute) }),
    ]);

  const failFrom = async (from: number, to: number) => {
    for (let minute = from; minute < to; minute += 55) await fail(minute);
  };

  const recover = async (minute: number) => {
    for (const now of [minute, minute + 1]) {
      const step = { channel: 'email', provider: 'sendgrid', at: at(now) };
      const keys = Array.from({ length: 20 }, (_, n) => `delivered ${now} ${n}`);
      const trackedEvents = keys.map((eventKey) => trackedEvent({ eventKey, createdAt: at(now), delivered: [step] }));
      const successes = [
        { channel: 'email', provider: 'sendgrid', workflow: 'order-shipped', from: at(now), to: at(now) },
      ];
      await record(store(), await openedEnvironment(store()), reading({ trackedEvents, successes }), at(now));
      await checkedTo(store(), at(now));
    }
    await store().alerting.settleIncidents('production', at(minute + 1));
  };

  const post = async (minute: number) => {
    const now = at(minute);
    const posted: Delivery[] = [];
    for (let one = await store().deliveries.claimMessage(now); one; one = await store().deliveries.claimMessage(now)) {
      posted.push(await store().deliveries.content(one.id, now));
      await store().deliveries.notePosted(one.id, { ts: `ts of ${one.id}`, fingerprint: '', failures: 0 }, now);
    }
    return posted;
  };

  const mute = (from: number, until: number) =>
    store().incidents.mute(watch.id, null, { by: 'U1', until: at(until) }, at(from));

  /** The message about its first day is posted late in that day; the next day is held back by a mute. */
  const heldBackOnItsSecondDay = async () => {
    await mute(-1, 540);
    await failFrom(0, DAY - 20);
    await fail(DAY - 20);
    const [message = ''] = await announce(DAY - 20);
    await post(DAY - 20);
    await mute(DAY - 10, 2 * DAY);
    await failFrom(DAY + 1, DAY + 60);
    expect(await announce(DAY + 60)).toEqual([]);
    return message;
  };
  const rowNow = async (message: string, minute: number) => {
    const content = await store().deliveries.content(message, at(minute));
    return content.kind === 'digest' ? content.rows[0] : undefined;
  };
  const drawn = async (minute: number) => {
    const claimed = await store().deliveries.claimEdit(at(minute));
    if (claimed !== null) await store().deliveries.noteEdited(claimed, { fingerprint: 'new', failures: 0 });
    return claimed?.id;
  };
  const episodes = async () => {
    const { rows } = await store().executeSql('SELECT id FROM episodes ORDER BY id');
    return rows.map((row) => Number(Object(row).id));
  };

  test("shows its end in the row of an earlier day, and reports it in that message's thread", async () => {
    const message = await heldBackOnItsSecondDay();
    expect(await rowNow(message, DAY + 60)).toMatchObject({ state: { is: 'firing' } });
    while ((await drawn(DAY + 60)) !== undefined);
    await recover(DAY + 80);
    expect(await drawn(DAY + 82)).toBe(message);
    expect(await rowNow(message, DAY + 82)).toMatchObject({ state: { is: 'resolved', by: null } });
    expect(await post(DAY + 82)).toMatchObject([
      { kind: 'thread', threadTs: `ts of ${message}`, event: { what: 'resolved', by: null } },
    ]);
  });

  test('shows in the row of an earlier day who resolved it there', async () => {
    const message = await heldBackOnItsSecondDay();
    while ((await drawn(DAY + 60)) !== undefined);
    const [first = 0, last] = await episodes();
    await store().incidents.resolve({ messageId: message, episodeId: first }, 'U0ANN', at(DAY + 61));
    expect(await drawn(DAY + 62)).toBe(message);
    expect(await rowNow(message, DAY + 62)).toMatchObject({ episodeId: first, state: { is: 'resolved', by: 'U0ANN' } });
    expect(await post(DAY + 62)).toMatchObject([
      { kind: 'thread', threadTs: `ts of ${message}`, incidents: [{ now: { episodeId: last } }] },
    ]);
  });

  test('shows in the row of an earlier day who has acknowledged or has it', async () => {
    const message = await heldBackOnItsSecondDay();
    const last = (await episodes()).at(-1) ?? 0;
    await store().incidents.acknowledge({ messageId: null, episodeId: last }, 'U0ANN', at(DAY + 61));
    await store().incidents.assign({ messageId: null, episodeId: last }, { to: 'U1', by: 'U2', at: at(DAY + 61) });
    expect(await rowNow(message, DAY + 62)).toMatchObject({ acknowledged: { by: 'U0ANN' }, assigned: { to: 'U1' } });
  });

  test('reports its end once, under the message about its last day that has one', async () => {
    await failFrom(0, DAY);
    await announce(DAY);
    await post(DAY);
    await failFrom(DAY, DAY + 60);
    const [second = ''] = await announce(DAY + 60);
    await post(DAY + 60);
    expect(await rowNow(second, DAY + 61)).toMatchObject({ reason: 'goes-on', outageSince: at(0) });
    await recover(DAY + 80);
    expect(await post(DAY + 82)).toMatchObject([{ kind: 'thread', threadTs: `ts of ${second}` }]);
  });

  const MENTION = { kind: 'user-group', id: 'S1' } as const;
  const failedWhileMuted = async () => {
    const settings = { ...UNFILTERED, mention: MENTION };
    const { id } = await store().watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings }, at(-1));
    for (const muted of [watch.id, id])
      await store().incidents.mute(muted, null, { by: 'U1', until: at(3 * DAY) }, at(-1));
    for (let minute = 0; minute < 2 * DAY; minute += 55) {
      await fail(minute);
      if (minute % 550 === 0) await announce(minute);
    }
    expect(await episodes()).toHaveLength(2);
  };

  test('is one incident in the message after a mute, as it is now, with all that was withheld', async () => {
    await failedWhileMuted();
    const last = (await episodes()).at(-1);
    await recover(2 * DAY + 30);
    await announce(3 * DAY);
    const digests = await post(3 * DAY);
    expect(digests).toHaveLength(2);
    for (const digest of digests)
      expect(digest).toMatchObject({
        ...{ reasons: { missed: 1 }, mention: null },
        rows: [{ episodeId: last, missed: Math.ceil((2 * DAY) / 55), state: { is: 'resolved' } }],
      });
    expect(await announce(3 * DAY + 1)).toEqual([]);
  });

  test('mentions nobody for an earlier day once it is over, however long its message has waited', async () => {
    const settings = { ...UNFILTERED, mention: MENTION };
    await store().watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings }, at(-1));
    await fail(0);
    await announce(0);
    await failFrom(55, DAY + 60);
    expect(await episodes()).toHaveLength(2);
    await recover(DAY + 80);
    const digests = (await post(DAY + 90)).filter(({ kind }) => kind === 'digest');
    expect(digests).toMatchObject([
      { mention: null, rows: [{ state: { is: 'resolved' } }] },
      { mention: null, rows: [{ state: { is: 'resolved' } }] },
    ]);
  });

  test('leaves the row of an outage before it as it ended', async () => {
    await fail(0);
    const [message = ''] = await announce(0);
    await post(0);
    const [first = 0] = await episodes();
    await store().incidents.resolve({ messageId: message, episodeId: first }, 'U0ANN', at(5));
    await fail(DAY + 10);
    expect(await episodes()).toHaveLength(2);
    expect(await rowNow(message, DAY + 11)).toMatchObject({ state: { is: 'resolved', by: 'U0ANN' } });
  });
});
