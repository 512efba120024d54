import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { unobserved } from '../../lib/logger.ts';
import { createCalls } from './calls.ts';
import { answering, type SlackServer, startSlackServer } from './slack-server.testing.ts';
import { createTokenChecks } from './tokens.ts';

const NOON = Date.parse('2026-03-04T12:00:00.000Z');
const SCOPES = { 'x-oauth-scopes': 'chat:write, users:read' };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

let server: SlackServer;
beforeAll(async () => {
  server = await startSlackServer();
});
beforeEach(() => server.answers.clear());
afterAll(() => server.close());

function checks(appToken: string | null = 'xapp-1') {
  const now = () => NOON;
  const calls = createCalls({ apiUrl: server.apiUrl, observe: unobserved, logger: silent, now });
  return createTokenChecks('xoxb-1', appToken, calls, now);
}

test("token checks return the bot token's scopes and Slack's time", async () => {
  server.answers.set('auth.test', answering({ ok: true }, 200, { ...SCOPES, date: 'Wed, 04 Mar 2026 12:05:00 GMT' }));
  const scopes = ['chat:write', 'users:read'];
  expect(await checks().bot()).toEqual({ is: 'taken', scopes, clockAheadMs: 300_500 });
});

test('token checks say how to fix a token that is refused permanently', async () => {
  server.answers.set('auth.test', answering({ ok: false, error: 'token_revoked' }));
  server.answers.set('apps.connections.open', answering({ ok: false, error: 'invalid_auth' }));
  expect(await checks().bot()).toMatchObject({ is: 'refused', variable: 'SLACK_BOT_TOKEN', word: 'token_revoked' });
  expect(await checks().app?.()).toMatchObject({
    is: 'refused',
    variable: 'SLACK_APP_TOKEN',
    next: 'copy the token again from the Slack app',
  });
});

test("token checks fail if Slack can't be reached", async () => {
  server.answers.set('auth.test', answering({}, 503));
  await expect(checks().bot()).rejects.toThrow();
});

test('token checks have no app token to check in HTTP mode', () => {
  expect(checks(null).app).toBeNull();
});
