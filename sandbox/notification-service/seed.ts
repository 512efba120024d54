import type { Channel, ChannelSettings, Integration, Subscriber, Topic } from './entities.ts';
import { plantedSecrets as secret } from './provider-failures.ts';
import { objectId, type Random } from './random.ts';

export interface Tenancy {
  _organizationId: string;
  _environmentId: string;
}

const SUBSCRIBERS = 120;
const firstNames = ['Ada', 'Bilal', 'Chiara', 'Dana', 'Emre', 'Fatou', 'Grace', 'Hiro'] as const;
const lastNames = ['Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Novak', 'Reyes'] as const;

/** Creates `user-1` … `user-120`. Every tenth has no email, every seventh no phone, every third a device and a webhook. */
export function seedSubscribers(
  random: Random,
  tenancy: Tenancy,
  integrations: readonly Integration[],
  at: number,
): Subscriber[] {
  return Array.from({ length: SUBSCRIBERS }, (_, index) => {
    const number = index + 1;
    const firstName = random.pick(firstNames);
    const lastName = random.pick(lastNames);
    return {
      ...bareSubscriber(random, tenancy, `user-${number}`, at),
      firstName,
      lastName,
      email: number % 10 === 0 ? null : `${firstName}.${lastName}.${number}@people.sandbox.example`.toLowerCase(),
      phone: number % 7 === 0 ? null : `+49155501${String(number).padStart(5, '0')}`,
      locale: 'en_GB',
      timezone: 'Europe/Berlin',
      channels: number % 3 === 0 ? ownChannels(number, integrations) : [],
    };
  });
}

/** Creates a subscriber of whom only the ID is known, as a trigger to an unknown subscriber does. */
export function bareSubscriber(random: Random, tenancy: Tenancy, subscriberId: string, at: number): Subscriber {
  const time = new Date(at).toISOString();
  return {
    _id: objectId(random, at),
    ...tenancy,
    subscriberId,
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    avatar: null,
    locale: null,
    timezone: null,
    data: null,
    channels: [],
    topics: [],
    isOnline: false,
    lastOnlineAt: null,
    deleted: false,
    createdAt: time,
    updatedAt: time,
    __v: 0,
  };
}

/** Creates `<name>-1`, `<name>-2`, … with email addresses, except for two in a hundred. */
export function seedCrowd(
  random: Random,
  tenancy: Tenancy,
  { name, people, at }: { name: string; people: number; at: number },
): Subscriber[] {
  return Array.from({ length: people }, (_, index) => {
    const subscriberId = `${name}-${index + 1}`;
    const email = random.chance(0.02) ? null : `${subscriberId}@crowd.sandbox.example`;
    return { ...bareSubscriber(random, tenancy, subscriberId, at), email };
  });
}

function ownChannels(number: number, integrations: readonly Integration[]): ChannelSettings[] {
  return integrations.flatMap(({ providerId, identifier, _id }) => {
    const credentials =
      providerId === 'fcm'
        ? { deviceTokens: [`${secret.deviceToken}-${number}`] }
        : { webhookUrl: `${secret.webhookUrl}${number}` };
    const personal = providerId === 'fcm' || providerId === 'slack';
    return personal ? [{ providerId, integrationIdentifier: identifier, credentials, _integrationId: _id }] : [];
  });
}

/** Creates the topics `news-readers` (40 people), `vip` (3) and `nobody` (none). */
export function seedTopics(random: Random, subscribers: readonly Subscriber[], at: number): Topic[] {
  return [
    topicOf(random, 'news-readers', 'News readers', subscribers.slice(0, 40), at),
    topicOf(random, 'vip', 'VIP', subscribers.slice(40, 43), at),
    topicOf(random, 'nobody', 'Nobody', [], at),
  ];
}

/** Creates a topic with a subscription for each of the people, a second apart, so that IDs ascend. */
export function topicOf(
  random: Random,
  key: string,
  name: string,
  people: readonly { subscriberId: string }[],
  at: number,
): Topic {
  const time = new Date(at).toISOString();
  const subscriptions = people.map(({ subscriberId }, index) => {
    const joined = at + index * 1000;
    return { _id: objectId(random, joined), createdAt: new Date(joined).toISOString(), subscriberId };
  });
  return { _id: objectId(random, at), key, name, createdAt: time, updatedAt: time, subscriptions };
}

const integrationSketches: readonly [providerId: string, channel: Channel, name: string, credentials: object][] = [
  ['svc', 'in_app', 'Inbox', { hmac: false }],
  ['sendgrid', 'email', 'SendGrid', { apiKey: secret.authorization, from: secret.smtpUser, senderName: 'Sandbox' }],
  ['ses', 'email', 'Amazon SES', { apiKey: secret.apiKey, secretKey: secret.smtpPassword, user: secret.smtpUser }],
  ['twilio', 'sms', 'Twilio', { accountSid: 'ACsandbox', token: secret.basicAuthorization, from: secret.phone }],
  ['fcm', 'push', 'Firebase', { serviceAccount: secret.serviceAccount }],
  ['slack', 'chat', 'Slack', { clientId: 'sandbox', secretKey: secret.apiKey, webhookUrl: secret.webhookUrl }],
];

/** Creates the organization's integrations: each provider in this environment and in a second one, and one that was deleted. */
export function seedIntegrations(
  random: Random,
  tenancy: Tenancy,
  otherEnvironmentId: string,
  at: number,
): Integration[] {
  const here = integrationsOf(random, tenancy, at);
  const elsewhere = integrationsOf(random, { ...tenancy, _environmentId: otherEnvironmentId }, at);
  const deleted = integrationsOf(random, tenancy, at)
    .slice(2, 3)
    .map((integration) => ({
      ...integration,
      identifier: 'ses-retired',
      name: 'Amazon SES (retired)',
      active: false,
      deleted: true,
      deletedAt: new Date(at).toISOString(),
      deletedBy: objectId(random, at),
    }));
  return [...here, ...elsewhere, ...deleted];
}

function integrationsOf(random: Random, tenancy: Tenancy, at: number): Integration[] {
  return integrationSketches.map(([providerId, channel, name, credentials]) => ({
    _id: objectId(random, at),
    ...tenancy,
    name,
    identifier: `${providerId}-${random.hex(6)}`,
    providerId,
    channel,
    credentials: { ...credentials },
    configurations: { inboundWebhookEnabled: channel === 'email', inboundWebhookSigningKey: secret.apiKey },
    active: true,
    deleted: false,
    primary: providerId !== 'ses',
    conditions: [],
  }));
}
