import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { incidentNumbered } from '../incidents/lists.ts';
import { follow } from '../incidents/verbs.ts';
import { slackMessages } from '../outbox/tables.ts';
import { at } from '../store/examples.testing.ts';
import { incidentTarget, setMutes } from '../watches/set-mutes.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { muteRunningIn } from './holds.ts';
import { AWAY, describeNight, drawn } from './night.testing.ts';
import { incidentsOfThread } from './thread-incidents.ts';

describeNight('Relapses', (night) => {
  test('what recovered and fails again is a relapse, alerted once a watch, without the acknowledgment and with the assignment', async () => {
    await night.watch();
    await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] } }, 'C0FILTERED');
    await night.poll(...night.many(2));
    await night.does(1, { what: 'acknowledged' });
    await night.does(1, { what: 'assigned', to: 'U0BEN' }, 'U0BEN');
    await night.recover();
    night.minutes += 1;
    await night.poll(...night.many(2, { from: 2 }));
    const relapsed = {
      reason: 'back',
      incident: {
        outbreak: 2,
        acknowledged: null,
        assignedTo: 'U0BEN',
        failures: 2,
        formerly: { actor: 'U0ANN', at: at(0) },
      },
    };
    const again = night.digests().slice(2);
    expect(again.toSorted((a, b) => a.channel.localeCompare(b.channel))).toMatchObject([
      { channel: 'C0ALERTS', rows: [relapsed] },
      { channel: 'C0FILTERED', rows: [relapsed] },
    ]);
    night.minutes += 1;
    await night.poll(night.refused(4));
    expect(night.alerts()).toHaveLength(4);
  });

  test('a relapse that a waiting message shows is not alerted again', async () => {
    await night.watch();
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.refused(0));
    await night.recover();
    night.minutes += 1;
    await night.poll(night.refused(1));
    night.channel.answerPosts = () => null;
    await night.wait(6);
    await night.poll(night.refused(2));
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  test('failures that get another cause stay with their incidents, which go on and tell nothing again', async () => {
    await night.watch();
    const fails = (place: number, key: string) => night.refused(place, { cause: { text: key, key } });
    await night.poll(fails(0, 'a'), fails(1, 'b'));
    await follow(night.ctx, { incidentId: 2 }, 'followed', 'U0BEN');
    await night.does(2, { what: 'acknowledged' });
    night.minutes = 2;
    await night.poll(fails(0, 'c'), fails(1, 'd'));
    night.minutes = 3;
    await night.poll(fails(2, 'd'));
    const { rows } = await drawn(night, 0);
    expect(rows.map(({ incident: { id, failures, acknowledged } }) => [id, failures, acknowledged?.actor])).toEqual([
      [2, 2, 'U0ANN'],
      [1, 1, undefined],
    ]);
    expect([night.alerts(), night.lines(), night.news()]).toEqual([
      [['new #1 1', 'new #2 1']],
      ['acknowledged'],
      ['followed'],
    ]);
  });

  test('a mute that its outbreak ended is no longer shown', async () => {
    const watch = await night.watch();
    await night.poll(...night.many(2));
    const time = { from: at(0), to: at(60) };
    await setMutes(night.ctx, { watches: [watch], target: incidentTarget(1) }, { actor: 'U0ANN', time });
    const shown = async (): Promise<string | undefined> => {
      const incident = await incidentNumbered(night.store.db, { incidentId: 1, code: null }, night.now());
      return (await muteRunningIn(night.store.db, [watch], incident, night.now()))?.mutedBy;
    };
    night.minutes = 1;
    expect(await shown()).toBe('U0ANN');
    await night.does(1, { what: 'resolved' });
    night.minutes = 2;
    await night.poll(...night.many(2, { from: 2 }));
    expect(await shown()).toBeUndefined();
  });

  test('what a newer message shows gets no line in the thread of the older one', async () => {
    await night.watch();
    await night.poll(...night.many(2));
    await night.recover();
    night.channel.answerPosts = ({ kind }) => (kind === 'line' ? AWAY : null);
    await night.does(1, { what: 'noted', text: 'key rotated' });
    night.minutes += 1;
    await night.poll(...night.many(2, { from: 2 }));
    night.channel.answerPosts = () => null;
    const before = night.lines();
    await night.wait(2);
    expect(night.alerts()).toEqual([['new #1 2'], ['back #1 2']]);
    expect(night.lines()).toEqual(before);
  });

  test('the thread of a message stays the incident’s after a newer message goes on with it', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    await night.recover();
    night.minutes += 30;
    await night.poll(night.refused(1));
    const messages = await night.store.db.select().from(slackMessages).where(eq(slackMessages.kind, 'digest'));
    const incidents = messages.map(({ channel, ts }) => incidentsOfThread(night.store.db, channel, ts ?? ''));
    expect(await Promise.all(incidents)).toEqual([[1], [1]]);
  });

  test('a relapse that has to wait is alerted though the message before it is deleted meanwhile', async () => {
    await night.watch();
    for (night.minutes = 0; night.minutes < 3; night.minutes += 1) {
      if (night.minutes === 2) night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
      await night.poll(night.refused(night.minutes));
      await night.does(1, { what: 'resolved' });
    }
    await night.deliver();
    night.channel.answerEdits = () => null;
    await night.wait(20);
    expect(night.alerts()).toEqual([['new #1 1'], ['back #1 1'], ['back #1 1']]);
  });

  test('what a watch held back is alerted though only a workflow that it isn’t about came back meanwhile', async () => {
    const quiet = { from: 12 * 60, to: 12 * 60 + 30 };
    await night.watch({ filter: { ...EVERYTHING, workflows: ['order-shipped'] }, quiet });
    await night.poll(night.refused(0));
    await night.does(1, { what: 'resolved' });
    night.minutes += 1;
    await night.poll(night.refused(1, { workflow: 'welcome' }));
    await night.wait(31);
    expect(night.alerts()).toEqual([['new #1 1']]);
  });

  test('what is delivered by another provider, channel or workflow is no recovery', async () => {
    await night.watch();
    await night.poll(night.refused(0));
    night.minutes = 2;
    for (const elsewhere of [{ provider: 'ses' }, { channel: 'sms' }, { workflow: 'welcome' }])
      await night.succeed(50, elsewhere);
    await night.poll();
    expect((await drawn(night, 0)).rows[0]?.incident.state.is).toBe('firing');
  });
});
