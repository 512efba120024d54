import { expect, test } from 'vitest';
import { at } from '../store/examples.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { AWAY, describeNight, drawn } from './told.testing.ts';

describeNight('Relapses', (night) => {
  test.for([EVERYTHING, { ...EVERYTHING, workflows: ['order-shipped'] }])(
    'what recovered and fails again is a relapse, told once, without the acknowledgment and with the assignment (%#)',
    async (filter) => {
      await night.watch({ filter });
      await night.poll(...night.many(2));
      await night.does(1, { what: 'acknowledged' });
      await night.does(1, { what: 'assigned', to: 'U0BEN' }, 'U0BEN');
      await night.recover();
      night.minutes += 1;
      await night.poll(...night.many(2, {}, 2));
      const [, again] = night.digests();
      expect(again?.rows[0]).toMatchObject({
        reason: 'relapsed',
        incident: {
          ...{ relapses: 1, acknowledged: null, assignedTo: 'U0BEN', failures: 2 },
          formerly: { by: 'U0ANN', at: at(0) },
        },
      });
      night.minutes += 1;
      await night.poll(night.refused(4));
      expect(night.told()).toHaveLength(2);
    },
  );

  test('a relapse that a waiting message shows is not told again', async () => {
    await night.watch();
    night.channel.answerPosts = () => AWAY;
    await night.poll(night.refused(0));
    await night.recover();
    night.minutes += 1;
    await night.poll(night.refused(1));
    night.channel.answerPosts = () => null;
    await night.wait(6);
    await night.poll(night.refused(2));
    expect(night.told()).toEqual([['new #1 1']]);
  });

  test('a relapse that has to wait is told though the message before it is deleted meanwhile', async () => {
    await night.watch();
    for (night.minutes = 0; night.minutes < 3; night.minutes += 1) {
      if (night.minutes === 2) night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
      await night.poll(night.refused(night.minutes));
      await night.does(1, { what: 'resolved' });
    }
    await night.deliver();
    night.channel.answerEdits = () => null;
    await night.wait(20);
    expect(night.told()).toEqual([['new #1 1'], ['relapsed #1 1'], ['relapsed #1 1']]);
  });

  test.each([{ provider: 'ses' }, { channel: 'sms' }, { workflow: 'welcome' }])(
    'what is delivered elsewhere is no recovery: %j',
    async (elsewhere) => {
      await night.watch();
      await night.poll(night.refused(0));
      night.minutes = 2;
      await night.succeed(50, elsewhere);
      await night.poll();
      expect((await drawn(night, 0)).rows[0]?.incident.state.is).toBe('firing');
    },
  );
});
