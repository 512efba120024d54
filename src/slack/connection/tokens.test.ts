import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silent } from '../../lib/logger.testing.ts';
import { unobserved } from '../../lib/logger.ts';
import { SlackRefusedError } from '../slack-errors.ts';
import { createCalls } from './calls.ts';
import { answering, type SlackServer, startSlackServer } from './slack-server.testing.ts';
import { type ConnectAttempts, untilConnected } from './sockets.ts';
import { createTokenChecks } from './tokens.ts';

const NOON = Date.parse('2026-03-04T12:00:00.000Z');

let server: SlackServer;
beforeAll(async () => {
  server = await startSlackServer();
});
afterAll(() => server.close());

test("token checks return the bot token's scopes and Slack's time", async () => {
  const headers = { 'x-oauth-scopes': 'chat:write, users:read', date: 'Wed, 04 Mar 2026 12:05:00 GMT' };
  server.answers.set('auth.test', answering({ ok: true }, 200, headers));
  const calls = createCalls(server.apiUrl, '1f2e3d4c', unobserved, silent);
  const checks = createTokenChecks('xoxb-1', 'xapp-1', calls, () => NOON);
  const scopes = ['chat:write', 'users:read'];
  expect(await checks.bot()).toEqual({ is: 'accepted', scopes, clockAheadMs: 300_500 });
});

function attempts(change: Partial<ConnectAttempts> = {}): ConnectAttempts {
  const signal = new AbortController().signal;
  return { logger: silent, backoff: { firstMs: 1, longestMs: 2 }, signal, ...change };
}

const platformError = (error: string): WebAPIPlatformError => new WebAPIPlatformError({ ok: false, error });

describe('untilConnected', () => {
  test('waits as long as a rate limit says', async () => {
    const stopping = new AbortController();
    const waits: unknown[] = [];
    const logger = {
      ...silent,
      warn: (fields: object) => {
        waits.push('waitMs' in fields && fields.waitMs);
        stopping.abort();
      },
    };
    const limited = (): Promise<never> => Promise.reject(new WebAPIRateLimitedError(30));
    expect(await untilConnected(limited, 'SLACK_BOT_TOKEN', attempts({ logger, signal: stopping.signal }))).toBeNull();
    expect(waits).toEqual([30_000]);
  });

  test.each([
    ['invalid_auth', 'Slack refuses SLACK_BOT_TOKEN with invalid_auth.'],
    ['missing_scope', 'Slack refuses SLACK_BOT_TOKEN with missing_scope.'],
    ['socket_mode_not_enabled', 'Socket Mode of the Slack app is off. Next: turn it on'],
  ])("doesn't retry after %s", async (code, message) => {
    const refused = untilConnected(() => Promise.reject(platformError(code)), 'SLACK_BOT_TOKEN', attempts());
    await expect(refused).rejects.toBeInstanceOf(SlackRefusedError);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(message);
  });
});
