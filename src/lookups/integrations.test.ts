import { describe, expect, test } from 'vitest';
import { aService } from '../service/client.testing.ts';
import { anEvent } from '../service/event.testing.ts';
import { anIntegration } from '../service/lists.testing.ts';
import { ServiceError } from '../service/service-error.ts';
import { inOrder, listIntegrations } from './integrations.ts';

const UNREADABLE = { key: 'x', createdAt: null };
const [OWN, STAGED, FOREIGN] = ['env-production', 'env-staging', 'env-foreign'] as const;

const EMAIL = anIntegration({ serviceEnvironmentId: OWN });
const SPARE = anIntegration({ name: 'SES', provider: 'ses', primary: false, serviceEnvironmentId: OWN });
const RETIRED = anIntegration({ name: 'Mandrill', deleted: true, active: false, serviceEnvironmentId: OWN });
const INBOX = anIntegration({ name: 'Inbox', channel: 'in_app', provider: 'svc', serviceEnvironmentId: OWN });
const SMS = anIntegration({ name: 'Twilio', channel: 'sms', active: false, serviceEnvironmentId: OWN });
const TEST_EMAIL = anIntegration({ serviceEnvironmentId: STAGED });
const OTHER = anIntegration({ channel: 'push', provider: 'fcm', serviceEnvironmentId: FOREIGN });
const LISTED = [RETIRED, TEST_EMAIL, SMS, SPARE, OTHER, EMAIL, INBOX];

function serviceIn(serviceEnvironmentId: string | null, listed = LISTED, unreadable = [UNREADABLE]) {
  const newest = serviceEnvironmentId === null ? [] : [anEvent({ serviceEnvironmentId })];
  return aService({
    listIntegrations: async () => ({ items: listed, unreadable, hasMore: false }),
    listEvents: async () => ({ items: newest, unreadable: [], hasMore: false, totalCount: null }),
  });
}

const unreachable = () => Promise.reject(new ServiceError('production', 'listEvents', { kind: 'unreachable' }));

const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);

type Filter = Parameters<typeof listIntegrations>[1];

describe('the integrations of an environment', () => {
  const list = (service = serviceIn(OWN), filter: Filter = { channels: [], providers: [] }) =>
    listIntegrations(service, filter);

  test('are its own, grouped by channel, active before inactive', async () => {
    const { items, unreadable } = await list();
    expect(namesOf(items)).toEqual(['Inbox', 'SendGrid', 'SES', 'Mandrill', 'Twilio']);
    expect(unreadable).toBe(1);
  });

  test('match the filter regardless of case', async () => {
    const { items } = await list(undefined, { channels: ['email'], providers: ['SendGrid'] });
    expect(namesOf(items)).toEqual(['SendGrid', 'Mandrill']);
  });

  test('name each channel without an active integration, whatever the filter, if all could be read', async () => {
    const filter = { channels: ['email'], providers: [] };
    expect((await list(serviceIn(OWN, LISTED, []), filter)).inactiveChannels).toEqual(['sms']);
    expect((await list()).inactiveChannels).toEqual([]);
  });

  test("can't be distinguished from the organization's others if it has no events", async () => {
    const { items, isEnvironmentKnown, inactiveChannels } = await list(serviceIn(null));
    expect({ isEnvironmentKnown, inactiveChannels }).toEqual({ isEnvironmentKnown: false, inactiveChannels: [] });
    expect(items).toHaveLength(LISTED.length);
  });

  test("are recognized without events if they're the only ones", async () => {
    expect(await list(serviceIn(null, [EMAIL, SMS]))).toMatchObject({ isEnvironmentKnown: true, items: [{}, {}] });
    expect(await list(serviceIn(null, []))).toMatchObject({ items: [] });
  });

  test("reject with the service’s error if they can't be read", async () => {
    await expect(list({ ...serviceIn(null), listIntegrations: unreachable })).rejects.toBeInstanceOf(ServiceError);
  });
});

describe('a list of integrations', () => {
  const inOtherChannel = anIntegration({ channel: 'sms', provider: 'twilio', name: 'Twilio' });
  const named = (name: string, change: Parameters<typeof anIntegration>[0]) => anIntegration({ name, ...change });

  test('has the channels in the order of the contract, and others after them by name', () => {
    const channels = ['webhook', 'push', 'fax', 'sms', 'in_app', 'chat', 'email'];
    const listed = inOrder(channels.map((channel) => anIntegration({ channel })));
    expect(listed.map(({ channel }) => channel)).toEqual(['in_app', 'email', 'sms', 'chat', 'push', 'fax', 'webhook']);
  });

  test('has in a channel the active ones first, the primary one before the others, and deleted ones last', () => {
    const inEmail = [
      named('deleted', { deleted: true }),
      named('inactive', { active: false, primary: false }),
      named('b', { primary: false }),
      named('a', { primary: false, identifier: 'z' }),
      named('primary but inactive', { active: false }),
      named('primary', {}),
      named('a', { primary: false, identifier: 'y' }),
      named('deleted and inactive', { active: false, deleted: true }),
    ];
    const [first, ...others] = inOrder([inOtherChannel, ...inEmail]);
    expect(first?.name).toBe('primary');
    expect(others.map(({ name, identifier }) => (name === 'a' ? `a ${identifier}` : name))).toEqual([
      'a y',
      'a z',
      'b',
      'primary but inactive',
      'inactive',
      'deleted',
      'deleted and inactive',
      'Twilio',
    ]);
  });
});
