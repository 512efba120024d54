import { expect, test } from 'vitest';
import { AWAY, describeNight } from '../alerts/night.testing.ts';
import { act } from '../incidents/verbs.ts';
import { at, failureOf } from '../store/examples.testing.ts';
import { lostWatches } from '../watches/lost-watches.ts';
import { configuredWatch } from '../watches/watches.testing.ts';
import type { PostOutcome } from './kinds.ts';
import { slackMessages } from './tables.ts';

describeNight('Delivery', (night) => {
  const shutOut = { is: 'shut-out', reason: 'is_archived', why: 'channel-archived' } as const;
  const archive = () => {
    night.channel.answerPosts = ({ channel }) => (channel.startsWith('C') ? shutOut : null);
  };
  const notices = () =>
    night.channel.posted.flatMap((content) =>
      content.kind === 'watch-ended' ? [`${content.channel} ${content.why}`] : [],
    );
  const posted = () => night.digests().map(({ channel }) => channel);
  const again = (minute: number) => failureOf(`again ${minute}`, { occurredAt: at(minute) });

  test('edits nothing any more in a channel that takes nothing', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    archive();
    night.minutes = 1;
    await night.poll(failureOf('b', { channel: 'sms', occurredAt: at(1) }));
    night.minutes = 5;
    await night.poll(again(5));
    expect(notices()).toHaveLength(1);
    expect(night.channel.edited).toEqual([]);
  });

  test("notifies operators, also those of a group, of a person's watch that ended if that person can't be messaged", async () => {
    await night.watch();
    night.channel.answerPosts = ({ channel }) => {
      if (channel === 'U0ANN') return { is: 'unreachable', reason: 'user_disabled' };
      return channel.startsWith('U') ? null : shutOut;
    };
    await night.poll(failureOf('a'));
    expect(notices().toSorted()).toEqual(['U0EVE channel-archived', 'U0OPS channel-archived']);
  });

  test('says where a direct message was caused that Slack refuses it, once it can, and in the thread', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerPosts = ({ channel }) =>
      channel === 'U0BEN' ? { is: 'unreachable', reason: 'user_disabled' } : null;
    night.channel.answerInitiators = () => AWAY;
    await act(night.ctx, { incidentId: 1, channel: 'C0ALERTS' }, { what: 'assigned', to: 'U0BEN' }, 'U0ANN');
    await night.announce();
    await night.deliver();
    night.channel.answerInitiators = () => ({ is: 'posted', ts: '', shownHash: '' });
    await night.wait(1);
    const initiator = { person: 'U0ANN', channel: 'C0ALERTS' };
    const unreached = { initiator, recipient: 'U0BEN', code: 'user_disabled' };
    expect(night.channel.told).toEqual([unreached, unreached]);
    await night.wait(1);
    expect(night.lines()).toEqual(['assigned', 'unreached']);
  });

  const member = { isPublic: true, isArchived: false, isMember: true, isShared: false };

  test.each([
    ['channel-left', { ...member, isMember: false }],
    ['channel-archived', { ...member, isArchived: true }],
    ['channel-unknown', null],
  ] as const)('ends a watch at once if the channel confirms it: %s', async (why, channelNow) => {
    Object.assign(night, { channelNow });
    await night.watch();
    night.channel.answerPosts = ({ channel }) => (channel.startsWith('C') ? { ...shutOut, why } : null);
    await night.poll(failureOf('a'));
    expect(notices()).toEqual([`U0ANN ${why}`]);
    const lost = { channel: 'C0ALERTS', why, watch: 'env:all tz:UTC summary:off' };
    const found = await lostWatches(night.store.db, null, at(6 * 1440));
    expect(found.map(({ watch, ...others }) => ({ ...others, watch: watch.split(' ').toSorted() }))).toEqual([
      { ...lost, at: at(0), watch: lost.watch.split(' ').toSorted() },
    ]);
    expect(await lostWatches(night.store.db, null, at(8 * 1440))).toEqual([]);
  });

  test('ends a watch whose channel does not confirm it only if Slack still refuses posts ten minutes later', async () => {
    const why = 'channel-left';
    Object.assign(night, { channelNow: member });
    await night.watch();
    const refuse = () => {
      night.channel.answerPosts = ({ channel }) => (channel.startsWith('C') ? { ...shutOut, why } : null);
    };
    refuse();
    await night.poll(failureOf('a'));
    await night.wait(5);
    night.channel.answerPosts = () => null;
    await night.wait(5);
    expect(posted()).toEqual(['C0ALERTS']);
    refuse();
    night.minutes = 20;
    await night.poll(again(20));
    for (const minutes of [5, 4.9]) await night.wait(minutes);
    expect(notices()).toEqual([]);
    await night.wait(1);
    expect(notices()).toEqual([`U0ANN ${why}`]);
  });

  test('keeps trying in the configured channel, notifies operators once, and loses nothing', async () => {
    await configuredWatch(night.store.db, 'C0ALERTS', at(-1));
    archive();
    await night.poll(failureOf('a'));
    for (const minute of [5, 10, 15]) await night.wait(minute - night.minutes);
    expect(notices().toSorted()).toEqual(['U0EVE channel-archived', 'U0OPS channel-archived']);
    night.channel.answerPosts = () => null;
    await night.wait(6);
    expect(posted()).toEqual(['C0ALERTS']);
  });

  test('goes on in other channels while Slack wants a pause in one', async () => {
    await night.watch();
    await night.watch({}, 'C0OTHER');
    night.channel.answerPosts = ({ channel }) =>
      channel === 'C0ALERTS' ? { is: 'refused', reason: 'ratelimited', retryAfterMs: 90_000, fix: null } : null;
    await night.poll(failureOf('a'));
    expect(posted()).toEqual(['C0OTHER']);
    night.channel.answerPosts = () => null;
    night.minutes = 1;
    await night.poll(again(1));
    expect(posted()).toEqual(['C0OTHER', 'C0OTHER']);
    night.minutes = 1.5;
    await night.deliver();
    expect(posted()).toEqual(['C0OTHER', 'C0OTHER', 'C0ALERTS']);
  });

  test('holds up no message of a channel for another one that Slack refuses', async () => {
    for (const id of ['U0ANN', 'U0BEN']) await night.watch({ mention: { kind: 'person', id } });
    night.channel.answerPosts = () => (night.channel.answers.length === 0 ? AWAY : null);
    await night.poll(failureOf('a'));
    expect(posted()).toEqual(['C0ALERTS', 'C0ALERTS']);
  });

  const failing = (): never => {
    throw new TypeError('a mistake');
  };
  test.for<[string, () => PostOutcome]>([
    ['is not accepted', () => ({ is: 'not-accepted', reason: 'a_new_word' })],
    ['fails unexpectedly', failing],
  ])('gives up a line in a thread that %s again and again, and no alert', async ([, answer]) => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerPosts = answer;
    await night.does(1, { what: 'acknowledged' });
    await night.poll(failureOf('b', { channel: 'sms', occurredAt: at(0) })).catch(() => {});
    for (let second = 0; second < 200; second += 10) {
      night.minutes += 1 / 6;
      await night.endLeases();
      await night.deliver().catch(() => {});
    }
    const rows = await night.store.db.select().from(slackMessages);
    expect(rows.flatMap(({ kind, state }) => (/waiting|posting/.test(state) ? [kind] : []))).toEqual(['digest']);
    night.channel.answerPosts = () => null;
    await night.endLeases();
    await night.wait(10);
    expect(posted()).toHaveLength(2);
  });

  test('asks whether an alert is still there once its thread is not', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerPosts = () => ({ is: 'no-thread', reason: 'thread_not_found' });
    night.channel.answerEdits = () => ({ is: 'deleted', reason: 'message_not_found' });
    await night.does(1, { what: 'acknowledged' });
    await night.deliver();
    expect(night.channel.answers.slice(1)).toEqual(['post no-thread', 'edit deleted']);
  });

  test('ends a run after a minute or when it is stopped, and goes on in the next', async () => {
    await night.watch();
    await night.watch({}, 'C0OTHER');
    night.channel.answerPosts = () => {
      night.minutes += 1;
      return null;
    };
    await night.poll(failureOf('a'));
    await night.deliver(AbortSignal.abort());
    expect(posted()).toHaveLength(1);
    await night.deliver();
    expect(posted()).toHaveLength(2);
  });

  test.for([
    [AWAY, { state: 'gone', isLeft: false, lastRefusal: 'nothing of it is to be told any more' }],
    [null, { state: 'posted', isLeft: true }],
  ] as const)('gives up what is no longer kept, unless it was posted: %o', async ([answer, left]) => {
    await night.watch();
    night.channel.answerPosts = () => answer;
    await night.poll(failureOf('a'));
    night.channel.answerPosts = () => null;
    await night.store.db.write('DELETE FROM incidents');
    await night.store.db.write("UPDATE slack_messages SET next_at = 'epoch'");
    await night.deliver();
    expect(night.channel.answers).toHaveLength(1);
    expect(await night.store.db.select().from(slackMessages)).toMatchObject([left]);
  });
});
