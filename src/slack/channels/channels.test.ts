import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { clientOf, startSlack } from '../../../sandbox/slack/testing.ts';
import { createChannels } from './channels.ts';

const MINUTE_MS = 60_000;

let slack: LocalSlack;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());

function channelsAt(now: () => number) {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  return createChannels({ client: clientOf(slack), logger, now: () => new Date(now()) });
}

const asked = () => slack.calls.of('conversations.info').length;

test('are told as they are: public, archived, with Notif in them or not', async () => {
  const channels = channelsAt(() => 0);
  expect(await channels.ask('C0ONCALL')).toEqual({ isPublic: true, isArchived: false, isMember: true });
  expect(await channels.ask('C0QUIET')).toEqual({ isPublic: true, isArchived: false, isMember: false });
  expect(await channels.ask('C0NOWHERE')).toBeNull();
});

test('are asked once in ten minutes whether they are public', async () => {
  let now = 0;
  const channels = channelsAt(() => now);
  const before = asked();
  expect(await channels.isPublic('C0ONCALL')).toBe(true);
  now = 9 * MINUTE_MS;
  expect(await channels.isPublic('C0ONCALL')).toBe(true);
  expect(asked() - before).toBe(1);
  now = 10 * MINUTE_MS;
  await channels.isPublic('C0ONCALL');
  expect(asked() - before).toBe(2);
});

test('are not public where Slack does not say so, and direct messages never, without asking', async () => {
  const channels = channelsAt(() => 0);
  const before = asked();
  expect(await channels.isPublic('D0ANN')).toBe(false);
  expect(asked()).toBe(before);
  slack.faults.next('conversations.info', { kind: 'error', error: 'internal_error' });
  expect(await channels.isPublic('C0ONCALL')).toBe(false);
});
