import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ServiceError } from '../../domain/errors.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { ALL_INTEGRATIONS, type IntegrationFilter } from '../../domain/lookups/integrations-found.ts';
import type { ProviderNow } from '../../domain/lookups/provider-now.ts';
import { anEvent } from '../../domain/service/event.testing.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import type { IntegrationReader } from '../changes/read-integrations.ts';
import { listIntegrations } from './list-integrations.ts';

const PRODUCTION = anEnvironment();
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

const unreachable = () => Promise.reject(new ServiceError('production', 'listEvents', { kind: 'unreachable' }));

async function list(
  service = aService(OWN ?? null),
  filter: IntegrationFilter = ALL_INTEGRATIONS,
  failingProviders: () => Promise<ProviderNow[]> = async () => FAILING,
) {
  const warnings: string[] = [];
  const log = (_: object, sentence: string) => void warnings.push(sentence);
  const found = await listIntegrations(filter, {
    environment: PRODUCTION,
    serviceOf: () => service,
    store: { failingProviders },
    now: () => NOW,
    logger: { debug: log, info: log, warn: log, error: log },
  });
  return { ...found, warnings };
}

const named = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

describe('the integrations of an environment', () => {
  test('are its own, grouped by channel, active before inactive', async () => {
    const { items, unreadable, channels } = await list();
    expect(named(items)).toEqual(['Inbox', 'SendGrid', 'SES', 'Mandrill', 'Twilio']);
    expect(unreadable).toBe(1);
    expect(channels).toEqual(['in_app', 'email', 'sms']);
  });

  test('show the recent failures of their channel and provider, only if active', async () => {
    const { items } = await list();
    const failing = items.filter(({ lately }) => lately !== null);
    expect(failing.map(({ name, lately }) => [name, lately?.failures])).toEqual([['SendGrid', 5]]);
  });

  test('are listed without failures while the store is failing', async () => {
    const broken = () => Promise.reject(new StoreTroubleError('not-answering'));
    const { items, warnings } = await list(undefined, undefined, broken);
    expect(items.every(({ lately }) => lately === null)).toBe(true);
    expect(warnings).toEqual(['integrations are listed without their failures']);
  });

  test('match the filter regardless of case', async () => {
    const { items } = await list(undefined, { channels: ['email'], providers: ['SendGrid'] });
    expect(named(items)).toEqual(['SendGrid', 'Mandrill']);
  });

  test('name each channel without an active integration, whatever the filter', async () => {
    expect((await list(undefined, { channels: ['email'], providers: [] })).inactiveChannels).toEqual(['sms']);
  });

  test.each([
    ['has no events', aService(null)],
    ["can't list them", { ...aService(null), listEvents: unreachable }],
  ])("can't be distinguished from the organization's others if it %s", async (_, service) => {
    const { items, isOwnKnown, inactiveChannels } = await list(service);
    expect({ isOwnKnown, inactiveChannels }).toEqual({ isOwnKnown: false, inactiveChannels: [] });
    expect(items).toHaveLength(LISTED.length);
  });

  test("are recognized without events if they're the only ones", async () => {
    expect(await list(aService(null, [EMAIL, SMS]))).toMatchObject({ isOwnKnown: true, items: [{}, {}] });
    expect(await list(aService(null, []))).toMatchObject({ items: [], channels: [] });
  });

  test("reject with the service’s error if they can't be read", async () => {
    await expect(list({ ...aService(null), listIntegrations: unreachable })).rejects.toBeInstanceOf(ServiceError);
  });
});
