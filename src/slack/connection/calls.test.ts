import { WebAPIRateLimitedError } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silent } from '../../lib/logger.testing.ts';
import type { SlackConnection, SlackConnectionOptions } from './connection.ts';
import { answering, connectionTo, type SlackServer, startSlackServer } from './slack-server.testing.ts';

let slack: SlackServer;
let connection: SlackConnection;

beforeEach(async () => {
  slack = await startSlackServer();
});

afterEach(async () => {
  await connection.stop();
  await slack.close();
});

function connect(options: Partial<SlackConnectionOptions> = {}): void {
  connection = connectionTo(slack, { logger: silent, ...options });
}

describe("calls to Slack's Web API", () => {
  test('are observed for every client', async () => {
    const observed: string[] = [];
    connect({ observeCalls: (method) => (outcome) => void observed.push(`${method} ${outcome}`) });
    slack.answers.set('chat.update', answering({ ok: false, error: 'is_archived' }));
    await expect(connection.client.chat.update({ channel: 'C1', ts: '1', text: 'a' })).rejects.toThrow('is_archived');
    await connection.postingClient.chat.postMessage({ channel: 'C1', text: 'posted' });
    expect(observed).toEqual(['chat.update is_archived', 'chat.postMessage ok']);
  });

  test.each([
    ['conversations.info', 'channel_not_found', { channel: 'C0PRIVATE' }],
    ['users.info', 'user_not_found', { user: 'U0GONE' }],
    ['views.update', 'not_found', { view_id: 'V0CLOSED', view: { type: 'modal', blocks: [] } }],
    ['views.open', 'expired_trigger_id', { trigger_id: '1', view: { type: 'modal', blocks: [] } }],
    ['chat.update', 'message_not_found', { channel: 'C1', ts: '1', text: 'a' }],
    ['chat.postEphemeral', 'user_not_in_channel', { channel: 'C1', user: 'U0GONE', text: 'a' }],
  ])('have not failed if the refusal is an answer: %s %s', async (method, error, options) => {
    const observed: string[] = [];
    connect({ observeCalls: (called) => (outcome) => void observed.push(`${called} ${outcome}`) });
    slack.answers.set(method, answering({ ok: false, error }));
    await expect(connection.client.apiCall(method, options)).rejects.toThrow(error);
    expect(observed).toEqual([`${method} answered`]);
  });
});

describe('clients', () => {
  test('retry a failed lookup or edit', async () => {
    connect();
    slack.answers.set('chat.update', (response, call) => {
      slack.answers.delete('chat.update');
      answering({}, 500)(response, call);
    });
    await connection.client.chat.update({ channel: 'C0ONCALL', ts: '1.2', text: 'now 3' });
    expect(slack.calls).toEqual(['chat.update', 'chat.update']);
  });

  test('pass a rate limit on to the caller that posts or asks, so that no other call waits', async () => {
    connect();
    const limited = answering({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '7' });
    for (const method of ['chat.postMessage', 'users.info']) slack.answers.set(method, limited);
    const posting = connection.postingClient.chat.postMessage({ channel: 'C0ONCALL', text: 'a' });
    for (const call of [posting, connection.askingClient.users.info({ user: 'U0ANN' })]) {
      const error = await call.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(WebAPIRateLimitedError);
      expect(error).toMatchObject({ retryAfter: 7 });
    }
  });
});
