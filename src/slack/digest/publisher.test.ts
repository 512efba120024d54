import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { clientOf, quiet, startSlack } from '../../../sandbox/slack/testing.ts';
import type { DigestContent } from '../../domain/delivery.ts';
import type { Logger } from '../../domain/logger.ts';
import type { DigestPublisher } from '../../use-cases/deliver-digests.ts';
import { aDigest, aRow, aTally, at, PRODUCTION } from '../slack.testing.ts';
import { createDigestPublisher } from './publisher.ts';

const ONCALL = 'C0ONCALL';
const ONCE = { possibleRepeat: false };

describe('the publisher of digests', () => {
  let slack: LocalSlack;
  let publisher: DigestPublisher;
  const errors: string[] = [];
  const logger: Logger = { debug() {}, info() {}, warn() {}, error: (_fields, sentence) => void errors.push(sentence) };

  beforeAll(async () => {
    slack = await startSlack();
    const client = clientOf(slack);
    publisher = createDigestPublisher({ client, deliveryClient: client, environments: [PRODUCTION], logger });
  });
  afterAll(() => slack.close());
  beforeEach(() => {
    slack.faults.clear();
    errors.length = 0;
  });

  const inChannel = () => slack.workspace.as('U0ANN').sees(ONCALL);

  async function posted(content: DigestContent, options = ONCE) {
    const outcome = await publisher.post(content, options);
    if (outcome.outcome !== 'posted') throw new Error(`not posted: ${outcome.outcome}`);
    return { id: content.id, channel: content.channel, ts: outcome.ts, fingerprint: outcome.fingerprint };
  }

  test('posts a digest for everybody in its channel', async () => {
    const { ts } = await posted(aDigest());
    const message = inChannel().find((one) => one.ts === ts);
    expect(message).toMatchObject({
      onlyVisibleTo: null,
      text: expect.stringContaining('production: 1 new failure group.'),
    });
    expect(message?.blocks.length).toBeGreaterThan(2);
  });

  test('finds it again by its id, and no other', async () => {
    const { ts } = await posted(aDigest({ id: 'to-be-found' }));
    expect(await publisher.find('to-be-found', ONCALL, new Date())).toEqual({ found: 'yes', ts });
    expect(await publisher.find('never-posted', ONCALL, new Date())).toEqual({ found: 'no' });
  });

  test('finds one that stands behind a whole page of others', async () => {
    const { ts } = await posted(aDigest({ id: 'far-back' }));
    const client = clientOf(slack);
    for (let n = 0; n < 220; n += 1) await client.chat.postMessage({ channel: ONCALL, text: `message ${n}` });
    expect(await publisher.find('far-back', ONCALL, new Date(Date.now() - 60_000))).toEqual({ found: 'yes', ts });
  });

  test('says when a channel’s history can not be read for good', async () => {
    slack.faults.next('conversations.history', { kind: 'error', error: 'missing_scope' });
    expect(await publisher.find('digest-1', ONCALL, new Date())).toEqual({
      found: 'cannot-read',
      reason: 'missing_scope',
    });
  });

  test.each([
    [{ kind: 'http', status: 503 }],
    [{ kind: 'error', error: 'internal_error' }],
    [{ kind: 'reset', when: 'after' }],
  ] as const)('says when asking the history again may help: %o', async (fault) => {
    slack.faults.next('conversations.history', fault, 9);
    expect(await publisher.find('digest-1', ONCALL, new Date())).toMatchObject({ found: 'not-now' });
    slack.faults.clear();
  });

  test.each([
    ['not_in_channel', 'invite Notif'],
    ['channel_not_found', 'check the channel id'],
    ['is_archived', 'unarchive the channel'],
    ['missing_scope', 'install the Slack app again'],
    ['invalid_auth', 'SLACK_BOT_TOKEN'],
  ])('says what to mend after %s', async (error, mend) => {
    slack.faults.next('chat.postMessage', { kind: 'error', error });
    expect(await publisher.post(aDigest(), ONCE)).toEqual({
      outcome: 'not-posted',
      reason: error,
      retryAfterMs: null,
      mend: expect.stringContaining(mend),
    });
  });

  test('says how long a rate limit lasts', async () => {
    const client = clientOf(slack);
    const deliveryClient = new WebClient(slack.botToken, {
      slackApiUrl: slack.apiUrl,
      rejectRateLimitedCalls: true,
      logger: quiet,
      retryConfig: { retries: 0 },
    });
    const delivering = createDigestPublisher({ client, deliveryClient, environments: [PRODUCTION], logger });
    slack.faults.next('chat.postMessage', { kind: 'rate-limited', retryAfterSeconds: 7 });
    expect(await delivering.post(aDigest(), ONCE)).toMatchObject({
      outcome: 'not-posted',
      retryAfterMs: 7_000,
      mend: null,
    });
  });

  test.each([
    { kind: 'reset', when: 'after' },
    { kind: 'http', status: 502 },
    { kind: 'error', error: 'fatal_error' },
  ] as const)('does not know what became of a post: %j', async (fault) => {
    slack.faults.next('chat.postMessage', fault);
    expect(await publisher.post(aDigest(), ONCE)).toEqual({ outcome: 'unknown' });
  });

  test('knows that nothing was posted where no connection was made', async () => {
    const nowhere = await startSlack();
    const client = clientOf(nowhere);
    await nowhere.close();
    const away = createDigestPublisher({ client, deliveryClient: client, environments: [PRODUCTION], logger });
    expect(await away.post(aDigest(), ONCE)).toMatchObject({ outcome: 'not-posted', mend: null });
  });

  test('posts words alone where Slack refuses the blocks, and says so in the log', async () => {
    slack.faults.next('chat.postMessage', { kind: 'error', error: 'invalid_blocks' });
    const { ts } = await posted(aDigest({ id: 'in-words' }));
    const message = inChannel().find((one) => one.ts === ts);
    expect(message).toMatchObject({ text: expect.stringContaining('48 failed'), blocks: [] });
    expect(errors).toEqual(['Slack refused the blocks of a digest, posting its words alone']);
  });

  test('edits its message when its groups have counted on, and only then', async () => {
    const message = await posted(aDigest());
    expect(await publisher.edit(aDigest(), message)).toEqual({
      outcome: 'unchanged',
      fingerprint: message.fingerprint,
    });
    const later = aDigest({
      rows: [aRow({ tally: aTally({ failures: 412, lastSeen: at(1_330) }), workflowEvents: 4_000 })],
    });
    const edited = await publisher.edit(later, message);
    expect(edited).toMatchObject({ outcome: 'edited' });
    expect(JSON.stringify(inChannel().find((one) => one.ts === message.ts)?.blocks)).toContain(
      '412 failures in 22 min',
    );
  });

  test('goes on saying that a post may be a repeat when it is edited', async () => {
    const message = await posted(aDigest(), { possibleRepeat: true });
    await publisher.edit(aDigest({ eventsRead: 5_000 }), message);
    expect(JSON.stringify(inChannel().find((one) => one.ts === message.ts)?.blocks)).toContain('Possible repeat');
  });

  test('tells a message that is gone from one that can not be edited just now', async () => {
    const message = await posted(aDigest());
    const later = aDigest({ eventsRead: 5_000 });
    slack.faults.next('chat.update', { kind: 'http', status: 503 });
    expect(await publisher.edit(later, message)).toMatchObject({ outcome: 'later' });
    await clientOf(slack).chat.delete({ channel: ONCALL, ts: message.ts });
    expect(await publisher.edit(later, message)).toEqual({ outcome: 'gone', reason: 'message_not_found' });
  });

  test('goes by the stored name where an environment is not configured any more', async () => {
    const { ts } = await posted(aDigest({ environment: 'retired' }));
    expect(inChannel().find((one) => one.ts === ts)?.text).toContain('retired: 1 new failure group');
  });
});
