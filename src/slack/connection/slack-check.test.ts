import { WebAPIPlatformError } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSlackCheck } from '../../health/slack-check.ts';
import { heard, silent } from '../../lib/logger.testing.ts';
import { unobserved } from '../../lib/logger.ts';
import type { ChannelNow } from '../../lib/workspace.ts';
import type { PostOutcome } from '../../outbox/kinds.ts';
import { createCalls } from './calls.ts';
import { answering, type SlackServer, startSlackServer } from './slack-server.testing.ts';
import { createTokenChecks } from './tokens.ts';

const NOON = Date.parse('2026-03-04T12:00:00.000Z');
const SCOPES = { 'x-oauth-scopes': 'chat:write, users:read' };

let server: SlackServer;
beforeAll(async () => {
  server = await startSlackServer();
});
beforeEach(() => server.answers.clear());
afterAll(() => server.close());

function checks() {
  const calls = createCalls(server.apiUrl, '1f2e3d4c', unobserved, silent);
  return createTokenChecks('xoxb-1', 'xapp-1', calls, () => NOON);
}

const platformError = (error: string): WebAPIPlatformError => new WebAPIPlatformError({ ok: false, error });

test('a token that Slack refuses, a wrong clock and a channel that is gone are found without an alert', async () => {
  const there: ChannelNow = { isPublic: true, isArchived: false, isMember: true, isShared: false };
  let ask = async (): Promise<ChannelNow | null> => there;
  const channels = { ask: () => ask() };
  const options = { tokenChecks: checks(), channels, digestChannel: async () => 'C1', logger: silent };
  const check = createSlackCheck({ ...options, onRecovered: async () => {} });
  const finds = async (answer: object, date: string) => {
    server.answers.set('auth.test', answering(answer, 200, { ...SCOPES, date }));
    await check.run();
    return check.trouble();
  };
  const noon = 'Wed, 04 Mar 2026 12:00:00 GMT';
  expect(await finds({ ok: true }, noon)).toBeNull();
  // With a revoked token, Slack refuses every method.
  ask = () => Promise.reject(platformError('token_revoked'));
  const refused = 'Slack refuses SLACK_BOT_TOKEN with token_revoked.';
  expect(await finds({ ok: false, error: 'token_revoked' }, noon)).toMatchObject({ what: refused });
  ask = async () => null;
  const behind = "Notif's clock is 2 h behind Slack's.";
  expect(await finds({ ok: true }, 'Wed, 04 Mar 2026 14:00:00 GMT')).toMatchObject({ what: behind });
  expect(await finds({ ok: true }, noon)).toMatchObject({
    what: "There is no such channel, or it's private and Notif isn't in it:",
    next: '/invite @Notif there, or change NOTIF_DIGEST_CHANNEL.',
    about: [{ id: 'C1' }],
  });
});

test('Slack that only refuses to describe the channel is not silent, and its word is logged', async () => {
  const { logger, lines } = heard();
  const channels = { ask: () => Promise.reject(platformError('missing_scope')) };
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const options = { tokenChecks: checks(), channels, digestChannel: async () => 'C1', logger };
  const check = createSlackCheck({ ...options, onRecovered: async () => {} });
  vi.advanceTimersByTime(6 * 60_000);
  expect(check.trouble()).toMatchObject({ what: "Slack doesn't answer." });
  server.answers.set('auth.test', answering({ ok: true }, 200, { date: new Date(NOON).toUTCString() }));
  await check.run();
  expect(check.trouble()).toBeNull();
  expect(lines().join()).toContain('missing_scope');
});

const NO_CHANNEL = { channels: { ask: async () => null }, digestChannel: async () => null, logger: silent };

test('Slack that grants no posts is in trouble, and each end of a trouble or of a failed question is a recovery', async () => {
  let recoveries = 0;
  const onRecovered = async () => {
    recoveries += 1;
  };
  const check = createSlackCheck({ ...NO_CHANNEL, onRecovered, tokenChecks: checks() });
  const answers = async (scopes: string, answer: object = { ok: true }) => {
    const headers = { 'x-oauth-scopes': scopes, date: new Date(NOON).toUTCString() };
    server.answers.set('auth.test', answering(answer, 200, headers));
    await check.run();
    return check.trouble()?.what ?? null;
  };
  expect(await answers('users:read')).toBe('chat:write was not granted.');
  expect([await answers('chat:write,users:read'), recoveries]).toEqual([null, 1]);
  expect([await answers('chat:write', { ok: false, error: 'internal_error' }), recoveries]).toEqual([null, 1]);
  expect([await answers('chat:write'), recoveries]).toEqual([null, 2]);
});

test('Slack that refuses a post for the set-up is in trouble until a post arrives', async () => {
  const check = createSlackCheck({ ...NO_CHANNEL, onRecovered: async () => {}, tokenChecks: checks() });
  let outcome: PostOutcome = { is: 'refused', reason: 'missing_scope', retryAfterMs: null, fix: 'install it again' };
  const never = () => Promise.reject(new Error('nothing is edited or looked for'));
  const publisher = check.watching({
    post: async () => outcome,
    edit: never,
    find: never,
    sentSince: never,
    tellInitiator: never,
  });
  const post = async () => {
    await publisher.post({}, { threadTs: null, mayRepeat: false, isPlain: false, knownBy: '' });
    return check.trouble();
  };
  const refused = { what: 'Slack refuses posts with missing_scope.', next: 'Install it again.' };
  expect(await post()).toMatchObject(refused);
  outcome = { ...outcome, fix: null };
  expect(await post()).toMatchObject(refused);
  outcome = { is: 'posted', ts: '1.2', shownHash: '' };
  expect(await post()).toBeNull();
});
