import { expect, test } from 'vitest';
import { act, type IncidentVerb } from '../incidents/verbs.ts';
import { backlogOf } from '../outbox/backlog.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { ANN, AWAY, describeNight } from './night.testing.ts';

describeNight('What people do', (night) => {
  test.for([
    { muted: 'its watch', incidentId: null },
    { muted: 'the incident', incidentId: 1 },
  ])(
    'what waited is not posted in a mute of $muted, and shows at its end what failed in it',
    async ({ incidentId }) => {
      const watch = await night.watch();
      night.channel.answerPosts = () => AWAY;
      await night.poll(night.refused(0));
      await night.mutes(watch, 60, incidentId);
      night.channel.answerPosts = () => null;
      night.minutes = 10;
      await night.poll(night.refused(1));
      await night.wait(10);
      expect(night.alerts()).toEqual([]);
      expect(await backlogOf(night.store.db, night.now())).toMatchObject({ waiting: 0 });
      night.minutes = 61;
      await night.poll(night.refused(2));
      expect(night.alerts()).toEqual([['missed #1 3']]);
      expect(night.digests()[0]?.rows[0]?.missed).toBe(3);
    },
  );

  test('what gets critical soon after a ring is a line, and rings at the end of the quiet hours that began meanwhile', async () => {
    await night.watch({ mention: ANN, quiet: { from: 12 * 60 + 4, to: 12 * 60 + 15 } });
    await night.poll(night.refused(0));
    night.minutes = 1;
    await night.poll(night.refused(1, { critical: true }));
    for (const minutes of [6, 7]) await night.wait(minutes);
    expect([night.lines(), night.alerts()]).toEqual([['critical'], [['new #1 1']]]);
    night.minutes += 1;
    await night.poll(night.refused(2));
    expect(night.alerts()).toEqual([['new #1 1'], ['again #1 3']]);
    expect(night.digests()[1]?.mention).toEqual(ANN);
  });

  test('a line about what got ten times worse is left out if the incident was resolved while it waited', async () => {
    await night.watch();
    await night.poll(...night.many(2));
    night.channel.answerPosts = () => AWAY;
    await night.poll(...night.many(20, { from: 2 }));
    night.channel.answerPosts = () => null;
    await night.does(1, { what: 'resolved' });
    await night.wait(6);
    expect(night.lines()).toEqual(['resolved']);
  });

  test('what goes on after its mute is alerted if the alert before it was deleted', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    await night.mutes(watch, 60, 1);
    night.minutes = 10;
    night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
    await night.poll(night.refused(1));
    night.channel.answerEdits = () => null;
    night.minutes = 61;
    await night.poll(night.refused(2));
    expect(night.alerts()).toEqual([['new #1 1'], ['goes-on #1 3']]);
  });

  test('what a mute withheld first is alerted at its end, though it was prolonged again and again', async () => {
    const watch = await night.watch();
    for (const day of [0, 6]) {
      night.minutes = day * 1_440;
      await night.mutes(watch, (day + 7) * 1_440);
    }
    night.minutes = 1_440;
    await night.poll(night.refused(0));
    await night.wait(12 * 1_440);
    expect(night.alerts()).toEqual([['missed #1 1']]);
  });

  test('what failed before a mute, but after the last alert, was not missed in it', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 6;
    await night.poll(...night.many(3, { from: 1 }));
    night.minutes = 7;
    await night.mutes(watch, 60);
    night.minutes = 8;
    await night.poll(...night.many(20, { from: 4 }));
    night.minutes = 61;
    await night.poll(night.refused(24));
    expect(night.alerts().at(-1)).toEqual([expect.stringMatching(/ #1 25$/)]);
    expect(night.digests()[1]?.rows[0]?.missed).toBe(21);
  });

  test('only what a watch covers was missed in its mute', async () => {
    const watch = await night.watch({ filter: { ...EVERYTHING, contexts: ['tenant:acme'] } });
    await night.mutes(watch, 30);
    night.minutes = 5;
    const others = night.many(4, { contexts: ['tenant:globex'], from: 1 });
    await night.poll(night.refused(0, { contexts: ['tenant:acme'] }), ...others);
    await night.wait(25);
    expect(night.digests()[0]?.rows[0]?.missed).toBe(1);
  });

  test('a mute of an incident is not inherited by the next one of its cause', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 1;
    await night.mutes(watch, 3 * 1440, 1);
    night.minutes = 27 * 60;
    await night.poll(night.refused(1));
    expect(night.alerts()).toEqual([['new #1 1'], ['new #2 1']]);
  });

  test('a mute stands only in the thread of the channel in which it holds', async () => {
    const watch = await night.watch();
    await night.watch({}, 'C0OTHER');
    await night.poll(night.refused(0));
    await night.mutes(watch, 60, 1);
    await night.wait(1);
    const lines = night.channel.posted.filter(({ kind }) => kind === 'line');
    expect([night.lines(), lines.map(({ channel }) => channel)]).toEqual([['incident-muted'], ['C0ALERTS']]);
  });

  test('the thread of a muted watch says what is back, and not that it gets worse until its mute has ended', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    await night.recover();
    await night.mutes(watch, 60);
    await night.poll(night.refused(1));
    await night.wait(1);
    await night.poll(...night.many(20, { from: 2 }));
    await night.wait(1);
    expect([night.alerts(), night.lines()]).toEqual([[['new #1 1']], ['ended', 'back']]);
    night.minutes = 60;
    await night.poll(night.refused(30));
    await night.wait(2);
    expect([night.alerts().length, night.lines()]).toEqual([2, ['ended', 'back']]);
  });

  test.each(['by a person', 'by itself'])('a mute of an incident ends when it is resolved %s', async (how) => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    await night.mutes(watch, 1440, 1);
    night.minutes = 1;
    await night.poll(night.refused(1));
    if (how === 'by a person') await night.does(1, { what: 'resolved' });
    else await night.recover();
    await night.deliver();
    expect(night.lines()).toEqual(['incident-muted', how === 'by a person' ? 'resolved' : 'ended']);
    night.minutes += 31;
    await night.poll(night.refused(2));
    expect(night.alerts()).toEqual([['new #1 1'], ['back #1 1']]);
  });

  test.each([
    ['every', 80, { critical: false }],
    ['critical', 1, { critical: true }],
  ] as const)(
    'a mute of an incident holds for more of the same, and breaks once it is %s, and says so',
    async (reason, count, changes) => {
      const watch = await night.watch();
      await night.succeed(100);
      await night.poll(...night.many(20));
      await night.mutes(watch, 1440, 1);
      night.minutes = 16;
      await night.succeed(4);
      await night.poll(...night.many(2, { from: 100 }));
      expect(night.alerts()).toHaveLength(1);
      night.minutes = 17;
      await night.poll(...night.many(count, { ...changes, from: 300 }));
      expect(night.alerts()[1]).toEqual([`${reason} #1 ${22 + count}`]);
      expect(night.digests()[1]?.rows[0]).toMatchObject({ missed: 2 + count, broke: { actor: 'U0ANN' } });
    },
  );

  test.each([
    ['every', 80, { critical: false }],
    ['critical', 1, { critical: true }],
  ] as const)(
    'a mute of an incident of which its thread said before that it is %s holds to its end',
    async (reason, count, changes) => {
      const watch = await night.watch();
      await night.poll(night.refused(0));
      night.minutes = 1;
      await night.poll(...night.many(count, { ...changes, from: 1 }));
      night.minutes = 2;
      await night.mutes(watch, 30, 1);
      for (const minutes of [6, 7, 33]) {
        night.minutes = minutes;
        await night.succeed(1);
        await night.poll(night.refused(100 + minutes));
        if (minutes === 7) expect(night.alerts()).toEqual([['new #1 1']]);
      }
      expect(night.alerts()).toEqual([['new #1 1'], [`${reason} #1 ${4 + count}`]]);
    },
  );

  test('an assignee learns of each end and reopening in direct messages, and sees there how the incident is now', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    for (const what of ['resolved', 'reopened', 'resolved'] as const) {
      night.minutes += 1;
      await night.does(1, { what });
      await night.deliver();
    }
    const sent = night.news();
    expect(sent).toEqual(['assigned', 'ended', 'back', 'ended']);
    expect(night.channel.posted.findLast(({ kind }) => kind === 'personal')).toMatchObject({
      incident: { state: { is: 'resolved', actor: 'U0ANN' } },
    });
    const older = night.channel.edited.flatMap(({ content }) => (content.kind === 'personal' ? [content] : []));
    expect(older.map(({ incident }) => incident)).toEqual([null, null, null]);
    expect(older.map(({ news }) => news.what).toSorted()).toEqual(['assigned', 'back', 'ended']);
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
    expect(night.channel.posted.slice(1)).toMatchObject([
      { turns: [{ event: { entry: { change: { action: 'resolved' } } } }], isBroadcast: true },
    ]);
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

  test('what happened between two passes stands in the thread in its order', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    const deeds: readonly IncidentVerb[] = [
      { what: 'acknowledged' },
      { what: 'noted', text: 'mine' },
      { what: 'assigned', to: 'U0BEN' },
      { what: 'resolved' },
    ];
    for (const deed of deeds) await act(night.ctx, { incidentId: 1 }, deed, 'U0ANN');
    await night.wait(1);
    expect(night.lines()).toEqual(deeds.map(({ what }) => what));
  });
});
