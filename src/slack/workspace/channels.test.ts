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

test('channels are described as public or archived, and with Notif in them or not', async () => {
  const channels = newChannels();
  const shown = { isPublic: true, isArchived: false, isMember: true, isShared: false };
  expect(await channels.ask('C0ONCALL')).toEqual(shown);
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

test("channels are described with who else can see them, except those that Notif isn't in", async () => {
  const channels = newChannels();
  const asking = ['C0ONCALL', 'C0PARTNER', 'C0PENDING', 'C0GROUP', 'C0OTHERS', 'D0ANN'];
  const shared = await Promise.all(asking.map((channel) => channels.isShared(channel)));
  expect(shared).toEqual([false, true, true, false, true, false]);
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
