import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ServiceError } from '../../domain/errors.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { ALL_INTEGRATIONS, type IntegrationFilter } from '../../domain/lookups/integrations-found.ts';
import type { ProviderNow } from '../../domain/lookups/provider-now.ts';
import { anEvent } from '../../domain/service/event.testing.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import { type IntegrationReader, listIntegrations } from './list-integrations.ts';

const PRODUCTION = anEnvironment();
const STAGING = anEnvironment({ name: 'staging', label: 'Staging' });
const [OWN, STAGED, FOREIGN] = ['env-production', 'env-staging', 'env-foreign'];

const EMAIL = anIntegration({ serviceEnvironmentId: OWN });
const SPARE = anIntegration({ name: 'SES', provider: 'ses', primary: false, serviceEnvironmentId: OWN });
const RETIRED = anIntegration({ name: 'Mandrill', deleted: true, active: false, serviceEnvironmentId: OWN });
const INBOX = anIntegration({ name: 'Inbox', channel: 'in_app', provider: 'svc', serviceEnvironmentId: OWN });
const SMS = anIntegration({ name: 'Twilio', channel: 'sms', active: false, serviceEnvironmentId: OWN });
const TEST_EMAIL = anIntegration({ serviceEnvironmentId: STAGED });
const OTHER = anIntegration({ channel: 'push', provider: 'fcm', serviceEnvironmentId: FOREIGN });
const LISTED = [RETIRED, TEST_EMAIL, SMS, SPARE, OTHER, EMAIL, INBOX];

function aService(serviceEnvironmentId: string | null, listed = LISTED): IntegrationReader {
  const newest = serviceEnvironmentId === null ? [] : [anEvent({ serviceEnvironmentId })];
  return {
    listIntegrations: async () => ({ items: listed, unreadable: [{ key: 'x', createdAt: null }], hasMore: false }),
    listEvents: async () => ({ items: newest, unreadable: [], hasMore: false }),
  };
}

const NOW = new Date('2026-05-04T12:00:00Z');
const FAILING = [
  {
    ...{ channel: 'email', provider: 'sendgrid', window: { from: NOW, to: NOW }, failures: 5, attempts: 6 },
    incidents: [],
  },
];

const unreachable = () => Promise.reject(new ServiceError('staging', 'listEvents', { kind: 'unreachable' }));

function list(
  { production = aService(OWN ?? null), staging = aService(STAGED ?? null) },
  { filter = ALL_INTEGRATIONS, scope = 'own' }: { filter?: IntegrationFilter; scope?: 'own' | 'all' } = {},
  failingProviders: () => Promise<ProviderNow[]> = async () => FAILING,
) {
  const warnings: string[] = [];
  const log = (_: object, sentence: string) => void warnings.push(sentence);
  const found = listIntegrations(filter, scope, {
    environment: PRODUCTION,
    environments: [PRODUCTION, STAGING],
    serviceOf: (name) => (name === 'production' ? production : staging),
    store: { failingProviders },
    now: () => NOW,
    logger: { debug: log, info: log, warn: log, error: log },
  });
  return found.then((integrations) => ({ ...integrations, warnings }));
}

const named = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

describe('the integrations of an environment', () => {
  test('are its own, grouped by channel, active before inactive', async () => {
    const { items, unreadable, channels } = await list({});
    expect(named(items)).toEqual(['Inbox', 'SendGrid', 'SES', 'Mandrill', 'Twilio']);
    expect(items.every(({ home }) => home.is === 'known' && home.label === 'production')).toBe(true);
    expect(unreadable).toBe(1);
    expect(channels).toEqual(['in_app', 'email', 'sms']);
  });

  test('show the recent failures of their channel and provider, only if active and only in their own environment', async () => {
    const { items } = await list({}, { scope: 'all' });
    const failing = items.filter(({ lately }) => lately !== null);
    expect(failing.map(({ name, home, lately }) => [name, home, lately?.failures])).toEqual([
      ['SendGrid', { is: 'known', label: 'production' }, 5],
    ]);
  });

  test('are listed without failures while the store is failing', async () => {
    const { items, warnings } = await list({}, {}, () => Promise.reject(new StoreTroubleError('not-answering')));
    expect(items.every(({ lately }) => lately === null)).toBe(true);
    expect(warnings).toEqual(['integrations are listed without their failures while the store is in trouble']);
  });

  test('are refused a filter that no integration and no contract has, while names of the contract are just not there', async () => {
    const unseen = async (channels: string[], providers: string[] = []) =>
      (await list({}, { filter: { channels, providers } })).unseen.map(({ name, meant }) => [name, meant]);
    expect(await unseen(['email', 'push', 'chat'], ['mailgun', 'SES'])).toEqual([]);
    expect(await unseen(['email', 'emial'], ['sendgird'])).toEqual([
      ['emial', 'email'],
      ['sendgird', 'sendgrid'],
    ]);
    // One integration couldn't be read, and may have this one.
    expect(await unseen(['telepathy'])).toEqual([]);
  });

  test("are counted by name for the organization's other environments", async () => {
    const { elsewhere } = await list({});
    expect(elsewhere).toEqual([
      { home: { is: 'known', label: 'Staging' }, count: 1 },
      { home: { is: 'unknown', serviceEnvironmentId: FOREIGN }, count: 1 },
    ]);
  });

  test('include those of the other environments on request', async () => {
    const { items } = await list({}, { scope: 'all' });
    expect(items.slice(5).map(({ home }) => home)).toEqual([
      { is: 'known', label: 'Staging' },
      { is: 'unknown', serviceEnvironmentId: FOREIGN },
    ]);
  });

  test('match the filter regardless of case', async () => {
    const filter = { channels: ['email'], providers: ['SendGrid'] };
    const { items, elsewhere } = await list({}, { filter });
    expect(named(items)).toEqual(['SendGrid', 'Mandrill']);
    expect(elsewhere).toEqual([{ home: { is: 'known', label: 'Staging' }, count: 1 }]);
  });

  test('name each channel without an active integration, whatever the filter', async () => {
    expect((await list({}, { filter: { channels: ['email'], providers: [] } })).inactiveChannels).toEqual(['sms']);
  });
});

describe('an environment without events', () => {
  test("can't be distinguished from the others", async () => {
    const { items, isOwnKnown, elsewhere, inactiveChannels } = await list({ production: aService(null) });
    expect({ isOwnKnown, elsewhere, inactiveChannels }).toEqual({
      isOwnKnown: false,
      elsewhere: [],
      inactiveChannels: [],
    });
    expect(items).toHaveLength(LISTED.length);
    expect(items.find(({ serviceEnvironmentId }) => serviceEnvironmentId === STAGED)?.home).toEqual({
      is: 'known',
      label: 'Staging',
    });
  });

  test("is recognized if it's the only one", async () => {
    const found = await list({ production: aService(null, [EMAIL, SMS]) });
    expect(found).toMatchObject({ isOwnKnown: true, items: [{ home: { label: 'production' } }, {}] });
  });

  test('has no integrations if none are listed', async () => {
    expect(await list({ production: aService(null, []) })).toMatchObject({ items: [], elsewhere: [], channels: [] });
  });
});

test("omits the name of an environment that can't be asked, and logs that", async () => {
  const { elsewhere, warnings } = await list({ staging: { ...aService(null), listEvents: unreachable } });
  expect(elsewhere.map(({ home }) => home.is)).toEqual(['unknown', 'unknown']);
  expect(warnings).toHaveLength(1);
});

test("rejects with the service’s error if the list can't be read", async () => {
  const production = { ...aService(null), listIntegrations: unreachable };
  await expect(list({ production })).rejects.toBeInstanceOf(ServiceError);
});
