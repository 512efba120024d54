import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { StoreTroubleError } from '../lib/errors.ts';
import type { LogLine } from '../lib/logger.testing.ts';
import { at, checkedTo, failureOf, stretch } from '../store/examples.testing.ts';
import { messages } from '../store/schema.ts';
import { describeStore } from '../store/store.testing.ts';
import { UNFILTERED } from '../watches/settings.ts';
import { configuredWatch, madeWatch } from '../watches/watches.testing.ts';
import { watches } from '../watches/watches.ts';
import type { EditOutcome, PostOutcome, Search } from './deliver.ts';
import { COUNTS_A_MINUTE, editRefusals, nextDueAt } from './outbox.ts';
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
  const watchOther = (channel = 'C0OTHER') =>
    madeWatch(store().db, { channel, createdBy: 'U0BEN', settings: UNFILTERED }, at(-1));
  const posted = () => night.digests().map(({ channel }) => channel);
  const again = (minute: number) => failureOf(`again ${minute}`, { occurredAt: at(minute) });
  const more = (minute: number) => failureOf('a', { eventKey: `event-${minute}`, occurredAt: at(minute) });
  const endLeases = () => store().db.write(`UPDATE messages SET leased_until = now() - interval '1 second'`);
  const lastLine = () => night.log.at(-1);
  /** In how many seconds a message is to be posted or edited, rounded up. */
  const dueIn = async () => {
    const due = await nextDueAt(store().db, night.now());
    return due && Math.ceil((due.getTime() - night.now().getTime() - 1) / 1_000);
  };
  const refused = { outcome: 'refused', reason: 'ratelimited', retryAfterMs: null, fix: null } as const;

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
    await watchOther();
    night.channel.answerPosts = ({ channel }) =>
      channel === 'C0ALERTS' ? { outcome: 'refused', reason: 'ratelimited', retryAfterMs: 90_000, fix: null } : null;
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

  test('puts off a message that fails unexpectedly, looks for it before it is posted again, and goes on with the others', async () => {
    await night.watch();
    await watchOther();
    night.channel.answerPosts = ({ channel }) => {
      if (channel === 'C0ALERTS') throw new TypeError('a mistake');
      return null;
    };
    await expect(night.poll(failureOf('a'))).rejects.toThrow('1 messages failed unexpectedly');
    expect(posted()).toEqual(['C0OTHER']);
    const fields = expect.objectContaining({ attempt: 1, waitMs: 2_000, err: expect.any(TypeError) });
    const sentence = expect.stringMatching(/^Message failed/);
    expect(night.log).toContainEqual({ level: 'error', sentence, fields });
    night.channel.answerPosts = () => null;
    await endLeases();
    await night.deliver();
    expect(posted()).toEqual(['C0OTHER', 'C0ALERTS']);
  });

  test('waits for a store in trouble, and no longer than after another failure', async () => {
    const trouble = new StoreTroubleError('not-answering');
    const fail = () => {
      throw trouble;
    };
    await night.watch();
    night.channel.answerPosts = fail;
    await expect(night.poll(failureOf('a'))).rejects.toBe(trouble);
    expect([await dueIn(), night.log]).toEqual([2, []]);
    night.channel.answerPosts = () => null;
    await endLeases();
    await night.deliver();
    night.channel.answerEdits = fail;
    night.minutes = 3;
    await expect(night.poll(more(3))).rejects.toBe(trouble);
    expect(await dueIn()).toBe(2);
  });

  test('leaves a message that can never be edited as it is', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerEdits = () => ({ outcome: 'frozen', reason: 'edit_window_closed' });
    for (const minute of [2, 4, 6]) {
      await endLeases();
      night.minutes = minute;
      await night.poll(more(minute));
    }
    expect(night.counted).toEqual(['post posted', 'edit frozen']);
  });

  test('tries an edit that Slack refuses for now again, ever later, and names its channel meanwhile', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerEdits = () => ({ ...refused, reason: 'is_archived' });
    night.minutes = 2;
    await night.poll(again(2));
    for (let second = 0; second < 58; second += 2) {
      night.minutes += 1 / 30;
      await night.deliver();
    }
    expect(night.counted.filter((counted) => counted === 'edit refused')).toHaveLength(5);
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
    await endLeases();
    await night.deliver();
    expect(posted()).toHaveLength(1);
    expect(lastLine()?.sentence).toMatch('claimed again before it was posted');
  });

  test.for<[PostOutcome, LogLine['level'], string, number | null]>([
    [{ outcome: 'posted', ts: '1.0', shownHash: '' }, 'info', 'posted', null],
    [refused, 'warn', 'waiting', 2],
    [{ ...refused, retryAfterMs: 90_000, fix: 'Invite Notif' }, 'error', 'waiting', 90],
    [shutOut, 'error', 'gone', null],
    [{ outcome: 'no-thread', reason: 'thread_not_found' }, 'warn', 'gone', null],
    [{ outcome: 'unknown' }, 'warn', 'posting', 3],
  ])("logs and counts Slack's answer to a post, and goes by it: %o", async ([answer, level, state, due]) => {
    await night.watch();
    night.channel.answerPosts = () => answer;
    await night.poll(failureOf('a'));
    const [message] = await store().db.select().from(messages).where(eq(messages.kind, 'digest'));
    expect(message?.state).toBe(state);
    expect(await dueIn()).toBe(due);
    expect(night.counted[0]).toBe(`post ${answer.outcome}`);
    const sentence = answer.outcome === 'posted' ? 'Message posted' : "Slack's answer to a post";
    const fields = { messageId: message?.id, kind: 'digest', attempt: 1, ...answer };
    expect(night.log[0]).toEqual({ level, sentence, fields });
  });

  test.for<[EditOutcome, LogLine['level'] | null]>([
    [{ outcome: 'edited', shownHash: '' }, null],
    [{ outcome: 'unchanged', shownHash: '' }, null],
    [refused, 'warn'],
    [{ ...refused, fix: 'Invite Notif' }, 'error'],
    [{ outcome: 'deleted', reason: 'message_not_found' }, 'warn'],
  ])("counts Slack's answer to an edit, and logs what is no success: %o", async ([answer, level]) => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerEdits = () => answer;
    night.minutes = 2;
    await night.poll(more(2));
    expect(night.counted).toEqual(['post posted', `edit ${answer.outcome}`]);
    const line = { level, sentence: "Slack's answer to an edit", fields: expect.objectContaining(answer) };
    expect(night.log.slice(1)).toEqual(level === null ? [] : [line]);
  });

  test.for<[Search, LogLine['level'], string, boolean[], number | null]>([
    [{ found: 'yes', ts: '7.0' }, 'info', 'Message found', [], null],
    [{ found: 'no' }, 'info', 'Message posted', [false], null],
    [{ found: 'cannot-read', reason: 'missing_scope' }, 'warn', "history can't be read", [true], null],
    [{ found: 'not-now', reason: 'ratelimited', retryAfterMs: 90_000 }, 'warn', "couldn't be looked for", [], 90],
  ])('looks for a message before it is posted again: %o', async ([search, level, words, repeats, due]) => {
    await night.watch();
    night.channel.answerPosts = () => ({ outcome: 'unknown' });
    await night.poll(failureOf('a'));
    Object.assign(night.channel, { search, answerPosts: () => null });
    await endLeases();
    await night.deliver();
    expect(night.channel.repeats).toEqual([false, ...repeats]);
    expect(night.channel.edited.map(({ ts }) => ts)).toEqual(search.found === 'yes' ? ['7.0'] : []);
    expect(await dueIn()).toBe(due);
    expect(night.counted[1]).toBe(`find ${search.found}`);
    const fields = expect.objectContaining({ attempt: 2, ...('reason' in search && { reason: search.reason }) });
    expect(night.log[1]).toEqual({ level, sentence: expect.stringContaining(words), fields });
  });

  test('holds up no message of a channel for another one that Slack refuses', async () => {
    await night.watch();
    await night.watch({ hasThread: false });
    night.channel.answerPosts = () => (night.counted.length === 0 ? refused : null);
    await night.poll(failureOf('a'));
    expect(posted()).toEqual(['C0ALERTS']);
  });

  test('ends a run after a minute or when it is told to, and goes on in the next', async () => {
    await night.watch();
    await watchOther();
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

  test('edits nothing anywhere while Slack wants a pause for edits', async () => {
    await night.watch();
    await watchOther();
    await night.poll(failureOf('a'));
    night.channel.answerEdits = () => ({ ...refused, retryAfterMs: 90_000 });
    night.minutes = 2;
    await night.poll(more(2));
    night.minutes = 3.4;
    await night.deliver();
    expect(night.counted.slice(2)).toEqual(['edit refused']);
    night.channel.answerEdits = () => null;
    night.minutes = 3.5;
    await night.deliver();
    expect(night.channel.edited).toHaveLength(2);
  });

  test('draws new counts in at most twenty messages a minute, apart from those that show them already', async () => {
    for (let place = 0; place < COUNTS_A_MINUTE + 2; place += 1) await watchOther(`C${place}`);
    await night.poll(failureOf('a'));
    const drawn = () => night.counted.filter((counted) => counted.startsWith('edit')).length;
    night.channel.answerEdits = () => ({ outcome: drawn() === 0 ? 'unchanged' : 'edited', shownHash: '' });
    night.minutes = 2;
    await night.poll(more(2));
    night.minutes = 2.99;
    await night.deliver();
    expect(drawn()).toBe(COUNTS_A_MINUTE + 1);
    night.minutes = 3;
    await night.deliver();
    expect(drawn()).toBe(2 * COUNTS_A_MINUTE + 1);
  });

  test.for([
    ['repeat:abc', 'repeat:'],
    ['abc', ''],
  ] as const)('tries an edit that fails unexpectedly again, of which only the mark is certain: %s', async (hashes) => {
    await night.watch();
    night.channel.answerPosts = () => ({ outcome: 'posted', ts: '1.0', shownHash: hashes[0] });
    await night.poll(failureOf('a'));
    const shown: (string | null)[] = [];
    night.channel.answerEdits = ({ shownHash }) => {
      shown.push(shownHash);
      if (shown.length === 1) throw new TypeError('a mistake');
      return null;
    };
    night.minutes = 2;
    await expect(night.poll(more(2))).rejects.toThrow('1 messages failed unexpectedly');
    const fields = expect.objectContaining({ kind: 'digest', attempt: 1, err: expect.any(TypeError) });
    expect(lastLine()).toEqual({ level: 'error', sentence: expect.stringMatching(/^Edit failed/), fields });
    expect(await store().db.select().from(messages)).toMatchObject([{ lastRefusal: 'failed unexpectedly' }]);
    expect(await dueIn()).toBe(2);
    await night.wait(1 / 30);
    expect(shown).toEqual(hashes);
  });

  test.for([
    [refused, { state: 'gone', lastRefusal: 'what it was about is not kept any more' }],
    [null, { state: 'posted', isFrozen: true }],
  ] as const)('gives up what is not kept any more, unless it was posted: %o', async ([answer, left]) => {
    await night.watch();
    await checkedTo(store(), at(10), stretch(at(2), at(8)));
    night.channel.answerPosts = () => answer;
    night.minutes = 10;
    await night.poll();
    night.channel.answerPosts = () => null;
    await store().db.write('DELETE FROM gaps');
    await store().db.write("UPDATE messages SET next_at = 'epoch'");
    await night.deliver();
    expect(night.counted).toHaveLength(1);
    expect(await store().db.select().from(messages)).toMatchObject([left]);
  });
});
