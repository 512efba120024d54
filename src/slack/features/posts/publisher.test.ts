import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../../../sandbox/slack/faults.ts';
import { clientOf, quiet, startSlack } from '../../../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../../../sandbox/slack/server.ts';
import { explainCause } from '../../../causes/explain-cause.ts';
import { heard } from '../../../lib/logger.testing.ts';
import type { ChannelRefusal } from '../../../lib/refusals.ts';
import { sleep } from '../../../lib/time/waiting.ts';
import type { EditOutcome, PostOutcome, Publisher, Refused } from '../../../outbox/kinds.ts';
import { aWatch } from '../../../watches/watch.testing.ts';
import { aDigest, anIncident, aRow, at, PRODUCTION } from '../../slack.testing.ts';
import type { Content } from './content.ts';
import { createPublisher } from './publisher.ts';

const ONCALL = 'C0ONCALL';
const ANN = 'U0ANN';
const ONCE = { mayRepeat: false, threadTs: null, isPlain: false, knownBy: '' };
const refused = (reason: string): Refused => ({ is: 'refused', reason, retryAfterMs: null, fix: null });
const LATER = aDigest({ rows: [aRow({ failures: 412, attempts: null })] });
/** Reports rate limits, like the client for deliveries in production. */
function onceOnly(slack: LocalSlack): WebClient {
  const once = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, logger: quiet };
  return new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, ...once });
}

describe('The publisher', () => {
  let slack: LocalSlack;
  let publisher: Publisher<Content>;

  const workspace = { namesOf: async () => new Map([[ANN, 'ann']]) };
  const { logger, log } = heard();
  const channels = { newId: async (id: string) => (id === 'G0OPS' ? 'C0OPS' : null) };
  const words = { environments: [PRODUCTION], workspace, explainCause };
  const drawing = { ...words, channels, logger, sleep, storeCode: '0a1b2c3d' };

  beforeAll(async () => {
    slack = await startSlack();
    publisher = createPublisher({ postingClient: onceOnly(slack), ...drawing });
  });
  afterAll(() => slack.close());
  beforeEach(() => slack.faults.clear());

  const find = (id: string, channel = ONCALL, threadTs: string | null = null, since = new Date()) =>
    publisher.find({ id, channel, threadTs }, since);
  const inChannel = () => slack.workspace.as('U0ANN').sees(ONCALL);

  async function posted(content: Content, options: Partial<Parameters<Publisher<Content>['post']>[1]> = {}) {
    const outcome = await publisher.post(content, { ...ONCE, ...options });
    if (outcome.is !== 'posted') throw new Error(`not posted: ${outcome.is}`);
    const { ts, shownHash } = outcome;
    return { id: content.id, channel: content.channel, ts, shownHash, isPlain: false };
  }

  test('posts what a digest is about, and logs why, if a bug keeps it from being drawn', async () => {
    const explaining = { ...drawing, explainCause: () => Object.assign([], { find: null }) as never };
    const odd = createPublisher({ postingClient: onceOnly(slack), ...explaining });
    const outcome = await odd.post(aDigest({ id: 'odd' }), ONCE);
    expect(outcome.is).toBe('posted');
    expect(inChannel().at(-1)?.text).toMatch(/^⚠️ \*Notif can't draw this message\.\*.*\nIt is about #\d+/);
    expect(log.at(-1)).toMatchObject({ level: 'error', fields: { messageId: 'odd', err: expect.any(TypeError) } });
  });

  test("finds a digest whose post began by a clock up to ten minutes ahead of Slack's", async () => {
    const { ts } = await posted(aDigest({ id: 'by-a-fast-clock' }));
    const ahead = (minutes: number) => new Date(Number(ts) * 1000 + minutes * 60_000);
    expect(await find('by-a-fast-clock', ONCALL, null, ahead(9.5))).toEqual({ found: 'yes', ts });
    expect(await find('by-a-fast-clock', ONCALL, null, ahead(11))).toEqual({ found: 'no' });
  });

  test('posts what happened to an incident in its thread, finds it there again, and names people without a mention', async () => {
    const { ts } = await posted(aDigest({ id: 'the-first' }));
    const change = { action: 'acknowledged' } as const;
    const entry = { id: 1, incidentId: 1, at: at(60), actor: ANN, channel: ONCALL, outbreak: 1, change };
    const shown = { turns: [{ event: { is: 'entry', entry }, incident: anIncident() }], isNamed: false } as const;
    const line = { kind: 'line', channel: ONCALL, isBroadcast: false, mention: null, ...shown } as const;
    const reply = await posted({ ...line, id: 'reply' }, { threadTs: ts, knownBy: 'acknowledged' });
    const seen = inChannel().find((each) => each.ts === reply.ts);
    expect(seen).toMatchObject({ threadTs: ts, mentionsMe: false });
    expect(seen?.text).toMatch(/^production #1 · Email via SendGrid · 👀 Acknowledged by ann at/);
    expect(await find('reply', ONCALL, ts)).toEqual({ found: 'yes', ts: reply.ts });
    expect(await find('reply')).toEqual({ found: 'no' });
    const sent = await publisher.sentSince({ channel: ONCALL, threadTs: ts }, new Date(0));
    expect(sent?.at(-1)).toMatchObject({ id: 'reply', ts: reply.ts, knownBy: 'acknowledged' });
    const allClear = await posted({ ...line, id: 'all-clear', isBroadcast: true }, { threadTs: ts });
    expect(inChannel().map((each) => [each.ts, each.isBroadcast])).toContainEqual([allClear.ts, true]);
  });

  test('gives up a thread that somebody locked, or whose message was deleted, and leaves nothing in the channel', async () => {
    const { ts: locked } = await posted(aDigest());
    const { ts: deleted } = await posted(aDigest());
    slack.workspace.lockThread(ONCALL, locked);
    slack.workspace.deleteMessage(ONCALL, deleted);
    const before = inChannel().length;
    const reply = (threadTs: string) => publisher.post(aDigest(), { ...ONCE, threadTs });
    expect(await reply(locked)).toEqual({ is: 'no-thread', reason: 'restricted_action_thread_locked' });
    expect(await reply(deleted)).toEqual({ is: 'no-thread', reason: 'thread_not_found' });
    expect(inChannel()).toHaveLength(before);
    slack.faults.next('chat.delete', { kind: 'error', error: 'cant_delete_message' });
    expect(await reply(deleted)).toMatchObject({ is: 'no-thread' });
    expect(log.at(-1)).toMatchObject({ level: 'warn', sentence: expect.stringMatching("couldn't be deleted") });
  });

  test('has what Slack refuses by a former ID of its channel tried at once by the new one', async () => {
    const atNewId = { ...refused('channel_id_changed'), retryAfterMs: 0 };
    expect(await publisher.post(aDigest({ channel: 'G0OPS' }), ONCE)).toEqual(atNewId);
    const message = { channel: 'G0OPS', ts: '1712345678.000200', shownHash: null, isPlain: false };
    expect(await publisher.edit(LATER, message)).toEqual(atNewId);
  });

  test.each(['msg_too_long', 'a_new_word'])('reports that Slack accepts a message not as it is: %s', async (reason) => {
    slack.faults.next('chat.postMessage', { kind: 'error', error: reason }, 3);
    expect(await publisher.post(aDigest(), ONCE)).toEqual({ is: 'not-accepted', reason });
    slack.faults.clear();
  });

  test('finds a message behind a whole page of others', async () => {
    const { ts } = await posted(aDigest({ id: 'far-back' }));
    const ann = slack.workspace.as(ANN);
    for (let n = 0; n < 201; n += 1) await ann.says(ONCALL, `message ${n}`);
    expect(await find('far-back', ONCALL, null, new Date(Date.now() - 60_000))).toEqual({ found: 'yes', ts });
  });

  test("takes no message of another app or store for its own, though it has a message's ID", async () => {
    await posted(aDigest({ id: 'copied' }));
    const ofOtherStore = createPublisher({ postingClient: onceOnly(slack), ...drawing, storeCode: 'f0e0d0c0' });
    const clientOfOtherApp = onceOnly(slack);
    clientOfOtherApp.auth.test = async () => ({ ok: true, bot_id: 'B0OTHER' });
    const ofOtherApp = createPublisher({ postingClient: clientOfOtherApp, ...drawing });
    for (const other of [ofOtherStore, ofOtherApp]) {
      const place = { channel: ONCALL, threadTs: null };
      expect(await other.find({ id: 'copied', ...place }, new Date())).toEqual({ found: 'no' });
      expect(await other.sentSince(place, new Date(0))).toEqual([]);
    }
    expect(await find('copied')).toMatchObject({ found: 'yes' });
  });

  test('finds what a version before has posted, which gave messages only their IDs', async () => {
    const metadata = { event_type: 'notif_delivery', event_payload: { delivery_id: 'older' } };
    await onceOnly(slack).chat.postMessage({ channel: ONCALL, text: 'An alert', metadata });
    expect(await find('older')).toMatchObject({ found: 'yes' });
  });

  test('finds nothing in a history that can never be read', async () => {
    slack.faults.next('conversations.history', { kind: 'error', error: 'missing_scope' });
    expect(await find('digest-1')).toEqual({ found: 'no' });
  });

  test.each([
    [{ kind: 'http', status: 503 }],
    [{ kind: 'error', error: 'internal_error' }],
    [{ kind: 'reset', when: 'after' }],
  ] as const)('reports when reading the history may work later: %o', async (fault) => {
    slack.faults.next('conversations.history', fault, 9);
    expect(await find('digest-1')).toMatchObject({ found: 'not-now' });
    slack.faults.clear();
  });

  test.each([
    ['is_archived', 'channel-archived'],
    ['not_in_channel', 'channel-left'],
    ['channel_not_found', 'channel-unknown'],
    ['restricted_action', 'channel-restricted'],
    ['user_not_visible', 'channel-unknown'],
  ] satisfies [string, ChannelRefusal][])('reports being shut out of a channel by %s', async (reason, why) => {
    slack.faults.next('chat.postMessage', { kind: 'error', error: reason });
    expect(await publisher.post(aDigest(), ONCE)).toEqual({ is: 'shut-out', reason, why });
  });

  test.each(['missing_scope', 'invalid_auth', 'app_access_restricted'])(
    'reports how to fix the app after %s',
    async (reason) => {
      slack.faults.next('chat.postMessage', { kind: 'error', error: reason });
      const outcome: PostOutcome = { ...refused(reason), fix: expect.stringContaining('SLACK_BOT_TOKEN') };
      expect(await publisher.post(aDigest(), ONCE)).toEqual(outcome);
    },
  );

  test('reports how long a rate limit lasts', async () => {
    const limit = { kind: 'rate-limited', retryAfterSeconds: 7 } as const;
    for (const method of ['chat.postMessage', 'chat.update', 'conversations.history']) slack.faults.next(method, limit);
    const rateLimited = { ...refused('ratelimited'), retryAfterMs: 7_000 };
    expect(await publisher.post(aDigest(), ONCE)).toEqual(rateLimited);
    const message = await posted(aDigest());
    expect(await publisher.edit(LATER, message)).toEqual(rateLimited);
    expect(await find('digest-1')).toMatchObject({ found: 'not-now', retryAfterMs: 7_000 });
  });

  test.each([
    { kind: 'reset', when: 'after' },
    { kind: 'http', status: 502 },
    { kind: 'error', error: 'fatal_error' },
  ] as const)('reports a post as unanswered: %j', async (fault) => {
    slack.faults.next('chat.postMessage', fault);
    expect(await publisher.post(aDigest(), ONCE)).toEqual({ is: 'unanswered' });
  });

  test('reports that nothing was posted if no connection was made', async () => {
    const nowhere = await startSlack();
    const client = clientOf(nowhere);
    await nowhere.close();
    const away = createPublisher({ postingClient: client, ...drawing });
    expect(await away.post(aDigest(), ONCE)).toMatchObject({ is: 'refused', fix: null });
  });

  test('edits its message only when something of it changed', async () => {
    const message = await posted(aDigest());
    const { shownHash } = message;
    expect(await publisher.edit(aDigest(), message)).toEqual({ is: 'unchanged', shownHash });
    expect(await publisher.edit(LATER, message)).toMatchObject({ is: 'edited' });
    expect(inChannel().find(({ ts }) => ts === message.ts)?.text).toMatch(/^🔴 production #1 · 412 failures · /);
    expect(JSON.stringify(inChannel().find((each) => each.ts === message.ts)?.blocks)).toContain('412 failures');
    expect(slack.calls.of('chat.update').at(-1)?.args).toMatchObject({ parse: 'none' });
  });

  test('marks a possible duplicate in its text too', async () => {
    const { ts } = await posted(aDigest({ id: 'repeated' }), { mayRepeat: true });
    expect(inChannel().find((each) => each.ts === ts)?.text).toMatch(/48 of 60.*⚠️ Possible duplicate: /s);
  });

  test('reports that a message was deleted', async () => {
    const message = await posted(aDigest());
    slack.workspace.deleteMessage(ONCALL, message.ts);
    expect(await publisher.edit(LATER, message)).toEqual({ is: 'deleted', reason: 'message_not_found' });
  });

  test.each(['edit_window_closed', 'cant_update_message', 'msg_too_long', 'restricted_action_thread_locked'])(
    'reports that Slack takes no such edit after %s',
    async (reason) => {
      const message = await posted(aDigest());
      slack.faults.next('chat.update', { kind: 'error', error: reason });
      expect(await publisher.edit(LATER, message)).toEqual({ is: 'not-accepted', reason });
    },
  );

  test.each([
    [{ kind: 'http', status: 503 }, refused('HTTP 503')],
    [{ kind: 'reset', when: 'after' }, refused('the answer was lost')],
    [
      { kind: 'error', error: 'missing_scope' },
      { ...refused('missing_scope'), fix: expect.stringContaining('manifest.yml') },
    ],
    ...['is_archived', 'is_inactive', 'update_failed', 'external_channel_migrating', 'message_limit_exceeded'].map(
      (error): [Fault, EditOutcome] => [{ kind: 'error', error }, refused(error)],
    ),
    [
      { kind: 'error', error: 'a_new_word' },
      { is: 'not-accepted', reason: 'a_new_word' },
    ],
  ] satisfies [Fault, EditOutcome][])('reports a temporary failure to edit after %o', async (fault, outcome) => {
    const message = await posted(aDigest());
    slack.faults.next('chat.update', fault);
    expect(await publisher.edit(LATER, message)).toEqual(outcome);
  });

  test("takes a word about an account for the person's, unless Slack refuses the token by it, too", async () => {
    const shown = { news: { what: 'back' }, at: at(0), incident: anIncident(), title: anIncident() } as const;
    const direct = { kind: 'personal', id: 'd', channel: ANN, ...shown } as const;
    const reason = 'account_inactive';
    slack.faults.next('chat.postMessage', { kind: 'error', error: reason }, 2);
    expect(await publisher.post(direct, ONCE)).toEqual({ is: 'unreachable', reason });
    slack.faults.next('auth.test', { kind: 'error', error: reason });
    expect(await publisher.post(direct, ONCE)).toMatchObject({ is: 'refused', reason });
  });

  test('finds a direct message again if Notif can read its history', async () => {
    const lost = { watch: aWatch(), why: 'channel-archived' } as const;
    const ended = { kind: 'watch-ended', id: 'direct', channel: ANN, ...lost } as const;
    const { ts } = await posted(ended);
    expect(await find('direct', ANN)).toEqual({ found: 'yes', ts });
  });
});
