import { beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { explainCause } from '../causes/explain-cause.ts';
import type { Failure } from '../failures/failure.ts';
import { act } from '../incidents/actions.ts';
import { recordFailures } from '../incidents/record.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { silent } from '../lib/logger.testing.ts';
import type { Db } from '../store/db.ts';
import {
  at,
  checkedTo,
  failure,
  finishPresent,
  reading,
  record,
  reportDeploy,
  stretch,
  trackedEvent,
} from '../store/examples.testing.ts';
import { changes, gaps } from '../store/schema.ts';
import { dbWith, describeStore } from '../store/store.testing.ts';
import { mute, mutesUntil } from '../watches/mutes.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { madeWatch, watchCtx } from '../watches/watches.testing.ts';
import { endWatch } from '../watches/watches.ts';
import { announce } from './announce.ts';
import { createSummariser } from './summary.ts';
import { AWAY, aNight, drawn, type Night, toldIn } from './told.testing.ts';

describeStore('Digests', (store) => {
  let night: Night;

  beforeEach(async () => {
    night = await aNight(store());
  });

  /** The catalogue calls it ours. */
  const refused = (place: number, changes: Partial<Failure> = {}) =>
    failure({ eventKey: `event-${place}`, occurredAt: night.now(), eventCreatedAt: night.now(), ...changes });
  const many = (count: number, changes: Partial<Failure> = {}, from = 0) =>
    Array.from({ length: count }, (_, index) => refused(from + index, changes));
  /** The catalogue calls it the recipient's. */
  const gone = (place: number) =>
    refused(place, { cause: { text: '550 5.1.1 mailbox does not exist', key: 'mailbox does not exist' } });
  const acts = () => ({ db: store().db, logger: silent, now: night.now, wakeDelivery: async () => {} });
  const told = () => night.digests().map(toldIn);

  test('an incident is posted once and edited as it goes on', async () => {
    await night.watch();
    await night.poll(...many(3));
    expect(told()).toEqual([['new #1 3']]);
    night.minutes = 40;
    await night.poll(...many(2, {}, 3));
    expect(told()).toEqual([['new #1 3']]);
    expect((await drawn(night, 0)).rows[0]?.incident.failures).toBe(5);
    expect(night.channel.edited).toHaveLength(1);
  });

  test('counts are edited at most once a minute', async () => {
    await night.watch();
    await night.poll(refused(0));
    for (const second of [10, 20, 30, 40, 50]) {
      night.minutes = second / 60;
      await night.poll(refused(second));
    }
    expect(night.channel.edited).toEqual([]);
    night.minutes = 61 / 60;
    await night.poll(refused(61));
    expect(night.channel.edited).toHaveLength(1);
  });

  test('what was recorded before a watch is no news to it', async () => {
    await night.poll(refused(0));
    night.minutes = 1;
    await night.watch();
    await night.wait(1);
    expect(told()).toEqual([]);
  });

  test('what a filtered watch covers only from before it is no news either', async () => {
    await night.poll(refused(0, { contexts: ['tenant:acme'] }));
    night.minutes = 1;
    await night.watch({ filter: { ...EVERYTHING, contexts: ['tenant:acme'] } });
    night.minutes = 2;
    await night.poll(refused(1, { contexts: ['tenant:globex'] }));
    expect(told()).toEqual([]);
  });

  test('an incident that began and ended while nobody polled is told, as over, without a mention', async () => {
    await night.watch({ mention: { kind: 'person', id: 'U0ANN' } });
    await night.poll();
    night.minutes = 60;
    await night.succeed(50);
    await night.poll(refused(0, { occurredAt: at(20), eventCreatedAt: at(20) }));
    const rows = [{ reason: 'new', incident: { state: { is: 'recovering' } } }];
    expect(night.digests()).toMatchObject([{ mention: null, rows }]);
  });

  test.for([EVERYTHING, { ...EVERYTHING, workflows: ['order-shipped'] }])(
    'what a message shows when it is posted was told by it (%#)',
    async (filter) => {
      const { id } = await night.watch({ filter });
      await mute(watchCtx(store().db, at(-2)), id, null, { by: 'U0ANN', until: at(0) });
      await night.poll(refused(-1, { provider: 'mailgun' }), refused(-2, { provider: 'ses' }));
      await mute(watchCtx(store().db, at(0)), id, 1, { by: 'U0ANN', until: at(60) });
      night.channel.answerPosts = () => AWAY;
      await night.poll(refused(0));
      night.channel.answerPosts = () => null;
      night.minutes = 1;
      const failures = [...many(12, {}, 1), refused(-3, { provider: 'ses' })];
      await record(store(), 'production', reading({ failures }), night.now());
      await night.deliver();
      night.minutes = 2;
      await night.poll(refused(13));
      expect(told()).toEqual([['new #1 1', 'new #2 1'], ['new #3 13']]);
      night.minutes = 3;
      await night.poll(...many(120, {}, 14));
      expect(told()).toEqual([['new #1 1', 'new #2 1'], ['new #3 13'], ['grown #3 134']]);
    },
  );

  test('what is recorded while a message is written is told by the next one', async () => {
    await night.watch();
    await record(store(), 'production', reading({ failures: [refused(0)] }), night.now());
    await announce({ db: recordingMeanwhile(many(9, {}, 1)), logger: silent, now: night.now }, 'production');
    await night.wait(1);
    expect(told()).toEqual([['new #1 10']]);
    expect(await store().db.rows(z.unknown(), 'SELECT matched::integer AS matched FROM alerts')).toEqual([
      { matched: 10 },
    ]);
  });

  /** A database in which another replica records failures just before what a watch was told of is written. */
  function recordingMeanwhile(failures: readonly Failure[]): Db {
    const recording = { now: night.now(), clockAheadMs: null, explainCause };
    const { db } = store();
    return dbWith(db, {
      transaction: (work) =>
        db.transaction((sql) =>
          work(
            dbWith(sql, {
              write: async (text, values) => {
                if (text.includes('INTO alerts')) await recordFailures(sql, 'production', failures, recording);
                return sql.write(text, values);
              },
            }),
          ),
        ),
    });
  }

  test('a newer message freezes the older row', async () => {
    await night.watch();
    await night.poll(refused(0));
    night.minutes = 1;
    await night.poll(...many(9, {}, 1));
    expect((await drawn(night, 0)).rows[0]?.isContinued).toBe(true);
    expect((await drawn(night, 1)).rows[0]).toMatchObject({ isContinued: false, olderTs: '1.0' });
    const edits = night.channel.edited.length;
    night.minutes = 3;
    await night.poll(...many(5, {}, 20));
    expect(night.channel.edited.slice(edits).map(({ ts }) => ts)).toEqual(['2.0']);
  });

  test.for([EVERYTHING, { ...EVERYTHING, workflows: ['order-shipped'] }])(
    'what recovered and fails again is a relapse, told once, without the acknowledgment and with the assignment (%#)',
    async (filter) => {
      await night.watch({ filter });
      await night.poll(...many(2));
      const target = { incidentId: 1, messageId: null };
      await act(acts(), target, { what: 'acknowledged' }, 'U0ANN');
      await act(acts(), target, { what: 'assigned', to: 'U0BEN' }, 'U0BEN');
      await recover();
      night.minutes += 1;
      await night.poll(...many(2, {}, 2));
      const [, again] = night.digests();
      expect(again?.rows[0]).toMatchObject({
        reason: 'relapsed',
        incident: { relapses: 1, acknowledged: null, assigned: { to: 'U0BEN' }, failures: 2 },
      });
      night.minutes += 1;
      await night.poll(refused(4));
      expect(told()).toHaveLength(2);
    },
  );

  test('a relapse that a waiting message shows is not told again', async () => {
    await night.watch();
    night.channel.answerPosts = () => AWAY;
    await night.poll(refused(0));
    await recover();
    night.minutes += 1;
    await night.poll(refused(1));
    night.channel.answerPosts = () => null;
    await night.wait(6);
    await night.poll(refused(2));
    expect(told()).toEqual([['new #1 1']]);
  });

  test('a relapse that began and ended while nobody polled is told, as over', async () => {
    await night.watch();
    await night.poll(refused(0));
    await recover();
    const [from, to] = [night.minutes + 10, night.minutes + 60];
    night.minutes = to;
    await night.succeed(400);
    await night.poll(refused(1, { occurredAt: at(from), eventCreatedAt: at(from) }));
    expect(night.digests()[1]?.rows[0]).toMatchObject({
      reason: 'relapsed',
      incident: { state: { is: 'recovering' } },
    });
  });

  test.each([{ provider: 'ses' }, { channel: 'sms' }, { workflow: 'welcome' }])(
    'what is delivered elsewhere is no recovery: %j',
    async (elsewhere) => {
      await night.watch();
      await night.poll(refused(0));
      night.minutes = 2;
      await night.succeed(50, elsewhere);
      await night.poll();
      expect((await drawn(night, 0)).rows[0]?.incident.state.is).toBe('firing');
    },
  );

  test('a recipient of their own is gathered quietly, and told once', async () => {
    await night.watch({ mention: { kind: 'person', id: 'U0ANN' } });
    await night.poll(gone(0));
    expect(told()).toEqual([['single #1']]);
    expect(night.digests()[0]?.mention).toBeNull();
    night.minutes = 1;
    await night.poll(failureAgain(gone(0)), { ...gone(5), provider: 'ses' });
    expect(told()).toHaveLength(1);
    await night.wait(16);
    expect(told().flat()).toContain('single #2');
    expect(
      told()
        .flat()
        .filter((words) => words === 'single #1'),
    ).toHaveLength(1);
  });

  test('the trouble of a tenth of all rings, also where the clock of the service is behind', async () => {
    await night.watch();
    await night.succeed(18);
    const failures = [gone(0), gone(1)];
    night.minutes = 6;
    await record(store(), 'production', reading({ failures }), night.now());
    await store().db.write('UPDATE environments SET clock_ahead_ms = $1', [-6 * 60_000]);
    await announce(acts(), 'production');
    await night.deliver();
    expect(told()).toEqual([['new #1 2']]);
  });

  test('the trouble of a third person is an incident, whatever the pace, also if the first one was told late', async () => {
    const mention = { kind: 'person', id: 'U0ANN' } as const;
    await night.watch({ everyMs: 60 * 60_000, mention });
    night.channel.answerPosts = () => AWAY;
    await night.poll(gone(0));
    night.channel.answerPosts = () => null;
    night.minutes = 1;
    await record(store(), 'production', reading({ failures: [gone(1), gone(2)] }), night.now());
    await night.deliver();
    await night.poll({ ...gone(5), provider: 'ses' });
    expect(told()).toEqual([['single #1'], ['new #1 3', 'single #2']]);
    expect(night.digests()).toMatchObject([{ mention: null }, { mention }]);
    expect(await drawn(night, 0)).toMatchObject({ singles: [], rows: [{ isContinued: true }] });
  });

  test.for([null, 1])('what a mute (%s) withholds is told at its end, after a wait or a deletion', async (of) => {
    const watch = await night.watch();
    await mute(watchCtx(store().db, at(-2)), watch.id, null, { by: 'U0ANN', until: at(0) });
    night.channel.answerPosts = () => AWAY;
    await night.poll(refused(0));
    await mute(watchCtx(store().db, at(0)), watch.id, of, { by: 'U0ANN', until: at(60) });
    night.minutes = 10;
    await night.poll(refused(1));
    night.channel.answerPosts = () => null;
    await night.wait(10);
    night.channel.answerEdits = () => ({ outcome: 'deleted', reason: 'message_not_found' });
    await night.wait(10);
    await night.poll(refused(2));
    night.channel.answerEdits = () => null;
    await night.wait(31);
    expect(night.digests().map(({ rows: [row] }) => [row?.reason, row?.missed])).toEqual([
      ['new', null],
      ['missed', 2],
    ]);
  });

  test('a mute of one incident leaves another to ring', async () => {
    const watch = await night.watch();
    await night.poll(refused(0));
    await mute(watchCtx(store().db, at(0)), watch.id, 1, { by: 'U0ANN', until: at(60) });
    night.minutes = 1;
    await night.poll(refused(1, { provider: 'ses' }));
    expect(told()).toEqual([['new #1 1'], ['new #2 1']]);
  });

  test('what stays below the threshold of a watch is told once it reaches it', async () => {
    await night.watch({ threshold: { failures: 3, withinMs: 10 * 60_000, rate: null } });
    await night.poll(...many(2));
    expect(told()).toEqual([]);
    night.minutes = 2;
    await night.poll(refused(2));
    expect(told()).toEqual([['new #1 3']]);
  });

  test('only what a watch covers was missed in its mute', async () => {
    const watch = await night.watch({ filter: { ...EVERYTHING, contexts: ['tenant:acme'] } });
    await mute(watchCtx(store().db, at(0)), watch.id, null, { by: 'U0ANN', until: at(30) });
    night.minutes = 5;
    await night.poll(refused(0, { contexts: ['tenant:acme'] }), ...many(4, { contexts: ['tenant:globex'] }, 1));
    await night.wait(25);
    expect(night.digests()[0]?.rows[0]?.missed).toBe(1);
  });

  test('a filtered watch goes by what it covers, if that grows or becomes critical', async () => {
    const ours = { contexts: ['tenant:acme'] };
    await night.watch({ filter: { ...EVERYTHING, ...ours } });
    await night.poll(refused(0, ours));
    night.minutes = 1;
    await night.poll(...many(8, ours, 1), ...many(9, { critical: true }, 20));
    expect(told()).toHaveLength(1);
    night.minutes = 2;
    await night.poll(refused(9, ours));
    night.minutes = 3;
    await night.poll(refused(10, { ...ours, critical: true }));
    expect(told()).toEqual([['new #1 1'], ['grown #1 10'], ['critical #1 11']]);
  });

  test('a mute of an incident goes on with the next one of its cause', async () => {
    const watch = await night.watch();
    await night.poll(refused(0));
    await mute(watchCtx(store().db, at(1)), watch.id, 1, { by: 'U0ANN', until: at(3 * 1440) });
    night.minutes = 1440 + 60;
    await night.poll(refused(1));
    expect(told()).toEqual([['new #1 1']]);
    night.minutes = 3 * 1440 + 1;
    await night.poll();
    expect(told()).toEqual([['new #1 1'], ['missed #2 1']]);
  });

  test('a mute stays with its incident when a late failure of days before begins another', async () => {
    const watch = await night.watch();
    night.minutes = 3 * 1440;
    await night.poll(refused(0));
    await mute(watchCtx(store().db, night.now()), watch.id, 1, { by: 'U0ANN', until: at(4 * 1440) });
    night.minutes += 1;
    await night.poll(refused(1, { occurredAt: at(0), eventCreatedAt: at(0) }));
    expect(await mutesUntil(store().db, watch.id, night.now())).toMatchObject([{ incidentId: 1 }]);
  });

  test.each(['contexts', 'tags', 'topics'] as const)('a filter of %s covers some of an incident', async (labels) => {
    await night.watch({ filter: { ...EVERYTHING, [labels]: ['acme'] } });
    await night.poll(refused(0, { [labels]: ['globex'] }));
    expect(told()).toEqual([]);
    night.minutes = 1;
    await night.poll(refused(1, { [labels]: ['acme'] }), refused(2, { [labels]: ['globex'] }));
    expect(told()).toEqual([['new #1 1']]);
  });

  test('a deleted message is told again if the incident goes on', async () => {
    await night.watch();
    await night.poll(refused(0));
    night.channel.answerEdits = () => ({ outcome: 'deleted', reason: 'message_not_found' });
    night.minutes = 2;
    await night.poll(refused(1));
    night.channel.answerEdits = () => null;
    await night.wait(31);
    expect(told()).toHaveLength(1);
    night.minutes = 34;
    await night.poll(refused(2));
    expect(told()).toEqual([['new #1 1'], ['goes-on #1 3']]);
  });

  test('it mentions whom the watch mentions, unless all is acknowledged or over', async () => {
    await night.watch({ mention: { kind: 'person', id: 'U0ANN' } });
    await night.poll(refused(0));
    expect(night.digests()[0]?.mention).toEqual({ kind: 'person', id: 'U0ANN' });
    await act(acts(), { incidentId: 1, messageId: null }, { what: 'acknowledged' }, 'U0ANN');
    night.minutes = 1;
    await night.poll(...many(9, {}, 1));
    expect(night.digests()[1]?.mention).toBeNull();
  });

  test.each([
    [0, gone, refused],
    [15, refused, gone],
  ])(
    'what joins a waiting message is posted with it at once, and mentions whom either does: %j',
    async (wait, first, then) => {
      const mention = { kind: 'person', id: 'U0ANN' } as const;
      await night.watch({ mention });
      night.channel.answerPosts = () => AWAY;
      await night.poll(first(0));
      await night.wait(wait);
      night.channel.answerPosts = () => null;
      night.minutes += 1 / 60;
      await night.poll(then(1));
      expect(night.digests()).toMatchObject([{ mention }]);
      expect(told()[0]).toHaveLength(2);
    },
  );

  test('a post of which every answer is lost is tried again ever more seldom', async () => {
    await night.watch();
    night.channel.answerPosts = () => ({ outcome: 'unknown' });
    await night.poll(refused(0));
    for (let tries = 1; tries < 5; tries += 1) {
      await store().db.write(`UPDATE messages SET leased_until = now() - interval '1 second'`);
      await night.deliver();
    }
    expect(night.channel.posted).toHaveLength(5);
    const later = `SELECT 1 FROM messages WHERE leased_until > now() + interval '25 seconds'`;
    expect(await store().db.rows(z.unknown(), later)).toHaveLength(1);
  });

  // The embedded database takes one transaction after the other.
  test.runIf(inject('database') === 'server')('two announcers at once tell of an incident once', async () => {
    await night.watch();
    await night.poll();
    await record(store(), 'production', reading({ failures: [refused(0)] }), night.now());
    const db = store().db;
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    let isFirst = true;
    /** The first one's transaction ends when the other one waits for it, having read what is new. */
    const slow = dbWith(db, {
      transaction: (work) =>
        db.transaction(async (tx) => {
          const result = await work(tx);
          if (isFirst) {
            isFirst = false;
            await expect.poll(() => db.rows(z.unknown(), waiting)).toHaveLength(1);
          }
          return result;
        }),
    });
    const ctx = { db: slow, logger: silent, now: night.now };
    await Promise.all([announce(ctx, 'production'), announce(ctx, 'production')]);
    await night.wait(1);
    expect(told()).toEqual([['new #1 1']]);
  });

  test('a deploy that is reported late is shown in the row that it may explain', async () => {
    await night.watch();
    await night.poll(refused(0));
    await reportDeploy(store(), { environment: 'production', name: 'api 2', by: null }, night.now());
    await night.deliver();
    const row = night.channel.edited.map(({ content }) => (content.kind === 'digest' ? content.rows[0] : null)).at(-1);
    expect(row?.incident.changedBefore).toMatchObject({ what: { kind: 'deploy', name: 'api 2' } });
  });

  test('an assignee is told in a direct message, which is edited with the incident', async () => {
    await night.watch();
    await night.poll(refused(0));
    await act(acts(), { incidentId: 1, messageId: null }, { what: 'assigned', to: 'U0BEN' }, 'U0ANN');
    await night.deliver();
    expect(night.channel.posted.find(({ kind }) => kind === 'told')).toMatchObject({
      kind: 'told',
      channel: 'U0BEN',
      told: { told: 'assigned' },
    });
    await act(acts(), { incidentId: 1, messageId: null }, { what: 'resolved' }, 'U0ANN');
    night.minutes = 1;
    await night.deliver();
    const told = night.channel.edited.find(({ content }) => content.kind === 'told');
    expect(told?.content).toMatchObject({ incident: { state: { is: 'resolved', by: 'U0ANN' } } });
  });

  test('what people do is said in the thread of the newest message', async () => {
    await night.watch();
    await night.poll(refused(0));
    await act(acts(), { incidentId: 1, messageId: null }, { what: 'acknowledged' }, 'U0ANN');
    night.minutes = 1;
    await act(acts(), { incidentId: 1, messageId: null }, { what: 'resolved' }, 'U0BEN');
    await night.deliver();
    const { posted, threads } = night.channel;
    const replies = posted.flatMap((content, at) =>
      content.kind === 'thread' ? [[threads[at], content.event.what]] : [],
    );
    expect(replies).toEqual([
      ['1.0', 'acknowledged'],
      ['1.0', 'resolved'],
    ]);
  });

  test('deliveries of the minute in which an incident started count, unless all of them came before', async () => {
    await night.watch();
    await night.succeed(20);
    night.minutes = 0.5;
    await night.poll(...many(5));
    expect(night.digests()[0]?.rows[0]?.incident.attempts).toMatchObject({ failed: 5, tried: 5 });
    night.minutes = 0.75;
    await night.succeed(10);
    expect((await drawn(night, 0)).rows[0]?.incident.attempts).toMatchObject({ failed: 5, tried: 35 });
  });

  test('a daily summary ends with the last minute that was checked whole', async () => {
    await night.watch({ summaryAt: 12 * 60 + 5, timeZone: 'UTC' });
    const ctx = { db: store().db, environments: [anEnvironment()], logger: silent, now: night.now };
    night.minutes = 6.5;
    await night.poll();
    night.minutes = 7.5;
    expect(await createSummariser(ctx)(new AbortController().signal)).toBe(1);
    await night.deliver();
    expect(night.channel.posted).toMatchObject([{ kind: 'summary', range: { to: at(6) } }]);
  });

  test.each(['post', 'edit'] as const)('what people do during a %s is drawn right after it', async (call) => {
    await night.watch({ hasThread: false });
    if (call === 'edit') {
      await night.poll(refused(0));
      await act(acts(), { incidentId: 1, messageId: null }, { what: 'acknowledged' }, 'U0ANN');
    }
    const { channel } = night;
    const { post, edit } = channel;
    const actMeanwhile = async () => {
      Object.assign(channel, { post, edit });
      await act(acts(), { incidentId: 1, messageId: null }, { what: 'assigned', to: 'U0BEN' }, 'U0BEN');
    };
    channel.post = (...args) => actMeanwhile().then(() => post(...args));
    channel.edit = (...args) => actMeanwhile().then(() => edit(...args));
    night.minutes += 2;
    await night.poll(refused(1));
    await night.deliver();
    expect(channel.edited.at(-1)?.content).toMatchObject({ rows: [{ incident: { assigned: { to: 'U0BEN' } } }] });
  });

  test.each([true, false])(
    'a resolved incident is said in the channel where the watch wants that: %s',
    async (hasAllClear) => {
      await night.watch({ hasAllClear });
      await night.poll(refused(0));
      await act(acts(), { incidentId: 1, messageId: null }, { what: 'acknowledged' }, 'U0ANN');
      night.minutes = 1;
      await act(acts(), { incidentId: 1, messageId: null }, { what: 'resolved' }, 'U0BEN');
      await night.deliver();
      const replies = night.channel.posted.flatMap((content) => (content.kind === 'thread' ? [content] : []));
      expect(replies.map(({ isBroadcast }) => isBroadcast)).toEqual([false, hasAllClear]);
    },
  );

  test('a gap is told once per channel, after quiet hours and mutes, and edited when it is closed', async () => {
    const mention = { kind: 'person', id: 'U0ANN' } as const;
    const { id, settings } = await night.watch({ mention, quiet: { from: 12 * 60, to: 12 * 60 + 12 } });
    await night.watch();
    await mute(watchCtx(store().db, at(0)), id, null, { by: 'U0ANN', until: at(14) });
    const hiccup = { environment: 'production', beginsAt: at(0), endsAt: at(0.5), openedAt: at(0.5), closedAt: at(1) };
    await store()
      .db.insert(gaps)
      .values({ ...hiccup, cause: 'unreachable' });
    await checkedTo(store(), at(10), stretch(at(2), at(8)));
    for (night.minutes = 11; night.minutes < 14; night.minutes += 1) await night.poll();
    expect(night.channel.posted).toEqual([]);
    await night.poll();
    await night.poll();
    expect(night.channel.posted).toMatchObject([{ kind: 'gap', mention }]);
    await store().db.write(
      `UPDATE gaps SET closed_at = '${at(15).toISOString()}', unchecked = '[]' WHERE closed_at IS NULL`,
    );
    night.minutes = 15;
    await madeWatch(store().db, { channel: 'C0LATER', createdBy: 'U0BEN', settings }, at(15));
    await night.wait(1);
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ kind: 'gap', gap: { closedAt: at(15) } });
    await endWatch(watchCtx(store().db, at(16)), id, 'U0ANN');
    await night.wait(1);
    expect(night.channel.posted).toHaveLength(1);
  });

  test('a gap that the first watch of a channel could not tell of any more is told by the next', async () => {
    const { id } = await night.watch({ hasAllClear: true });
    await night.watch();
    night.channel.answerPosts = () => AWAY;
    await checkedTo(store(), at(10), stretch(at(2), at(8)));
    await night.wait(10);
    await endWatch(watchCtx(store().db, at(10)), id, 'U0ANN');
    night.channel.answerPosts = () => null;
    await night.wait(1);
    expect(night.channel.posted).toMatchObject([{ kind: 'gap' }]);
  });

  const GIVEN_UP = [{ from: at(2), to: at(3), tries: 9, nextTryAt: null }];
  test.each([
    { left: [], isMentioned: false },
    { left: GIVEN_UP, isMentioned: true },
  ])(
    'a gap that is over mentions people only if something of it stays unchecked: %j',
    async ({ left, isMentioned }) => {
      const mention = { kind: 'person', id: 'U0ANN' } as const;
      await night.watch({ mention });
      await checkedTo(store(), at(10), stretch(at(2), at(8)));
      await store().db.write('UPDATE gaps SET closed_at = $1, unchecked = $2::jsonb', [at(9), JSON.stringify(left)]);
      night.minutes = 11;
      for (const _ of [1, 2]) await night.poll();
      expect(night.channel.posted).toMatchObject([{ kind: 'gap', mention: isMentioned ? mention : null }]);
    },
  );

  test('a watch that wants changes is told of those that its filter covers, once, after quiet hours', async () => {
    const filter = { ...EVERYTHING, workflows: ['order-shipped'] };
    const { settings } = await night.watch({ hasChanges: true, filter, quiet: { from: 12 * 60, to: 12 * 60 + 5 } });
    await night.watch();
    const others = { ...settings, filter: { ...EVERYTHING, workflows: ['welcome'] } };
    await madeWatch(store().db, { channel: 'C0OTHERS', createdBy: 'U0BEN', settings: others }, at(-1));
    const changed = async (name: string) => {
      const what = { kind: 'workflow', identifier: name, name, aspects: [] } as const;
      await store().db.insert(changes).values({ environment: 'production', at: night.now(), what });
    };
    for (const name of ['order-shipped', 'welcome', 'order-shipped']) await changed(name);
    await night.wait(4);
    expect(night.channel.posted).toEqual([]);
    for (const minutes of [1, 1]) await night.wait(minutes);
    await changed('welcome');
    await night.wait(1);
    const counts = night.channel.posted.map(
      (content) => content.kind === 'changes' && [content.channel, content.changes.length],
    );
    expect(counts.toSorted()).toEqual([
      ['C0ALERTS', 2],
      ['C0OTHERS', 1],
      ['C0OTHERS', 1],
    ]);
  });

  test('gaps of environments of one service that begin together are one message', async () => {
    await night.watch();
    const begins = ['production', 'staging', 'preview'].map((environment, place) => ({
      environment,
      minute: place * 4,
    }));
    for (const { environment, minute } of begins) {
      const gap = { environment, beginsAt: at(minute), cause: 'unreachable', openedAt: at(minute) } as const;
      await store().db.insert(gaps).values(gap);
    }
    night.minutes = 10;
    const tell = async (environment: string) => {
      const others = begins.map((other) => other.environment).filter((other) => other !== environment);
      await announce({ db: store().db, logger: silent, now: night.now }, environment, others);
      await night.deliver();
    };
    for (const { environment } of [...begins, ...begins]) await tell(environment);
    expect(night.channel.posted.map(({ kind }) => kind)).toEqual(['gap', 'gap']);
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ environments: ['production', 'staging'] });
    await store().db.write(
      `UPDATE gaps SET ends_at = '${at(11).toISOString()}', closed_at = '${at(12).toISOString()}'`,
    );
    night.minutes = 13;
    await tell('staging');
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ gap: { to: at(11), closedAt: at(12) } });
  });

  test('an environment without events for far longer than usual is told once, and edited when there are some', async () => {
    await night.watch();
    const created = (minute: number) => trackedEvent({ eventKey: `event-${minute}`, createdAt: at(minute) });
    const trackedEvents = Array.from({ length: 61 }, (_, minute) => created(minute));
    await record(store(), 'production', reading({ trackedEvents }), at(60));
    const read = async (to: number, newest: number) => {
      night.minutes = to;
      const present = { to: at(to), setAside: [], clockAheadMs: null, newestEventAt: at(newest) };
      await finishPresent(store(), 'production', present, at(to));
      await night.poll();
      return night.channel.posted.map(({ kind }) => kind);
    };
    expect(await read(89, 60)).toEqual([]);
    expect(await read(91, 60)).toEqual(['silence']);
    expect(await read(200, 60)).toEqual(['silence']);
    expect(await read(202, 201)).toEqual(['silence']);
    expect(night.channel.edited.at(-1)?.content).toMatchObject({ since: at(60), until: at(201), usualMs: 60_000 });
    expect(await read(230, 201)).toEqual(['silence']);
  });

  test('an environment that is usually quiet may be', async () => {
    await night.watch();
    const trackedEvents = Array.from({ length: 120 }, (_, place) => {
      return trackedEvent({ eventKey: `event-${place}`, createdAt: at(place < 60 ? place : place + 120) });
    });
    await record(store(), 'production', reading({ trackedEvents }), at(240));
    night.minutes = 470;
    const present = { to: night.now(), setAside: [], clockAheadMs: null, newestEventAt: at(239) };
    await finishPresent(store(), 'production', present, night.now());
    await night.poll();
    expect(night.channel.posted).toEqual([]);
  });

  /** Enough is delivered since, for a quarter of an hour. */
  async function recover(): Promise<void> {
    night.minutes += 2;
    await night.succeed(400);
    await night.poll();
    await night.wait(11);
    await night.wait(1);
  }

  function failureAgain(again: Failure): Failure {
    return { ...again, eventKey: `again-${night.minutes}`, occurredAt: night.now(), eventCreatedAt: night.now() };
  }
});
