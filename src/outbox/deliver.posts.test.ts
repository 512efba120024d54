import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { AWAY, describeNight } from '../alerts/night.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import type { LogLine } from '../lib/logger.testing.ts';
import { at, failureOf, reading, record } from '../store/examples.testing.ts';
import type { PostOutcome, Search } from './kinds.ts';
import { slackMessages } from './tables.ts';

describeNight('A post', (night) => {
  const shutOut = { is: 'shut-out', reason: 'is_archived', why: 'channel-archived' } as const;
  const posted = () => night.digests().map(({ channel }) => channel);
  const more = (minute: number) => failureOf('a', { eventKey: `event-${minute}`, occurredAt: at(minute) });

  test('puts off a message that fails unexpectedly, looks for it before it is posted again, and goes on with the others', async () => {
    await night.watch();
    await night.watch({}, 'C0OTHER');
    night.channel.answerPosts = ({ channel }) => {
      if (channel === 'C0ALERTS') throw new TypeError('a mistake');
      return null;
    };
    await expect(night.poll(failureOf('a'))).rejects.toThrow('1 messages failed unexpectedly');
    expect(posted()).toEqual(['C0OTHER']);
    const fields = expect.objectContaining({ attempt: 1, err: expect.any(TypeError) });
    const sentence = expect.stringMatching(/^Message failed/);
    expect(night.log).toContainEqual({ level: 'error', sentence, fields });
    night.channel.answerPosts = () => null;
    await night.endLeases();
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
    expect([await night.dueIn(), night.log]).toEqual([2, []]);
    night.channel.answerPosts = () => null;
    await night.endLeases();
    await night.deliver();
    night.channel.answerEdits = fail;
    night.minutes = 3;
    await expect(night.poll(more(3))).rejects.toBe(trouble);
    expect(await night.dueIn()).toBe(2);
  });

  test('leaves a message that was claimed again while it was looked for to that claim', async () => {
    await night.watch();
    night.channel.answerPosts = () => ({ is: 'unanswered' });
    await night.poll(failureOf('a'));
    night.channel.find = async () => {
      await night.store.db.write('UPDATE slack_messages SET begun_at = now()');
      return { found: 'no' };
    };
    await night.endLeases();
    await night.deliver();
    expect(posted()).toHaveLength(1);
    expect(night.log.at(-1)?.sentence).toMatch('claimed again before it was posted');
  });

  test('stays claimed while Slack is slow to say what stands in its channel', async () => {
    const free: number[] = [];
    await night.watch();
    Object.assign(night.channel, {
      answerPosts: () => ({ is: 'unanswered' }),
      find: async () => night.endLeases().then(() => ({ found: 'no' })),
      sentSince: async () => {
        free.push(await night.store.db.$count(slackMessages, sql`leased_until <= clock_timestamp()`));
        return null;
      },
    });
    await night.poll(failureOf('a'));
    await night.endLeases();
    await night.deliver();
    expect(free).toEqual([0, 0]);
  });

  test.for<[answer: PostOutcome, level: LogLine['level'], state: string, dueInSeconds: number | null]>([
    [{ is: 'posted', ts: '1.0', shownHash: '' }, 'info', 'posted', 300],
    [AWAY, 'warn', 'waiting', 2],
    [{ ...AWAY, retryAfterMs: 90_000, fix: 'Invite Notif' }, 'error', 'waiting', 90],
    [shutOut, 'error', 'gone', null],
    [{ is: 'no-thread', reason: 'thread_not_found' }, 'warn', 'gone', null],
    [{ is: 'unanswered' }, 'warn', 'posting', 3],
  ])("logs Slack's answer to a post, and goes by it: %o", async ([answer, level, state, dueInSeconds]) => {
    await night.watch();
    night.channel.answerPosts = () => answer;
    await night.poll(failureOf('a'));
    const [message] = await night.store.db.select().from(slackMessages).where(eq(slackMessages.kind, 'digest'));
    expect([message?.state, await night.dueIn()]).toEqual([state, dueInSeconds]);
    const { is: outcome, shownHash: _, ...said } = { shownHash: '', ...answer };
    const sentence = outcome === 'posted' ? 'Message posted' : "Slack's answer to a post";
    const fields = { messageId: message?.id, kind: 'digest', attempt: 1, channel: 'C0ALERTS', outcome, ...said };
    expect(night.log[0]).toEqual({ level, sentence, fields });
  });

  test.for<{ search: Search; level: LogLine['level']; words: string; isPostedAgain: boolean; dueInSeconds: number }>([
    {
      search: { found: 'yes', ts: '7.0' },
      level: 'info',
      words: 'Message found',
      isPostedAgain: false,
      dueInSeconds: 300,
    },
    {
      search: { found: 'no' },
      level: 'info',
      words: 'Message posted',
      isPostedAgain: true,
      dueInSeconds: 300,
    },
    {
      search: { found: 'not-now', reason: 'ratelimited', retryAfterMs: 90_000 },
      level: 'warn',
      words: "couldn't be looked for",
      isPostedAgain: false,
      dueInSeconds: 90,
    },
  ])(
    'looks for a message before it is posted again: $search',
    async ({ search, level, words, isPostedAgain, dueInSeconds }) => {
      await night.watch();
      night.channel.answerPosts = () => ({ is: 'unanswered' });
      await night.poll(failureOf('a'));
      Object.assign(night.channel, { search, answerPosts: () => null });
      await night.endLeases();
      await night.deliver();
      // Slack may carry out the first post after it was looked for: the second may repeat it.
      expect(night.channel.repeats).toEqual(isPostedAgain ? [false, true] : [false]);
      expect(night.channel.edited.map(({ ts }) => ts)).toEqual(search.found === 'yes' ? ['7.0'] : []);
      expect(await night.dueIn()).toBe(dueInSeconds);
      const fields = expect.objectContaining({ attempt: 2, ...('reason' in search && { reason: search.reason }) });
      expect(night.log[1]).toEqual({ level, sentence: expect.stringContaining(words), fields });
    },
  );

  test('that says what was so then stays as it stands when it is found after a lost answer', async () => {
    await night.watch();
    await night.poll(failureOf('a'));
    night.channel.answerPosts = () => ({ is: 'unanswered' });
    await night.does(1, { what: 'noted', text: 'key rotated' });
    await night.deliver();
    Object.assign(night.channel, { search: { found: 'yes', ts: '7.0' }, answerPosts: () => null });
    night.minutes = 1;
    await night.endLeases();
    await night.poll(failureOf('a', { eventKey: 'later', occurredAt: at(1) }));
    const lines = await night.store.db.select().from(slackMessages).where(eq(slackMessages.kind, 'line'));
    expect(lines).toMatchObject([{ state: 'posted', ts: '7.0' }]);
    expect(night.channel.edited.filter(({ ts }) => ts === '7.0')).toEqual([]);
  });

  test('is made about 2,000 incidents that began together, the largest with their shares', async () => {
    await night.watch();
    await record(night.store, 'production', reading({ failures: [night.refused(0)] }), night.now());
    const copyOf = (table: string, changes: string) =>
      night.store.db.write(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE
        SELECT (jsonb_populate_record(known, jsonb_build_object(${changes}))).* FROM ${table} known, generate_series(2, 2000) n`);
    await copyOf('incidents', `'id', n, 'key', n, 'cause_key', n`);
    await copyOf('failures', `'seq', n, 'incident_id', n, 'event_key', n`);
    await copyOf('outbreaks', `'incident_id', n`);
    await copyOf('outbreak_workflows', `'incident_id', n`);
    await night.poll();
    const [digest] = night.digests();
    expect(digest?.counted).toHaveLength(1_990);
    expect(digest?.rows.map(({ incident }) => incident.attempts?.tried)).toEqual(Array(10).fill(2_000));
  });
});
