import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, startSlack } from './local-slack.testing.ts';
import type { LocalSlack } from './server.ts';

describe('the faults of the local Slack', () => {
  let slack: LocalSlack;
  let client: WebClient;
  const now = 1_700_000_000_000;
  beforeEach(async () => {
    slack = await startSlack({ now: () => now });
    client = clientOf(slack);
  });
  afterEach(() => slack.close());

  const post = () => client.chat.postMessage({ channel: 'C0ONCALL', text: 'hello' });
  const posted = () => slack.workspace.as('U0ANN').sees('C0ONCALL').length;

  test('give the next calls an error, then normal answers', async () => {
    slack.faults.next('chat.postMessage', { kind: 'error', error: 'channel_not_found' }, 2);
    await expect(post()).rejects.toMatchObject({ data: { error: 'channel_not_found' } });
    await expect(post()).rejects.toMatchObject({ data: { error: 'channel_not_found' } });
    await expect(post()).resolves.toMatchObject({ ok: true });
    expect(posted()).toBe(1);
  });

  test('give 429 with the seconds to wait', async () => {
    slack.faults.next('*', { kind: 'rate-limited', retryAfterSeconds: 7 });
    const response = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
  });

  test('give the status of a broken server although the call was carried out', async () => {
    slack.faults.next('chat.postMessage', { kind: 'http', status: 502, when: 'after' });
    await expect(post()).rejects.toMatchObject({ statusCode: 502 });
    expect(posted()).toBe(1);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('cut the connection %s carrying the call out', async (when, count) => {
    slack.faults.next('chat.postMessage', { kind: 'reset', when });
    await expect(post()).rejects.toThrow();
    expect(posted()).toBe(count);
    expect(slack.calls.of('chat.postMessage')).toMatchObject([{ answer: null }]);
  });

  test('leave a caller waiting although the call was carried out', async () => {
    slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
    const caller = new AbortController();
    const body = new URLSearchParams({ channel: 'C0ONCALL', text: 'hello', token: slack.botToken });
    const call = fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', body, signal: caller.signal });
    await slack.workspace.until(() => posted() === 1, { what: 'the message' });
    caller.abort();
    await expect(call).rejects.toThrow('aborted');
  });
});
