import { expect, test } from 'vitest';
import type { TokenCheck, TokenChecks } from '../../domain/health/token-check.ts';
import { troublesOf } from './examine.testing.ts';
import { slackChecks } from './examine-slack.ts';

type Taken = Extract<TokenCheck, { is: 'taken' }>;

const TAKEN: Taken = { is: 'taken', scopes: ['chat:write', 'users:read'], clockAheadMs: 0 };
const REFUSED: TokenCheck = { is: 'refused', variable: 'SLACK_BOT_TOKEN', word: 'invalid_auth', next: 'copy it again' };
const NEEDED = { 'chat:write': 'digests', 'users:read': 'telling members from guests' };

function troubles(change: Partial<Taken> = {}, app: TokenChecks['app'] = async () => TAKEN) {
  const bot = async () => ({ ...TAKEN, ...change });
  return troublesOf(slackChecks({ tokenChecks: { bot, app }, neededScopes: NEEDED }));
}

test('find nothing if Slack accepts the tokens, has all scopes, and its clock agrees', async () => {
  expect(await troubles()).toEqual([]);
});

test('name the variable of a token that Slack refuses', async () => {
  const checks = slackChecks({
    tokenChecks: { bot: async () => REFUSED, app: async () => REFUSED },
    neededScopes: NEEDED,
  });
  expect(await troublesOf(checks)).toEqual([
    'problem Bot token: Slack refuses SLACK_BOT_TOKEN with invalid_auth.',
    'problem App token: Slack refuses SLACK_BOT_TOKEN with invalid_auth.',
  ]);
});

test('check no app token when Slack sends requests over HTTP', async () => {
  expect(await troubles({}, null)).toEqual([]);
});

test("name each missing scope with its purpose, and those that aren't needed", async () => {
  expect(await troubles({ scopes: ['chat:write', 'files:read', 'admin'] })).toEqual([
    'problem Scopes: users:read was not granted. It is needed for telling members from guests.',
    'advice Scopes: Notif was granted 2 scopes that it does not use: files:read admin',
  ]);
  expect(await troubles({ scopes: null })).toEqual(['unknown Scopes: Slack did not say which scopes Notif has.']);
});

test('find a clock that is half a minute off', async () => {
  expect(await troubles({ clockAheadMs: 29_000 })).toEqual([]);
  expect(await troubles({ clockAheadMs: 600_000 })).toEqual(["problem Clock: Notif's clock is 10 min behind Slack's."]);
  expect(await troubles({ clockAheadMs: -600_000 })).toEqual([
    "problem Clock: Notif's clock is 10 min ahead of Slack's.",
  ]);
  expect(await troubles({ clockAheadMs: null })).toEqual(['unknown Clock: Slack did not say what time it is.']);
});
