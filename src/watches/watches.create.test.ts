import { addSeconds } from 'date-fns';
import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { ServiceError } from '../lib/errors.ts';
import { parseCommandText } from '../lib/input/filters.ts';
import { silent } from '../lib/logger.testing.ts';
import { maskEmail } from '../lib/text/mask.ts';
import type { ChannelNow } from '../lib/workspace.ts';
import { anEvent, aSubscriber } from '../service/event.testing.ts';
import type { EventQuery } from '../service/query.ts';
import type { EventLister } from '../service/typed-lookup.ts';
import type { Db } from '../store/db.ts';
import { describeStore } from '../store/store.testing.ts';
import { type CreateCtx, createWatch, type WantedWatch, watchesIn } from './watches.ts';

const THERE: ChannelNow = { isPublic: true, isArchived: false, isMember: true, isShared: false };
const NOON = new Date('2026-05-04T12:00:00Z');

const [ANNA, BEN, AWAY] = ['anna@example.com', 'ben@example.com', 'away@example.com'];

const PEOPLE: { [environment: string]: { [email: string]: readonly string[] } } = {
  production: { [ANNA]: ['user-1', 'user-2', 'user-1'] },
  staging: {
    [ANNA]: ['user-3'],
    'contact@example.com': ['contact-id@example.com'],
    [BEN]: Array.from({ length: 21 }, (_, n) => `many-${n}`),
  },
};

function aService(environment: string, queries: EventQuery[]): EventLister {
  return {
    clockAheadMs: () => 0,
    async listEvents(query) {
      queries.push(query);
      const [email = ''] = query.emails ?? [];
      if (email === AWAY) throw new ServiceError(environment, 'listEvents', { kind: 'unreachable' });
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

function channelIn(
  db: Db,
  { now = THERE, ...workspace }: Partial<CreateCtx['workspace']> & { now?: ChannelNow | null | Error } = {},
) {
  const whole: CreateCtx['workspace'] = {
    timeZoneOf: async () => 'Europe/Berlin',
    userGroups: async () => [{ id: 'S0ONCALL', handle: 'oncall' }],
    ...workspace,
  };
  const channels = {
    ask: async () => {
      if (now instanceof Error) throw now;
      return now;
    },
  };
  const slack = { channels, workspace: whole };
  const queries: EventQuery[] = [];
  const ctx = {
    ...{ db, ...slack, logger: silent, now: () => NOON },
    environments: [anEnvironment(), anEnvironment({ name: 'staging', label: 'Staging' })],
    serviceOf: (environment: string) => aService(environment, queries),
  };
  const wanted = { channel: 'C1', actor: 'U0ANN', isConfirmed: false };
  const ask = (text: string, change: Partial<WantedWatch> = {}) =>
    createWatch(ctx, { ...wanted, filters: { env: ['production'], ...parseCommandText(text).filters }, ...change });
  const made = () => watchesIn(db);
  return { ask, made, queries };
}

describeStore('createWatch', (store) => {
  const aChannel = (world?: Parameters<typeof channelIn>[1]) => channelIn(store().db, world);

  test("makes a channel's watch, each set of settings once", async () => {
    const { ask, made } = aChannel();
    const watch = { channel: 'C1', createdBy: 'U0ANN' };
    expect(await ask('channel:email')).toMatchObject({ is: 'made', watch });
    for (const other of ['channel:sms', 'channel:email min:5']) expect(await ask(other)).toMatchObject({ is: 'made' });
    await expect(ask('channel:EMAIL')).rejects.toThrow('Watch 1 of this channel has these settings already.');
    expect(await made()).toHaveLength(3);
  });

  test("asks first if Slack doesn't say whether Notif is in the channel", async () => {
    const { ask } = aChannel({ now: new Error('missing_scope') });
    expect(await ask('')).toMatchObject({ is: 'unconfirmed', isShared: true });
    expect(await ask('', { isConfirmed: true })).toMatchObject({ is: 'made' });
  });

  test("makes one for subscribers without knowing them, and keeps no ID that's a contact", async () => {
    const { ask, made } = aChannel();
    expect(await ask('subscriber:user-42,anna@example.com')).toMatchObject({ is: 'made' });
    await expect(ask('subscriber:user-42,anna@example.com')).rejects.toThrow('these settings already');
    const [whole, masked] = (await made())[0]?.settings.filter.subscribers ?? [];
    expect(whole).toBe('user-42');
    expect(masked).toBe('a•••@example.com');
  });

  test("takes the time zone that was named, of the channel's newest watch, of the person who asks, or UTC", async () => {
    const zoned = (timeZone: string) => ({ is: 'made', watch: { settings: { timeZone } } });
    const { ask } = aChannel();
    expect(await aChannel({ timeZoneOf: async () => null }).ask('', { channel: 'C2' })).toMatchObject(zoned('UTC'));
    expect(await ask('')).toMatchObject(zoned('Europe/Berlin'));
    expect(await ask('min:2 tz:Asia/Tokyo')).toMatchObject(zoned('Asia/Tokyo'));
    expect(await ask('min:3')).toMatchObject(zoned('Asia/Tokyo'));
  });

  test.each([
    ['mention:<@U0BEN|ben>', { kind: 'person', id: 'U0BEN' }],
    ['mention:me', { kind: 'person', id: 'U0ANN' }],
    ['mention:@OnCall', { kind: 'user-group', id: 'S0ONCALL' }],
    ['mention:off', null],
  ])('resolves %s', async (text, mention) => {
    expect(await aChannel().ask(text)).toMatchObject({ watch: { settings: { mention } } });
  });
});

describeStore('an email address', (store) => {
  const aChannel = () => channelIn(store().db);

  const watching = (subscribers: readonly string[]) => ({ watch: { settings: { filter: { subscribers } } } });

  test('is watched as the subscribers whose it is in the environments of the watch', async () => {
    const { ask, made, queries } = aChannel();
    const addresses = [{ email: ANNA, subscriberIds: ['user-1', 'user-2'] }];
    expect(await ask(`email:${ANNA} subscriber:user-9,user-2`)).toMatchObject({
      ...watching(['user-9', 'user-2', 'user-1']),
      addresses,
    });
    expect(queries).toEqual([{ emails: [ANNA], limit: 50, before: addSeconds(NOON, 5) }]);
    expect(await ask(`email:${ANNA} env:all`)).toMatchObject(watching(['user-1', 'user-2', 'user-3']));
    expect(JSON.stringify(await made())).not.toContain('example.com');
  });

  test('can be of a subscriber whose ID is a contact, which is kept masked', async () => {
    const { ask } = aChannel();
    const found = await ask('email:contact@example.com env:staging', { isConfirmed: true });
    expect(found).toMatchObject(watching(['c•••@example.com']));
    expect(found).toMatchObject({ addresses: [{ subscriberIds: ['contact-id@example.com'] }] });
  });

  test.each([
    ['nobody@example.com', 'No subscriber of n•••@example.com found in the newest 50 events of production.'],
    [`${ANNA},nobody@example.com`, 'No subscriber of n•••@example.com found'],
    [`${BEN} env:staging`, 'subscriber: takes at most 20 values'],
    ['anna', 'email: takes email addresses, at most 10.'],
  ])('makes no watch for %s', async (email, message) => {
    const { ask, made } = aChannel();
    await expect(ask(`email:${email}`)).rejects.toThrow(message);
    expect(await made()).toEqual([]);
  });

  test("makes no watch of a part if one environment can't be asked", async () => {
    const { ask, made } = aChannel();
    await expect(ask(`email:${ANNA},${AWAY} env:all`)).rejects.toBeInstanceOf(ServiceError);
    expect(await made()).toEqual([]);
  });
});
