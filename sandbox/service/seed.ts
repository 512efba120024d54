import type {
  Channel,
  ChannelSettings,
  Integration,
  Json,
  StepFilter,
  Subscriber,
  Tenancy,
  Topic,
  Workflow,
  WorkflowStep,
} from './entities.ts';
import { defaultProvider, plantedSecrets as secret } from './provider-failures.ts';
import { objectId, type Random } from './random.ts';

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
    const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)];
    return {
      ...bareSubscriber(random, tenancy, `user-${number}`, at),
      firstName,
      lastName,
      email: number % 10 === 0 ? null : `${firstName}.${lastName}.${number}@people.sandbox.example`.toLowerCase(),
      phone: number % 7 === 0 ? null : `+49155501${String(number).padStart(5, '0')}`,
      channels: number % 3 === 0 ? personalChannels(number, integrations) : [],
    };
  });
}

export function bareSubscriber(random: Random, tenancy: Tenancy, subscriberId: string, at: number): Subscriber {
  const time = new Date(at).toISOString();
  return {
    ...{ _id: objectId(random, at), ...tenancy, subscriberId },
    ...{ firstName: null, lastName: null, email: null, phone: null },
    ...{ channels: [], deleted: false, createdAt: time, updatedAt: time },
  };
}

function personalChannels(number: number, integrations: readonly Integration[]): ChannelSettings[] {
  const credentials = new Map([
    ['fcm', { deviceTokens: [`${secret.deviceToken}-${number}`] }],
    ['slack', { webhookUrl: `${secret.webhookUrl}${number}` }],
  ]);
  return integrations.flatMap(({ providerId, identifier, _id }) => {
    const found = credentials.get(providerId);
    return found ? [{ providerId, integrationIdentifier: identifier, credentials: found, _integrationId: _id }] : [];
  });
}

export function seedTopics(random: Random, subscribers: readonly Subscriber[], at: number): Topic[] {
  return [
    topicOf(random, 'news-readers', 'News readers', subscribers.slice(0, 40), at),
    topicOf(random, 'vip', 'VIP', subscribers.slice(40, 43), at),
    topicOf(random, 'nobody', 'Nobody', [], at),
  ];
}

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

export function seedIntegrations(
  random: Random,
  tenancy: Tenancy,
  otherEnvironmentId: string,
  at: number,
): Integration[] {
  const retired = {
    ...{ identifier: 'ses-retired', name: 'Amazon SES (retired)', active: false, deleted: true },
    ...{ deletedAt: new Date(at).toISOString(), deletedBy: objectId(random, at) },
  };
  return [
    ...integrationsOf(random, tenancy, at),
    ...integrationsOf(random, { ...tenancy, _environmentId: otherEnvironmentId }, at),
    ...integrationsOf(random, tenancy, at)
      .filter(({ providerId }) => providerId === 'ses')
      .map((integration) => ({ ...integration, ...retired })),
  ];
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

interface WorkflowSketch {
  identifier: string;
  name: string;
  severity?: string;
  critical?: boolean;
  active?: boolean;
  tags?: string[];
  variables?: string[];
  required?: string[];
  steps: (string | StepSketch)[];
}

interface StepSketch extends Partial<Omit<WorkflowStep, 'activity'>> {
  type: string;
  active?: boolean;
  filters?: StepFilter[];
}

const onlyForSubscribersWhoWantIt: StepFilter = {
  ...{ isNegated: false, type: 'GROUP', value: 'AND' },
  children: [{ field: 'wantsUpdates', value: 'true', operator: 'EQUAL', on: 'payload' }],
};

/** The last three are only there to show how the service declines a trigger. */
const sketches: readonly WorkflowSketch[] = [
  {
    ...{ identifier: 'order-shipped', name: 'Order shipped', tags: ['orders'] },
    variables: ['orderNumber', 'carrier', 'wantsUpdates'],
    steps: ['in_app', 'email', { type: 'sms', filters: [onlyForSubscribersWhoWantIt] }],
  },
  {
    ...{ identifier: 'password-reset', name: 'Password reset', severity: 'high', tags: ['account'] },
    variables: ['resetLink'],
    steps: [{ type: 'email', stopsOnFail: true }],
  },
  {
    ...{ identifier: 'weekly-digest', name: 'Weekly digest', severity: 'low', tags: ['news'] },
    variables: ['headline'],
    steps: [{ type: 'digest', waitSeconds: [45, 90] }, { type: 'email', stopsOnFail: true }, 'in_app'],
  },
  {
    ...{ identifier: 'payment-failed', name: 'Payment failed', severity: 'high', critical: true, tags: ['billing'] },
    variables: ['amount', 'currency', 'customerEmail'],
    required: ['amount'],
    steps: ['email', 'sms', 'push', 'chat'],
  },
  {
    ...{ identifier: 'marketing-news', name: 'Marketing news', tags: ['news'] },
    variables: ['campaign'],
    steps: [
      { type: 'email', providerId: 'ses' },
      { type: 'push', filters: [onlyForSubscribersWhoWantIt] },
    ],
  },
  {
    ...{ identifier: 'appointment-reminder', name: 'Appointment reminder', severity: 'medium', tags: ['appointments'] },
    variables: ['startsAt'],
    steps: [{ type: 'delay', waitSeconds: [120, 3 * 3600] }, 'sms'],
  },
  {
    ...{ identifier: 'product-launch', name: 'Product launch', tags: ['news'] },
    variables: ['product'],
    steps: ['in_app', { type: 'email', providerId: 'ses' }],
  },
  { identifier: 'retired-welcome', name: 'Retired welcome', active: false, steps: ['email'] },
  { identifier: 'empty-draft', name: 'Empty draft', steps: [] },
  { identifier: 'paused-survey', name: 'Paused survey', steps: [{ type: 'email', active: false }] },
];

export function seedWorkflows(random: Random, at: number): Workflow[] {
  return sketches.map(({ identifier, name, variables = [], required = [], steps, ...given }) => {
    const _id = objectId(random, at);
    const trigger = {
      ...{ type: 'event' as const, identifier, subscriberVariables: [{ name: 'email' }] },
      variables: variables.map((variable) => ({ name: variable })),
    };
    return {
      ...{ _id, identifier, name, description: `${name}, from the sandbox` },
      ...{ active: true, critical: false, severity: 'none', tags: [], ...given },
      variables: variables.map((variable) => ({ name: variable, required: required.includes(variable) })),
      steps: steps.map((step) => toStep(typeof step === 'string' ? { type: step } : step, random, at)),
      template: { _id, name, origin: 'svc-cloud', triggers: [trigger] },
    };
  });
}

function toStep({ type, active = true, filters = [], ...given }: StepSketch, random: Random, at: number): WorkflowStep {
  const metadata: Json | undefined = given.waitSeconds && {
    ...{ type: 'regular', amount: given.waitSeconds[1], unit: 'seconds' },
  };
  const ids = { _id: objectId(random, at), _templateId: objectId(random, at) };
  return {
    ...{ type, providerId: defaultProvider(type), stopsOnFail: false, waitSeconds: [60, 60], ...given },
    activity: { ...ids, name: `${type} step`, active, filters, ...(metadata && { metadata }) },
  };
}
