import { expect, test } from 'vitest';
import type { ChannelSettings } from '../../../service/credentials.ts';
import { expectFit, expectView, fieldsIn, HOSTILE, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { type CredentialsIntent, credentialsView, outcomeMessage, parseUpdate } from './credentials.ts';

const KEPT: CredentialsIntent = {
  intent: 'intent-1',
  answerAt: { url: 'https://hooks.slack.example/1', threadTs: null },
  channel: 'C0GENERAL',
  environment: 'production',
  subscriberId: 'user-1',
};
const FIELDS = fieldsIn(credentialsView(KEPT, PRODUCTION));

function parse(answers: Record<string, string>) {
  const values = new Map(Object.entries(answers).map(([label, value]) => [FIELDS[label], value]));
  const valueIn = (blockId: string) => values.get(blockId) ?? null;
  const valuesIn = (blockId: string) => [valueIn(blockId) ?? []].flat();
  return parseUpdate({ blockIds: Object.values(FIELDS), valueIn, valuesIn }, PRODUCTION);
}

test('the form keeps the subscriber and environment, and fits Slack whatever they are', () => {
  const view = credentialsView({ ...KEPT, subscriberId: HOSTILE.repeat(9).slice(0, 255) }, PRODUCTION);
  expectView(view);
  expect(JSON.parse(credentialsView(KEPT, PRODUCTION).private_metadata ?? '')).toEqual(KEPT);
});

test('what is filled in is sent, and nothing else', () => {
  expect(parse({ Provider: 'mattermost', 'Webhook URL': ' https://chat.example/x ', Channel: 'town' })).toEqual({
    is: 'valid',
    update: { providerId: 'mattermost', credentials: { webhookUrl: 'https://chat.example/x', channel: 'town' } },
  });
  expect(parse({ Provider: 'fcm', 'Device tokens': 'a\n b\na', Integration: 'fcm-1' })).toEqual({
    is: 'valid',
    update: { providerId: 'fcm', integrationIdentifier: 'fcm-1', credentials: { deviceTokens: ['a', 'b'] } },
  });
  expect(
    parse({ Provider: 'fcm', 'Device tokens': '“a”\n\u202ab\n\u200b\n', 'Webhook URL': '“https://x.example/y\u200b”' }),
  ).toEqual({
    is: 'valid',
    update: { providerId: 'fcm', credentials: { webhookUrl: 'https://x.example/y', deviceTokens: ['a', 'b'] } },
  });
  expect(parse({ Provider: 'fcm', 'Device tokens': '“None”' })).toEqual({
    is: 'valid',
    update: { providerId: 'fcm', credentials: { deviceTokens: [] } },
  });
});

test.each([
  [{ Provider: 'slack', Integration: 'slack-1' }, 'Fill in this, tokens or a channel.'],
  [{ Provider: 'slack', 'Webhook URL': 'two.example' }, 'This is no web address.'],
  [{ Provider: 'fcm', 'Device tokens': 'one\ntwo three' }, 'Token 2 has a blank in it'],
])('a mistake is named without quoting what was typed: %j', (answers, what) => {
  const read = parse(answers);
  const words = read.is === 'invalid' ? Object.values(read.errors).join(' ') : '';
  expect(words).toContain(what);
  expect(words).not.toContain('two');
});

test('the result shows what the service holds for this provider, and fits whatever that is', () => {
  const settings: ChannelSettings[] = ['slack', 'fcm'].map((providerId) => ({
    providerId,
    integrationIdentifier: null,
    credentials: [{ field: 'deviceTokens', masked: Array.from({ length: 22 }, () => '•••9f3c') }],
  }));
  const current = { settings, isDeleted: false, unreadable: 1 };
  const updated = { subscriberId: 'user-1', provider: 'fcm' };
  const message = outcomeMessage({ is: 'updated', current }, updated, PRODUCTION);
  expectFit(message);
  expect(wordsOf(message)).toMatch(/fcm\n[\s\S]*deviceTokens: [\s\S]*, 17 more/);
  expect(wordsOf(message)).not.toContain('slack');
  expect(wordsOf(message)).toContain('1 unreadable part in the answer');
  const deleted = outcomeMessage({ is: 'updated', current: { ...current, isDeleted: true } }, updated, PRODUCTION);
  expect(wordsOf(deleted)).toContain('but user-1 is deleted: nothing is sent to it');
});
