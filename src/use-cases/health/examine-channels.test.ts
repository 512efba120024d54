import { expect, test } from 'vitest';
import { EVERYTHING, UNFILTERED, type Watch, type WatchFilter } from '../../domain/watches/watch.ts';
import type { ChannelNow } from '../ports/channels.ts';
import { troublesOf } from './examine.testing.ts';
import { channelChecks, type ExamineChannelsParts } from './examine-channels.ts';

const NOON = new Date('2026-03-04T12:00:00.000Z');
const THERE: ChannelNow = { isPublic: true, isArchived: false, isMember: true, sharing: 'none' };

function aWatch(channel: string, settings: Partial<Watch['settings']> = {}): Watch {
  const watch = { id: channel, channel, number: 1, createdAt: NOON, createdBy: 'U1' };
  return { ...watch, settings: { ...UNFILTERED, mention: { kind: 'user-group', id: 'S1' }, ...settings } };
}

interface Given {
  readonly watches?: readonly Watch[];
  readonly channels?: { readonly [channel: string]: ChannelNow | null };
  readonly workflows?: readonly string[];
}

function checks({ watches = [aWatch('C1')], channels = {}, workflows = [] }: Given) {
  const ask: ExamineChannelsParts['channels']['ask'] = async (channel) => {
    const now = channels[channel];
    return now === undefined ? THERE : now;
  };
  return channelChecks({
    store: {
      watches: async () => watches,
      knownNames: async () => ({ workflows }),
      namesSeen: async () => workflows,
    },
    environments: [{ name: 'production' }],
    channels: { ask },
    workspace: {
      person: async (id) => (id === 'U1' ? { timeZone: null } : null),
      userGroups: async () => [
        { id: 'S1', handle: 'oncall' },
        { id: 'S3', handle: 'nobody' },
      ],
    },
    groups: { membersOf: async (id) => (id === 'S1' ? ['U1'] : []) },
  });
}

const troubles = (given: Given) => troublesOf(checks(given));

/** Returns what the checks say of a subject, also where nothing is wrong. */
async function resultsOn(subject: string, watches: readonly Watch[]): Promise<string[]> {
  const found = await Promise.all(checks({ watches }).map(({ look }) => look(new AbortController().signal)));
  return found.flatMap((results) => results.filter((result) => result.subject === subject).map(({ what }) => what));
}

test('find nothing if Notif can post', async () => {
  expect(await troubles({})).toEqual([]);
});

test('find that nobody gets alerts', async () => {
  expect(await troubles({ watches: [] })).toEqual(['advice Watches: There is none: failures alert nobody.']);
});

test('report each channel that is gone, archived, or without Notif, once', async () => {
  const watches = ['C1', 'C2', 'C3', 'C3', 'D4'].map((channel) => aWatch(channel));
  const channels = { C1: null, C2: { ...THERE, isArchived: true }, C3: { ...THERE, isMember: false } };
  expect(await troubles({ watches, channels })).toEqual([
    'problem Watches: Slack knows no such channel, or it is private and Notif is not in it: C1',
    'problem Watches: Nothing can be posted in the archived C2',
    'problem Watches: Notif is not in C3',
  ]);
});

test('find watches for workflows that no event has, and for environments that are not configured', async () => {
  const workflows = ['order-shipped', 'Order sent'];
  const about = (filter: Partial<WatchFilter>) => aWatch('C1', { filter: { ...EVERYTHING, ...filter } });
  const seen = [about({ workflows: ['order sent', 'welcome'] }), about({ environments: ['production'] })];
  expect(await troubles({ watches: seen, workflows })).toEqual([]);
  const gone = [about({ workflows: ['Order shipped'] }), about({ environments: ['production', 'staging'] })];
  expect(await troubles({ watches: gone, workflows })).toEqual([
    'advice Watches: A watch is for a workflow that no event has: Order shipped C1',
    'advice Watches: A watch is for an environment that is not configured: staging C1',
  ]);
});

test('find a mentioned user group that is disabled', async () => {
  const mentioning = (id: string) => aWatch('C1', { mention: { kind: 'user-group', id } });
  expect(await troubles({ watches: [mentioning('S1')] })).toEqual([]);
  expect(await troubles({ watches: [mentioning('S2')] })).toEqual([
    'problem Mentions: A watch mentions a user group that is no longer in use: S2 C1',
  ]);
});

test('find a mentioned user group without members, and a mentioned person who has left', async () => {
  const mentioning = (channel: string, kind: 'person' | 'user-group', id: string) =>
    aWatch(channel, { mention: { kind, id } });
  expect(await troubles({ watches: [mentioning('C1', 'person', 'U1')] })).toEqual([]);
  const left = [
    mentioning('C1', 'person', 'U2'),
    mentioning('C2', 'person', 'U2'),
    mentioning('C3', 'user-group', 'S3'),
  ];
  expect(await troubles({ watches: left })).toEqual([
    'problem Mentions: A watch mentions somebody whose account is deactivated: U2 C1 C2',
    'problem Mentions: A watch mentions a user group without members: S3 C3',
  ]);
});

test('name what was checked of the mentions, and count what was not', async () => {
  const people = Array.from({ length: 42 }, (_, index) =>
    aWatch('C1', { mention: { kind: 'person', id: `U${index}` } }),
  );
  const mentions = (watches: readonly Watch[]) => resultsOn('Mentions', watches);
  expect(await mentions([...people.slice(1, 2), aWatch('C2')])).toEqual([
    'Watches mention 1 person and 1 user group, all of them active.',
  ]);
  expect((await mentions(people)).at(-1)).toBe("2 more mentions weren't checked.");
});

test('advise to mention somebody in a channel where no watch does', async () => {
  const nobody = { mention: null };
  expect(await troubles({ watches: [aWatch('C1', nobody), aWatch('C1')] })).toEqual([]);
  expect(await troubles({ watches: [aWatch('C1', nobody), aWatch('C2'), aWatch('C3', nobody)] })).toEqual([
    'advice Mentions: No watch mentions anybody, so an alert notifies only those who turned on notifications for every message, in C1 C3',
  ]);
  expect(await troubles({ watches: [aWatch('D1', nobody)] })).toEqual([]);
});

test('report how many channels were not checked', async () => {
  const watches = Array.from({ length: 45 }, (_, index) => aWatch(`C${index}`));
  expect(await troubles({ watches })).toEqual(["unknown Watches: 5 more channels weren't checked."]);
  expect(await resultsOn('Watches', watches)).toContain('45 watches. Notif is in the 40 channels that were checked.');
});

test('find the channels that people of other organizations can read, or soon can', async () => {
  const watches = ['C1', 'C2', 'C3', 'C4'].map((channel) => aWatch(channel));
  const shared: ChannelNow = { ...THERE, sharing: 'shared' };
  const channels = { C2: shared, C3: { ...THERE, sharing: 'pending' }, C4: shared } as const;
  expect(await troubles({ watches, channels })).toEqual([
    'advice Watches: People of other organizations can read the alerts in C2 C4',
    'advice Watches: Another organization was invited. When it accepts, its people can read the alerts in C3',
  ]);
});
