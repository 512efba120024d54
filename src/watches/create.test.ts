import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { parseCommandText } from '../lib/input/filters.ts';
import { silent } from '../lib/logger.testing.ts';
import { maskEmail } from '../lib/text/mask.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { ChannelNow } from '../lib/workspace.ts';
import { anEvent, aSubscriber } from '../service/event.testing.ts';
import type { EventQuery } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import type { EventLister } from '../service/subscribers-by-contact.ts';
import type { Db } from '../store/db.ts';
import { describeStore } from '../store/store.testing.ts';
import { type CreateCtx, createWatch, type WantedWatch } from './create.ts';
import { watchesIn } from './watches.ts';

const JOINED: ChannelNow = { isPublic: true, isArchived: false, isMember: true, isShared: false };
const NOON = new Date('2026-05-04T12:00:00Z');

const ANNA = 'anna@example.com';
const BEN = 'ben@example.com';
const AWAY = 'away@example.com';

const PEOPLE: { [environment: string]: { [email: string]: readonly string[] } } = {
  production: { [ANNA]: ['user-1', 'user-2', 'user-1'] },
  staging: {
    [ANNA]: ['user-3'],
    'contact@example.com': ['contact-id@example.com'],
    // More than a filter takes.
    [BEN]: Array.from({ length: 21 }, (_, n) => `many-${n}`),
  },
};

/** Subscribers and labels of the service's events. */
const KNOWN = ['user-42', 'user-9', 'launch'];

function aService(environment: string, queries: EventQuery[]): EventLister {
  return {
    clockAheadMs: () => 0,
    async listEvents(query) {
      queries.push(query);
      const [email = ''] = query.emails ?? [];
      if (email === AWAY) throw new ServiceError(environment, 'listEvents', { kind: 'unreachable' });
      const { emails, limit, ...labels } = query;
      const isUnknown =
        emails === undefined &&
        !Object.values(labels)
          .flat()
          .every((label) => KNOWN.includes(`${label}`));
      if (isUnknown) return { items: [], unreadable: [], hasMore: false };
      const subscribers = PEOPLE[environment]?.[email] ?? [];
      const known = { maskedEmail: email === '' ? null : maskEmail(email) };
      const items = [
        ...subscribers.map((subscriberId) => anEvent({ subscriber: aSubscriber(subscriberId, known) })),
        anEvent({ subscriber: null }),
      ];
      return { items, unreadable: [], hasMore: true };
    },
  };
}

type World = Partial<CreateCtx['workspace']> & { channelNow?: ChannelNow | null | Error };

function setUpIn(db: Db, { channelNow = JOINED, ...workspace }: World = {}) {
  const whole: CreateCtx['workspace'] = {
    timeZoneOf: async () => 'Europe/Berlin',
    userGroups: async () => [{ id: 'S0ONCALL', handle: 'oncall' }],
    ...workspace,
  };
  const channels = {
    ask: async () => {
      if (channelNow instanceof Error) throw channelNow;
      return channelNow;
    },
  };
  const slack = { channels, workspace: whole };
  const queries: EventQuery[] = [];
  const ctx = {
    db,
    ...slack,
    logger: silent,
    now: () => NOON,
    environments: [anEnvironment(), anEnvironment({ name: 'staging', label: 'Staging' })],
    serviceOf: (environment: string) => aService(environment, queries),
  };
  const wanted = { channel: 'C1', actor: 'U0ANN', isConfirmed: false };
  const create = (text: string, change: Partial<WantedWatch> = {}) =>
    createWatch(ctx, { ...wanted, filters: { env: ['production'], ...parseCommandText(text).filters }, ...change });
  const storedWatches = () => watchesIn(db);
  return { create, storedWatches, queries };
}

describeStore('createWatch', (store) => {
  const setUp = (world?: World) => setUpIn(store().db, world);

  test("makes a channel's watch, each set of settings once", async () => {
    const { create, storedWatches } = setUp();
    const watch = { channel: 'C1', createdBy: 'U0ANN' };
    expect(await create('channel:email')).toMatchObject({ is: 'made', watch });
    const others = [await create('channel:sms'), await create('channel:email min:5')];
    expect(others).toMatchObject([{ is: 'made' }, { is: 'made' }]);
    await expect(create('channel:EMAIL')).rejects.toThrow('Watch 1 of this channel has these settings already.');
    expect(await storedWatches()).toHaveLength(3);
  });

  test("asks first if Slack doesn't say whether Notif is in the channel", async () => {
    const { create } = setUp({ channelNow: new Error('missing_scope') });
    expect(await create('')).toMatchObject({ is: 'unconfirmed', isShared: true });
    expect(await create('', { isConfirmed: true })).toMatchObject({ is: 'made' });
  });

  test("makes one for subscribers that have events, and keeps no ID that's a contact", async () => {
    const { create, storedWatches } = setUp();
    expect(await create('subscriber:user-42,anna@example.com')).toMatchObject({ is: 'made' });
    await expect(create('subscriber:user-42,anna@example.com')).rejects.toThrow('these settings already');
    expect((await storedWatches())[0]?.settings.filter.subscribers).toEqual(['user-42', 'a•••@example.com']);
  });

  test("takes the time zone that was named, of the channel's newest watch, of the person who asks, or UTC", async () => {
    const zoned = (timeZone: string) => ({ is: 'made', watch: { settings: { timeZone } } });
    const { create } = setUp();
    expect(await setUp({ timeZoneOf: async () => null }).create('', { channel: 'C2' })).toMatchObject(zoned('UTC'));
    expect(await create('')).toMatchObject(zoned('Europe/Berlin'));
    expect(await create('min:2 tz:Asia/Tokyo')).toMatchObject(zoned('Asia/Tokyo'));
    expect(await create('min:3')).toMatchObject(zoned('Asia/Tokyo'));
  });

  test.each([
    ['mention:<@U0BEN|ben>', { kind: 'person', id: 'U0BEN' }],
    ['mention:me', { kind: 'person', id: 'U0ANN' }],
    ['mention:@OnCall', { kind: 'user-group', id: 'S0ONCALL' }],
    ['mention:oncall', { kind: 'user-group', id: 'S0ONCALL' }],
    ['mention:<!subteam^S0ONCALL|@oncall>', { kind: 'user-group', id: 'S0ONCALL' }],
    ['mention:off', null],
  ])('resolves %s', async (text, mention) => {
    expect(await setUp().create(text)).toMatchObject({ watch: { settings: { mention } } });
  });

  test.each([
    ['mention:@oncal', 'mention: there is no user group @oncal. Did you mean @oncall?'],
    ['mention:@ben', 'For a person, choose the name from the list that Slack shows after @.'],
    ['mention:<!subteam^S0GONE|@gone>', 'mention: names a user group that no longer exists or is disabled.'],
  ])('refuses %s, with a group that exists', async (text, message) => {
    const refused = expect.objectContaining({ message: expect.stringContaining(message), example: 'mention:@oncall' });
    await expect(setUp().create(text)).rejects.toEqual(refused);
  });

  test('takes a user group while Slack can say nothing about it', async () => {
    const userGroups = () => Promise.reject(new Error('ratelimited'));
    expect(await setUp({ userGroups }).create('mention:<!subteam^S0GONE|@gone>')).toMatchObject({ is: 'made' });
  });

  test('asks before it makes one for a topic, context, tag or subscriber of which there is neither a failure nor an event', async () => {
    const { create } = setUp();
    expect(await create('topic:launch')).toMatchObject({ is: 'made' });
    expect(await create('topic:lanch tag:vip context:tenant:acme subscriber:user-1')).toMatchObject({
      is: 'unconfirmed',
      unknown: [{ name: 'user-1' }, { name: 'lanch' }, { name: 'tenant:acme' }, { name: 'vip' }],
    });
  });
});

describeStore('an email address', (store) => {
  const setUp = () => setUpIn(store().db);

  const watching = (subscribers: readonly string[]) => ({ watch: { settings: { filter: { subscribers } } } });

  test('is watched as the subscribers that have it in the environments of the watch', async () => {
    const { create, storedWatches, queries } = setUp();
    const addresses = [{ email: ANNA, subscriberIds: ['user-1', 'user-2'] }];
    expect(await create(`email:${ANNA} subscriber:user-9,user-2`)).toMatchObject({
      ...watching(['user-9', 'user-2', 'user-1']),
      addresses,
    });
    expect(queries[0]).toEqual({ emails: [ANNA], limit: 50, before: listEnd(NOON, 0) });
    expect(await create(`email:${ANNA} env:all`)).toMatchObject(watching(['user-1', 'user-2', 'user-3']));
    expect(JSON.stringify(await storedWatches())).not.toContain('example.com');
  });

  test('can be of a subscriber whose ID is a contact, which is kept masked', async () => {
    const { create } = setUp();
    const found = await create('email:contact@example.com env:staging', { isConfirmed: true });
    expect(found).toMatchObject(watching(['c•••@example.com']));
    expect(found).toMatchObject({ addresses: [{ subscriberIds: ['contact-id@example.com'] }] });
  });

  test.each([
    ['nobody@example.com', 'No subscriber of n•••@example.com found in the newest 50 events of production.'],
    [`${ANNA},nobody@example.com`, 'No subscriber of n•••@example.com found'],
    [`${BEN} env:staging`, 'subscriber: takes at most 20 values'],
    ['anna', 'email: takes email addresses, at most 10.'],
  ])('makes no watch for %s', async (email, message) => {
    const { create, storedWatches } = setUp();
    await expect(create(`email:${email}`)).rejects.toThrow(message);
    expect(await storedWatches()).toEqual([]);
  });

  test('makes no watch of only some subscribers if the lookup of one fails', async () => {
    const { create, storedWatches } = setUp();
    await expect(create(`email:${ANNA},${AWAY} env:all`)).rejects.toBeInstanceOf(ServiceError);
    expect(await storedWatches()).toEqual([]);
  });
});
