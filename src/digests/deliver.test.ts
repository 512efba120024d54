import { beforeEach, expect, test } from 'vitest';
import { at, failureOf } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { UNFILTERED } from '../watches/settings.ts';
import { configuredWatch, madeWatch } from '../watches/watches.testing.ts';
import { watches } from '../watches/watches.ts';
import { editRefusals } from './outbox.ts';
import { aNight, type Night } from './told.testing.ts';

describeStore('Delivery', (store) => {
  let night: Night;
  beforeEach(async () => {
    night = await aNight(store());
  });
  const shutOut = { outcome: 'shut-out', reason: 'is_archived', why: 'channel-archived' } as const;
  const archive = () => {
    night.channel.answerPosts = ({ channel }) => (channel.startsWith('C') ? shutOut : null);
  };
  const notices = () =>
    night.channel.posted.flatMap((content) =>
      content.kind === 'watch-ended' ? [`${content.channel} ${content.why}`] : [],
    );
  const posted = () => night.digests().map(({ channel }) => channel);
  const again = (minute: number) => failureOf(`again ${minute}`, { occurredAt: at(minute) });

  test("ends a person's watch in a channel that takes nothing, and tells that person once", async () => {
    await night.watch();
    archive();
    await night.poll(failureOf('a'));
    night.minutes = 1;
    await night.poll(again(1));
    expect(notices()).toEqual(['U0ANN channel-archived']);
    expect(await watches(store().db)).toEqual([]);
  });

  test('keeps trying in the configured channel, tells operators once, and loses nothing', async () => {
    await configuredWatch(store().db, 'C0ALERTS', at(-1));
    archive();
    await night.poll(failureOf('a'));
    for (const minute of [5, 10, 15]) await night.wait(minute - night.minutes);
    expect(notices()).toEqual(['U0OPS channel-archived']);
    night.channel.answerPosts = () => null;
    await night.wait(6);
    expect(posted()).toEqual(['C0ALERTS']);
  });

  test('goes on in other channels while Slack wants a pause in one', async () => {
    await night.watch();
    await madeWatch(store().db, { channel: 'C0OTHER', createdBy: 'U0BEN', settings: UNFILTERED }, at(-1));
    night.channel.answerPosts = ({ channel }) =>
      channel === 'C0ALERTS' ? { outcome: 'refused', reason: 'ratelimited', retryAfterMs: 90_000, fix: null } : null;
    await night.poll(failureOf('a'));
    expect(posted()).toEqual(['C0OTHER']);
    night.channel.answerPosts = () => null;
    night.minutes = 1;
    await night.deliver();
    expect(posted()).toEqual(['C0OTHER']);
    night.minutes = 1.6;
    await night.deliver();
    expect(posted()).toEqual(['C0OTHER', 'C0ALERTS']);
  });

  test('puts off a message that fails unexpectedly, looks for it before it is posted again, and goes on with the others', async () => {
    await night.watch();
    await madeWatch(store().db, { channel: 'C0OTHER', createdBy: 'U0BEN', settings: UNFILTERED }, at(-1));
    night.channel.answerPosts = ({ channel }) => {
      if (channel === 'C0ALERTS') throw new TypeError('a mistake');
      return null;
    };
    await night.poll(failureOf('a'));
    expect(posted()).toEqual(['C0OTHER']);
    night.channel.answerPosts = () => null;
    await store().db.write(`UPDATE messages SET leased_until = now() - interval '1 second' WHERE state = 'posting'`);
    await night.deliver();
    expect(posted()).toEqual(['C0OTHER', 'C0ALERTS']);
  });

  test('leaves a message that can never be edited as it is', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    let tries = 0;
    night.channel.answerEdits = () => {
      tries += 1;
      return { outcome: 'frozen', reason: 'edit_window_closed' };
    };
    for (const minute of [2, 4, 6]) {
      night.minutes = minute;
      await night.poll(failureOf('a', { eventKey: `event-${minute}`, occurredAt: at(minute) }));
    }
    expect(tries).toBe(1);
  });

  test('tries an edit that Slack refuses for now again, ever later, and names its channel meanwhile', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    let tries = 0;
    night.channel.answerEdits = () => {
      tries += 1;
      return { outcome: 'refused', reason: 'is_archived', retryAfterMs: null, fix: null };
    };
    night.minutes = 2;
    await night.poll(again(2));
    for (let second = 0; second < 58; second += 2) {
      night.minutes += 1 / 30;
      await night.deliver();
    }
    expect(tries).toBe(5);
    expect(await editRefusals(store().db)).toEqual([{ channel: 'C0ALERTS', reason: 'is_archived' }]);
    night.channel.answerEdits = () => null;
    await night.wait(1);
    expect(night.channel.edited).toHaveLength(1);
    expect(await editRefusals(store().db)).toEqual([]);
  });

  test('leaves a message that was claimed again while it was looked for to that claim', async () => {
    await night.watch();
    night.channel.answerPosts = () => ({ outcome: 'unknown' });
    await night.poll(failureOf('a'));
    night.channel.find = async () => {
      await store().db.write('UPDATE messages SET attempt = attempt + 1');
      return { found: 'no' };
    };
    await store().db.write(`UPDATE messages SET leased_until = now() - interval '1 second'`);
    await night.deliver();
    expect(posted()).toHaveLength(1);
  });
});
