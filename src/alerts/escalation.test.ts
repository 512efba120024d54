import { expect, test } from 'vitest';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { ANN, AWAY, describeNight, lineOf } from './night.testing.ts';

describeNight('A critical incident that nobody acknowledges', (night) => {
  const critical = { escalateMs: 10 * MINUTE_MS, mention: ANN };
  const fires = (place = 0) => night.poll(night.refused(place, { critical: true }));
  const isEscalation = (content: (typeof night.channel.posted)[number]) =>
    content.kind === 'line'
      ? lineOf(content) === 'escalated'
      : content.kind === 'digest' && content.rows[0]?.reason === 'escalated';
  const escalations = () => night.channel.posted.filter(isEscalation);

  test('is escalated by time alone, once: to each channel with the mention, and to the assignee', async () => {
    await night.watch(critical);
    await night.watch({ ...critical, filter: { ...EVERYTHING, workflows: ['order-shipped'] } }, 'C0FILTERED');
    await fires();
    await night.does(1, { what: 'assigned', to: 'U0BEN' });
    for (const minutes of [3, 1, 5]) await failsOn(minutes);
    expect(escalations()).toEqual([]);
    await night.wait(1);
    for (const minutes of [1, 20]) await failsOn(minutes);
    const line = { isBroadcast: true, mention: ANN };
    expect(escalations()).toMatchObject([line, line]);
    expect(night.news().toSorted()).toEqual(['assigned', 'escalated', 'every']);
  });

  test('is escalated again once it has come back after a person resolved it', async () => {
    await night.watch(critical);
    await fires();
    for (const minutes of [9, 1]) await failsOn(minutes);
    expect(escalations()).toHaveLength(1);
    await night.does(1, { what: 'resolved' });
    night.minutes += 1;
    await fires(1);
    for (const minutes of [9, 1]) await failsOn(minutes);
    expect(escalations()).toHaveLength(2);
  });

  test('is not escalated in quiet hours, before they end, nor once somebody has it', async () => {
    await night.watch({ ...critical, quiet: { from: 12 * 60 + 5, to: 12 * 60 + 30 } });
    await fires();
    for (const minutes of [11, 10]) await failsOn(minutes);
    expect(escalations()).toEqual([]);
    night.channel.answerPosts = () => AWAY;
    await failsOn(9);
    await night.does(1, { what: 'acknowledged' });
    night.channel.answerPosts = () => null;
    await failsOn(10);
    expect(escalations()).toEqual([]);
  });

  test('is escalated ten minutes after it became critical, if its alert was earlier', async () => {
    await night.watch(critical);
    await night.poll(night.refused(0));
    night.minutes = 12;
    await fires(1);
    for (const minutes of [1, 8]) await failsOn(minutes);
    expect(escalations()).toEqual([]);
    await failsOn(1);
    expect(escalations()).toHaveLength(1);
  });

  test('is escalated ten minutes after its alert arrived, also if Slack was away before', async () => {
    await night.watch(critical);
    night.channel.answerPosts = () => AWAY;
    await fires();
    await failsOn(6);
    night.channel.answerPosts = () => null;
    for (const minutes of [1, 1, 8]) await failsOn(minutes);
    expect(escalations()).toEqual([]);
    await failsOn(1);
    expect(escalations()).toHaveLength(1);
  });

  test('is escalated by a post once its thread takes no lines, though nothing else happens', async () => {
    await night.watch(critical);
    await fires();
    await failsOn(9);
    night.channel.answerPosts = ({ kind }) => (kind === 'line' ? { is: 'no-thread', reason: 'thread_locked' } : null);
    for (const minutes of [1, 1]) await night.wait(minutes);
    expect(escalations()).toMatchObject([{ kind: 'digest', mention: ANN }]);
  });

  /** Another failure keeps the incident open. It isn't of the workflow that a watch may be about. */
  async function failsOn(minutes: number): Promise<void> {
    night.minutes += minutes;
    await night.poll(night.refused(1_000 + night.minutes, { workflow: 'welcome' }));
  }
});
