import { expect, test } from 'vitest';
import { backlogOf } from '../outbox/claims.ts';
import { alerts } from '../outbox/tables.ts';
import { at } from '../store/examples.testing.ts';
import { mutesEndingAfter, setMute } from '../watches/mutes.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { watchCtx } from '../watches/watches.testing.ts';
import { AWAY, describeNight } from './night.testing.ts';

describeNight('What people do', (night) => {
  test.for([null, 1])(
    'what waited is not posted in a mute (%s), and shows at its end what failed in it',
    async (incidentId) => {
      const watch = await night.watch();
      night.channel.answerPosts = () => AWAY;
      await night.poll(night.refused(0));
      await setMute(watchCtx(night.store.db, at(0)), watch.id, incidentId, { actor: 'U0ANN', until: at(60) });
      night.channel.answerPosts = () => null;
      night.minutes = 10;
      await night.poll(night.refused(1));
      await night.wait(10);
      expect(night.alerts()).toEqual([]);
      expect(await backlogOf(night.store.db, night.now())).toMatchObject({ waiting: 0 });
      night.minutes = 61;
      await night.poll(night.refused(2));
      expect(night.alerts()).toEqual([['new #1 3']]);
      expect(night.digests()[0]?.rows[0]?.missed).toBe(1);
    },
  );

  test('a line about what gets critical waits for the end of quiet hours that began while it waited', async () => {
    await night.watch({ mention: { kind: 'person', id: 'U0ANN' }, quiet: { from: 12 * 60 + 5, to: 12 * 60 + 15 } });
    await night.poll(night.refused(0));
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.refused(1, { critical: true }));
    night.channel.answerPosts = () => null;
    for (const minutes of [6, 10]) await night.wait(minutes);
    expect(night.channel.posted).toMatchObject([{}, { event: { at: at(0) }, mention: { id: 'U0ANN' } }]);
  });

  test('a line about what got ten times worse is left out if the incident was resolved while it waited', async () => {
    await night.watch();
    await night.poll(...night.many(2));
    night.channel.answerPosts = () => AWAY;
    await night.poll(...night.many(20, {}, 2));
    night.channel.answerPosts = () => null;
    await night.does(1, { what: 'resolved' });
    await night.wait(6);
    expect(lines()).toEqual(['resolved']);
  });

  test('what a mute withholds is alerted at its end, also if the alert before it was deleted', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    await setMute(watchCtx(night.store.db, at(0)), watch.id, 1, { actor: 'U0ANN', until: at(60) });
    night.minutes = 10;
    night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
    await night.poll(night.refused(1));
    night.channel.answerEdits = () => null;
    await night.wait(51);
    const rows = night.digests().map(({ rows: [row] }) => `${row?.reason} ${row?.missed}`);
    expect(rows).toEqual(['new null', 'missed 1']);
  });

  test('what a mute withheld first is alerted at its end, though it was prolonged again and again', async () => {
    const { id } = await night.watch();
    for (const day of [0, 6])
      await setMute(watchCtx(night.store.db, at(day * 1_440)), id, null, {
        actor: 'U0ANN',
        until: at((day + 7) * 1_440),
      });
    night.minutes = 1_440;
    await night.poll(night.refused(0));
    await night.wait(12 * 1_440);
    expect(night.alerts()).toEqual([['missed #1 1']]);
  });

  test('only what a watch covers was missed in its mute', async () => {
    const watch = await night.watch({ filter: { ...EVERYTHING, contexts: ['tenant:acme'] } });
    await setMute(watchCtx(night.store.db, at(0)), watch.id, null, { actor: 'U0ANN', until: at(30) });
    night.minutes = 5;
    const others = night.many(4, { contexts: ['tenant:globex'] }, 1);
    await night.poll(night.refused(0, { contexts: ['tenant:acme'] }), ...others);
    await night.wait(25);
    expect(night.digests()[0]?.rows[0]?.missed).toBe(1);
  });

  test('a mute of an incident is not inherited by the next one of its cause', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    await setMute(watchCtx(night.store.db, at(1)), watch.id, 1, { actor: 'U0ANN', until: at(3 * 1440) });
    night.minutes = 1440 + 60;
    await night.poll(night.refused(1));
    expect(night.alerts()).toEqual([['new #1 1'], ['new #2 1']]);
  });

  test.each(['by a person', 'by itself'])(
    'a mute of an incident ends when it is resolved %s, and says so',
    async (how) => {
      const watch = await night.watch();
      await night.poll(night.refused(0));
      await setMute(watchCtx(night.store.db, at(0)), watch.id, 1, { actor: 'U0ANN', until: at(1440) });
      night.minutes = 1;
      await night.poll(night.refused(1));
      if (how === 'by a person') await night.does(1, { what: 'resolved' });
      else await night.recover();
      await night.deliver();
      expect(lines().toSorted()).toEqual(['muted', 'resolved', 'unmuted resolved']);
      expect(await mutesEndingAfter(night.store.db, watch.id, night.now())).toEqual([]);
      night.minutes += 31;
      await night.poll(night.refused(2));
      expect(night.alerts()).toEqual([['new #1 1'], ['relapsed #1 1']]);
    },
  );

  /** What was posted in threads. */
  const lines = () =>
    night.channel.posted.flatMap((content) => {
      if (content.kind !== 'thread') return [];
      const why = content.event.what === 'unmuted' ? ` ${content.event.why}` : '';
      return [`${content.event.what}${why}`];
    });

  test.each([
    ['grown', { critical: false }],
    ['critical', { critical: true }],
  ] as const)('a mute of an incident breaks once it is %s, and says so', async (reason, changes) => {
    const watch = await night.watch();
    await night.poll(...night.many(20));
    await setMute(watchCtx(night.store.db, at(0)), watch.id, 1, { actor: 'U0ANN', until: at(1440) });
    night.minutes = 16;
    await night.poll(...night.many(100, {}, 100));
    expect(night.alerts()).toHaveLength(1);
    night.minutes = 17;
    await night.poll(...night.many(80, changes, 300));
    expect(night.alerts()[1]).toEqual([`${reason} #1 200`]);
    expect(night.digests()[1]?.rows[0]?.missed).toBe(180);
    expect(lines()).toEqual(['muted', `unmuted ${reason}`]);
  });

  test('a mute that breaks within a quarter of an hour is seen in the row, too', async () => {
    const watch = await night.watch();
    await night.poll(...night.many(20));
    await setMute(watchCtx(night.store.db, at(0)), watch.id, 1, { actor: 'U0ANN', until: at(1440) });
    night.minutes = 2;
    await night.poll(...night.many(7, { critical: true }, 100));
    expect(await night.store.db.select().from(alerts)).toMatchObject([{ reason: 'new', missed: 7 }]);
  });

  test('a mute of a watch is absolute', async () => {
    const watch = await night.watch();
    await night.poll(...night.many(2));
    await setMute(watchCtx(night.store.db, at(0)), watch.id, null, { actor: 'U0ANN', until: at(60) });
    night.minutes = 20;
    await night.poll(...night.many(50, { critical: true }, 2));
    expect(night.alerts()).toHaveLength(1);
    await night.wait(41);
    expect(night.alerts()).toEqual([['new #1 2'], ['critical #1 52']]);
  });

  test('an assignee learns of each end and reopening in direct messages, and sees there how the incident is now', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    for (const what of ['resolved', 'reopened', 'resolved'] as const) {
      night.minutes += 1;
      await night.does(1, { what });
      await night.deliver();
    }
    const sent = night.channel.posted.flatMap((content) => (content.kind === 'personal' ? [content.notice.what] : []));
    expect(sent).toEqual(['assigned', 'ended', 'back', 'ended']);
    const edited = night.channel.edited.findLast(({ content }) => content.kind === 'personal');
    expect(edited?.content).toMatchObject({ incident: { state: { is: 'resolved', actor: 'U0ANN' } } });
  });

  test('an all-clear is also posted for an incident that is resolved while its alert is being posted', async () => {
    await night.watch({ hasAllClear: true });
    const { post } = night.channel;
    night.channel.post = async (...args) => {
      Object.assign(night.channel, { post });
      await night.does(1, { what: 'resolved' });
      return post(...args);
    };
    await night.poll(night.refused(0));
    await night.wait(1);
    expect(night.channel.posted.slice(1)).toMatchObject([{ event: { what: 'resolved' }, isBroadcast: true }]);
  });

  test.each(['post', 'edit'] as const)('what people do during a %s is drawn right after it', async (call) => {
    await night.watch({ hasThread: false });
    if (call === 'edit') {
      await night.poll(night.refused(0));
      await night.does(1, { what: 'acknowledged' });
    }
    const { channel } = night;
    const { post, edit } = channel;
    const actMeanwhile = async () => {
      Object.assign(channel, { post, edit });
      await night.does(1, { what: 'assigned', to: 'U0BEN' }, 'U0BEN');
    };
    channel.post = (...args) => actMeanwhile().then(() => post(...args));
    channel.edit = (...args) => actMeanwhile().then(() => edit(...args));
    night.minutes += 2;
    await night.poll(night.refused(1));
    await night.deliver();
    expect(channel.edited.at(-1)?.content).toMatchObject({ rows: [{ incident: { assignedTo: 'U0BEN' } }] });
  });
});
