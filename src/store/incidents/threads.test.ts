import { beforeEach, describe, expect, test } from 'vitest';
import type { ThreadContent } from '../../domain/alerting/delivery.ts';
import { type Failure, groupOf } from '../../domain/failures/failure.ts';
import { UNFILTERED, type Watch } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, checkedTo, failureOf, openedEnvironment, reading, record, trackedEvent } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

describeStore("a message's thread", (store) => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await store().watches.ensureWatch('C1', at(-1));
  });

  const failed = (minute: number, cause = 'a', changes: Partial<Failure> = {}) => {
    const eventKey = `${minute} ${cause} ${JSON.stringify(changes)}`;
    return failureOf(cause, { eventKey, occurredAt: at(minute), eventCreatedAt: at(minute), ...changes });
  };

  const poll = async (minute: number, failures: readonly Failure[] = [], delivered = 0) => {
    const now = at(minute);
    const step = { channel: 'email', provider: 'sendgrid', at: now };
    const keys = Array.from({ length: delivered }, (_, n) => `delivered ${minute} ${n}`);
    const trackedEvents = keys.map((eventKey) => trackedEvent({ eventKey, createdAt: now, delivered: [step] }));
    const { at: _, ...place } = step;
    const successes = delivered === 0 ? [] : [{ ...place, workflow: 'order-shipped', from: now, to: now }];
    await record(store(), await openedEnvironment(store()), reading({ failures, trackedEvents, successes }), now);
    await checkedTo(store(), now);
    const [id = ''] = await announceFailures('production', { store: store().alerting, logger: silent, now: () => now });
    return id;
  };

  const post = async (minute: number) => {
    const now = at(minute);
    const threads: (ThreadContent & { readonly of: string | null })[] = [];
    for (let one = await store().deliveries.claimMessage(now); one; one = await store().deliveries.claimMessage(now)) {
      const content = await store().deliveries.content(one.id, now);
      if (content.kind === 'thread') threads.push({ ...content, of: one.threadTs });
      await store().deliveries.notePosted(one.id, { ts: `ts of ${one.id}`, fingerprint: '', failures: 0 }, now);
    }
    return threads;
  };

  const episodes = async () => {
    const { rows } = await store().executeSql('SELECT id FROM episodes ORDER BY id');
    return rows.map((row) => Number(Object(row).id));
  };

  const subject = async (messageId: string) => ({ messageId, episodeId: (await episodes())[0] ?? 0 });

  test('says once that an incident recovered, with its final counts, whatever fails afterwards', async () => {
    const digest = await poll(0, [failed(0), failed(0, 'a', { jobId: 'two' })]);
    expect(await post(0)).toEqual([]);
    await poll(2, [failed(2)]);
    await poll(14, [], 20);
    await poll(17, [], 1);
    await poll(18, [failed(18)]);
    const [resolved, relapsed, ...others] = await post(19);
    expect(resolved).toMatchObject({
      of: `ts of ${digest}`,
      threadTs: `ts of ${digest}`,
      event: { what: 'resolved', by: null, at: at(17) },
      incidents: [{ total: { failures: 3, subscribers: 3, firstSeen: at(0), lastSeen: at(2) } }],
    });
    expect(relapsed).toMatchObject({ of: `ts of ${digest}`, event: { what: 'relapsed', at: at(18) } });
    expect(others).toEqual([]);
    await poll(20, [failed(20)]);
    expect(await post(20)).toEqual([]);
  });

  test('has what people did, under the message that first announced the incident', async () => {
    const digest = await poll(0, [failed(0)]);
    await post(0);
    const on = await subject(digest);
    await store().incidents.acknowledge(on, 'UANN', at(1));
    await store().incidents.acknowledge(on, 'UBEN', at(1));
    await store().incidents.unacknowledge(on, { of: 'UANN', by: 'UBEN' }, at(2));
    const key = groupOf('production', failed(0)).key;
    await store().incidents.mute(watch.id, key, { by: 'UANN', until: at(60) }, at(3));
    await store().incidents.unmute(watch.id, key, 'UBEN', at(4));
    await store().incidents.resolve(on, 'UANN', at(5));
    const said = await post(6);
    expect(new Set(said.map(({ of }) => of))).toEqual(new Set([`ts of ${digest}`]));
    expect(said.map(({ event }) => event)).toEqual([
      { what: 'acknowledged', by: 'UANN', at: at(1) },
      { what: 'unacknowledged', by: 'UBEN', at: at(2) },
      { what: 'muted', by: 'UANN', at: at(3), until: at(60) },
      { what: 'unmuted', by: 'UBEN', at: at(4) },
      { what: 'resolved', by: 'UANN', at: at(5) },
    ]);
  });

  test('stays under the message that first announced the incident', async () => {
    const digest = await poll(0, [failed(0)]);
    await post(0);
    const grown = await poll(
      40,
      Array.from({ length: 20 }, (_, n) => failed(40, 'a', { jobId: `job ${n}` })),
    );
    await post(40);
    expect(grown).not.toBe('');
    await store().incidents.acknowledge(await subject(digest), 'UANN', at(41));
    expect((await post(41)).map(({ of }) => of)).toEqual([`ts of ${digest}`]);
  });

  test('reports in one message if several of its incidents end at once', async () => {
    await poll(0, [failed(0), failed(0, 'b')]);
    await post(0);
    await poll(14, [], 50);
    await poll(17, [], 1);
    const said = await post(17);
    expect(said.map(({ incidents }) => incidents.length)).toEqual([2]);
  });

  describe('gets no reply', () => {
    test('in a watch that wants no threads', async () => {
      const settings = { ...UNFILTERED, hasThread: false };
      await store().watches.makeWatch({ channel: 'C2', createdBy: 'UANN', settings }, at(-1));
      const digest = await poll(0, [failed(0)]);
      await post(0);
      await store().incidents.acknowledge(await subject(digest), 'UANN', at(1));
      expect((await post(1)).map(({ channel }) => channel)).toEqual(['C1']);
    });

    test('in a watch that was removed', async () => {
      const made = { channel: 'C2', createdBy: 'UANN', settings: UNFILTERED };
      const { id } = await store().watches.makeWatch(made, at(-1));
      const digest = await poll(0, [failed(0)]);
      await post(0);
      await store().watches.endWatch(id, 'UANN', at(1));
      await store().incidents.acknowledge(await subject(digest), 'UANN', at(1));
      const { rows } = await store().executeSql("SELECT watch_id FROM messages WHERE kind = 'thread'");
      expect(rows).toEqual([{ watch_id: watch.id }]);
    });

    test("while its message isn't posted, since its row says the same", async () => {
      const digest = await poll(0, [failed(0)]);
      await store().incidents.acknowledge(await subject(digest), 'UANN', at(1));
      expect(await post(1)).toEqual([]);
    });

    test('once its message is deleted, and blocks nothing', async () => {
      const digest = await poll(0, [failed(0)]);
      await post(0);
      await store().incidents.acknowledge(await subject(digest), 'UANN', at(1));
      const edit = await store().deliveries.claimEdit(at(1));
      if (edit === null) throw new Error('nothing is to be edited');
      await store().deliveries.noteDeleted(edit);
      expect(await post(2)).toEqual([]);
      expect(await store().operation.backlog()).toMatchObject({ waiting: 0 });
      expect(await store().deliveries.nextDeliveryAt(at(2))).toBeNull();
    });
  });

  test('comes after new messages', async () => {
    const digest = await poll(0, [failed(0)]);
    await post(0);
    await store().incidents.acknowledge(await subject(digest), 'UANN', at(1));
    await poll(2, [failed(2, 'b')]);
    expect((await store().deliveries.claimMessage(at(2)))?.kind).toBe('digest');
    expect((await store().deliveries.claimMessage(at(2)))?.kind).toBe('thread');
  });

  test('is given up if it accepts no reply', async () => {
    const digest = await poll(0, [failed(0)]);
    await post(0);
    await store().incidents.acknowledge(await subject(digest), 'UANN', at(1));
    const reply = await store().deliveries.claimMessage(at(1));
    if (reply === null) throw new Error('nothing is to be posted');
    await store().deliveries.noteGivenUp(reply, 'thread_not_found');
    expect(await post(2)).toEqual([]);
  });
});
