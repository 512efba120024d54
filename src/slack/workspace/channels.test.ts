import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, startSlack } from '../../../sandbox/slack/local-slack.testing.ts';
import { CHANNELS, type SeedChannel } from '../../../sandbox/slack/seed.ts';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { silent } from '../../lib/logger.testing.ts';
import { sleep } from '../../lib/time/waiting.ts';
import { createChannels } from './channels.ts';

let slack: LocalSlack;
beforeAll(async () => {
  const channels: readonly SeedChannel[] = [
    ...CHANNELS,
    { id: 'C0SECRET', name: 'secret', kind: 'private', members: ['U0ANN', 'U0BOT'] },
    { id: 'C0PENDING', name: 'pending', isPendingShared: true, members: ['U0ANN', 'U0BOT'] },
    { id: 'C0GROUP', name: 'mpdm-ann--ben--notif-1', kind: 'group', members: ['U0ANN', 'U0BEN', 'U0BOT'] },
    { id: 'C0OTHERS', name: 'mpdm-ann--ben--gus-1', kind: 'group', members: ['U0ANN', 'U0BEN', 'U0GUS'] },
  ];
  slack = await startSlack({ channels });
});
afterAll(() => slack.close());

const followed: string[] = [];
const newChannels = () =>
  createChannels({
    client: clientOf(slack),
    logger: silent,
    now: () => new Date(0),
    sleep,
    noteChannelId: async (from, to) => void followed.push(`${from} ${to}`),
  });

const requests = () => slack.calls.of('conversations.info').length;

test("channels are described as public or private, and with Notif in them or not; what Notif can't see isn't", async () => {
  const channels = newChannels();
  const shown = { isPublic: true, isArchived: false, isMember: true, isShared: false };
  expect(await channels.ask('C0ONCALL')).toEqual(shown);
  expect(await channels.ask('C0SECRET')).toEqual({ ...shown, isPublic: false });
  expect(await channels.ask('C0QUIET')).toEqual({ ...shown, isMember: false });
  expect(await channels.ask('C0NOWHERE')).toBeNull();
});

test('channels are asked for being public once', async () => {
  const channels = newChannels();
  const before = requests();
  for (const _ of [1, 2]) expect(await channels.isPublic('C0ONCALL')).toBe(true);
  expect(requests() - before).toBe(1);
});

test("channels aren't public unless Slack says so, and direct messages never are, without a call", async () => {
  const channels = newChannels();
  const before = requests();
  expect(await channels.isPublic('D0ANN')).toBe(false);
  expect(requests()).toBe(before);
  slack.faults.next('conversations.info', { kind: 'error', error: 'internal_error' });
  expect(await channels.isPublic('C0ONCALL')).toBe(false);
  expect(await channels.isPublic('C0ONCALL')).toBe(true);
});

test.each([
  { which: 'of this organization alone', channel: 'C0ONCALL', isShared: false },
  { which: 'with another organization in it', channel: 'C0PARTNER', isShared: true },
  { which: 'to which another organization is invited', channel: 'C0PENDING', isShared: true },
  { which: 'of a group of people with Notif', channel: 'C0GROUP', isShared: false },
  {
    which: 'of a group of people without Notif, which Slack describes to nobody else',
    channel: 'C0OTHERS',
    isShared: true,
  },
  { which: 'of one person', channel: 'D0ANN', isShared: false },
])('a channel $which counts as shared: $isShared', async ({ channel, isShared }) => {
  expect(await newChannels().isShared(channel)).toBe(isShared);
});

test("a channel counts as shared where Slack doesn't describe it", async () => {
  const channels = newChannels();
  slack.faults.next('conversations.info', { kind: 'error', error: 'missing_scope' });
  expect(await channels.isShared('C0ONCALL')).toBe(true);
});

test('a channel that was shared since is followed to its new ID, which keeps all but the first letter', async () => {
  const channels = newChannels();
  const shown = { isPublic: true, isArchived: false, isMember: true, isShared: false };
  expect(await channels.ask('G0ONCALL')).toEqual(shown);
  expect(followed).toEqual(['G0ONCALL C0ONCALL']);
  // Notif isn't in it, so nothing says that it's the same.
  expect(await channels.ask('G0QUIET')).toBeNull();
  expect(await channels.newId('C0NOWHERE')).toBeNull();
  expect(followed).toHaveLength(1);
});
