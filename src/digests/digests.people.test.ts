import { expect, test } from 'vitest';
import { at } from '../store/examples.testing.ts';
import { setMute } from '../watches/mutes.ts';
import { mutesEndingAfter } from '../watches/running-mutes.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { watchCtx } from '../watches/watches.testing.ts';
import { AWAY, describeNight } from './told.testing.ts';

describeNight('What people do', (night) => {
  test.for([null, 1])('what a mute (%s) withholds is told at its end, after a wait or a deletion', async (of) => {
    const watch = await night.watch();
    await setMute(watchCtx(night.store.db, at(-2)), watch.id, null, { by: 'U0ANN', until: at(0) });
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.refused(0));
    await setMute(watchCtx(night.store.db, at(0)), watch.id, of, { by: 'U0ANN', until: at(60) });
    night.minutes = 10;
    await night.poll(night.refused(1));
    night.channel.answerPosts = () => null;
    await night.wait(10);
    night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
    await night.wait(10);
    await night.poll(night.refused(2));
    night.channel.answerEdits = () => null;
    await night.wait(31);
    expect(night.digests().map(({ rows: [row] }) => [row?.reason, row?.missed])).toEqual([
      ['new', null],
      ['missed', 2],
    ]);
  });

  test('what a mute withheld first is told at its end, though it was prolonged again and again', async () => {
    const { id } = await night.watch();
    for (const day of [0, 6])
      await setMute(watchCtx(night.store.db, at(day * 1_440)), id, null, { by: 'U0ANN', until: at((day + 7) * 1_440) });
    night.minutes = 1_440;
    await night.poll(night.refused(0));
    await night.wait(12 * 1_440);
    expect(night.told()).toEqual([['missed #1 1']]);
  });

  test('only what a watch covers was missed in its mute', async () => {
    const watch = await night.watch({ filter: { ...EVERYTHING, contexts: ['tenant:acme'] } });
    await setMute(watchCtx(night.store.db, at(0)), watch.id, null, { by: 'U0ANN', until: at(30) });
    night.minutes = 5;
    await night.poll(
      night.refused(0, { contexts: ['tenant:acme'] }),
      ...night.many(4, { contexts: ['tenant:globex'] }, 1),
    );
    await night.wait(25);
    expect(night.digests()[0]?.rows[0]?.missed).toBe(1);
  });

  test('a mute of an incident holds for the next one of its cause, too, and withholds what failed of both', async () => {
    const watch = await night.watch();
    await night.poll(night.refused(0));
    await setMute(watchCtx(night.store.db, at(1)), watch.id, 1, { by: 'U0ANN', until: at(3 * 1440) });
    await night.recover();
    night.minutes = 60;
    await night.poll(night.refused(1));
    night.minutes += 1440 + 60;
    await night.poll(night.refused(2));
    await night.wait(1);
    expect(night.told()).toEqual([['new #1 1']]);
    night.minutes = 3 * 1440 + 1;
    await night.poll();
    expect(night.told()).toEqual([['new #1 1'], ['missed #2 1', 'missed #1 1']]);
  });

  test('a mute stays with its incident when a late failure of days before begins another', async () => {
    const watch = await night.watch();
    night.minutes = 3 * 1440;
    await night.poll(night.refused(0));
    await setMute(watchCtx(night.store.db, night.now()), watch.id, 1, { by: 'U0ANN', until: at(4 * 1440) });
    night.minutes += 1;
    await night.poll(night.refused(1, { occurredAt: at(0), eventCreatedAt: at(0) }));
    expect(await mutesEndingAfter(night.store.db, watch.id, night.now())).toMatchObject([{ incidentId: 1 }]);
  });

  test('an assignee is told in a direct message, which is edited with the incident', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    await night.deliver();
    const direct = night.channel.posted.find(({ kind }) => kind === 'told');
    expect(direct).toMatchObject({ kind: 'told', channel: 'U0BEN', told: { told: 'assigned' } });
    await night.does(1, { what: 'resolved' });
    night.minutes = 1;
    await night.deliver();
    const told = night.channel.edited.find(({ content }) => content.kind === 'told');
    expect(told?.content).toMatchObject({ incident: { state: { is: 'resolved', by: 'U0ANN' } } });
  });

  test('what people do is said in the thread of the newest message', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await night.does(1, { what: 'acknowledged' });
    night.minutes = 1;
    await night.does(1, { what: 'resolved' }, 'U0BEN');
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
