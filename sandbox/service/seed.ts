import { z } from 'zod';
import type { ChannelSettings, Integration, Subscriber, Tenancy, Topic, Workflow, WorkflowStep } from './entities.ts';
import { defaultProvider, providers, plantedSecrets as secret } from './provider-failures.ts';
import { objectId, type Random } from './random.ts';
import sketches from './workflows.json' with { type: 'json' };

const SUBSCRIBERS = 120;
const firstNames = ['Ada', 'Bilal', 'Chiara', 'Dana', 'Emre', 'Fatou', 'Grace', 'Hiro'] as const;
const lastNames = ['Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Novak', 'Reyes'] as const;

/** Creates `user-1` to `user-120`: each tenth has no email, each seventh no phone, each third a device and a webhook, each 15th several. */
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
      email: number % 10 === 0 ? null : `${firstName}.${lastName}.${number}@${mailDomainOf(number)}`.toLowerCase(),
      phone: number % 7 === 0 ? null : `+49155501${String(number).padStart(5, '0')}`,
      channels: number % 3 === 0 ? personalChannels(number, integrations, tenancy) : [],
    };
  });
}

/** Two domains, so that failures can be told apart by the receiving server. */
const mailDomainOf = (number: number): string => (number % 5 < 3 ? 'people.sandbox.example' : 'mail.sandbox.example');

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
    channels: [],
    deleted: false,
    createdAt: time,
    updatedAt: time,
  };
}

function personalChannels(number: number, all: readonly Integration[], tenancy: Tenancy): ChannelSettings[] {
  const integrations = all.filter(({ _environmentId }) => _environmentId === tenancy._environmentId);
  const push = { deviceTokens: [`${secret.deviceToken}-${number}`] };
  const chat = { webhookUrl: `${secret.webhookUrl}${number}` };
  const more = { 'push-webhook': push, expo: push, discord: chat };
  const credentials = new Map(Object.entries({ fcm: push, slack: chat, ...(number % 15 === 0 && more) }));
  return integrations.flatMap(({ providerId, identifier, _id }) => {
    const given = credentials.get(providerId);
    return given ? [{ providerId, integrationIdentifier: identifier, credentials: given, _integrationId: _id }] : [];
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
  // In this order, one a second.
  const subscriptions = people.map(({ subscriberId }, index) => {
    const joined = at - (people.length - index) * 1000;
    return { _id: objectId(random, joined), createdAt: new Date(joined).toISOString(), subscriberId };
  });
  return { _id: objectId(random, at), key, name, createdAt: time, updatedAt: time, subscriptions };
}

export function seedIntegrations(
  random: Random,
  tenancy: Tenancy,
  otherEnvironmentId: string,
  at: number,
): Integration[] {
  const retired = {
    identifier: 'ses-retired',
    name: 'Amazon SES (retired)',
    active: false,
    deleted: true,
    deletedAt: new Date(at).toISOString(),
    deletedBy: objectId(random, at),
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
  return [...providers].map(([providerId, { channel, integration }]) => ({
    _id: objectId(random, at),
    ...tenancy,
    name: integration.name,
    identifier: `${providerId}-${random.hex(6)}`,
    providerId,
    channel,
    credentials: { ...integration.credentials },
    configurations: { inboundWebhookEnabled: channel === 'email', inboundWebhookSigningKey: secret.apiKey },
    active: true,
    deleted: false,
    // Only email and SMS have a primary integration.
    primary: providerId === 'sendgrid' || providerId === 'twilio',
    conditions: [],
  }));
}

const text = z.string();
const texts = z.array(text).default([]);
const flag = (usual: boolean) => z.boolean().default(usual);
/** Of steps that don't wait, which nothing reads. */
const ANY_WAIT = [60, 60] as const;

const StepSketch = z.object({
  type: text,
  providerId: text.optional(),
  active: flag(true),
  stopsOnFail: flag(false),
  waitSeconds: z.tuple([z.number(), z.number()]).optional(),
  /** A field of the payload: the step runs only if it's true. */
  onlyIf: text.optional(),
});

/** Parses workflows.json. Its last three workflows show how the service declines a trigger. */
const Sketches = z.array(
  z.object({
    identifier: text,
    name: text,
    active: flag(true),
    critical: flag(false),
    severity: text.default('none'),
    tags: texts,
    variables: texts,
    required: texts,
    steps: z.array(StepSketch),
  }),
);

export function seedWorkflows(random: Random, at: number): Workflow[] {
  return Sketches.parse(sketches).map(({ identifier, name, variables, required, steps, ...given }) => {
    const _id = objectId(random, at);
    const trigger = {
      type: 'event' as const,
      identifier,
      subscriberVariables: [{ name: 'email' }],
      variables: variables.map((variable) => ({ name: variable })),
    };
    return {
      _id,
      identifier,
      name,
      description: `${name}, from the sandbox`,
      ...given,
      variables: variables.map((variable) => ({ name: variable, required: required.includes(variable) })),
      steps: steps.map((step) => toStep(step, random, at)),
      template: { _id, name, origin: 'svc-cloud', triggers: [trigger] },
    };
  });
}

function toStep(sketch: z.infer<typeof StepSketch>, random: Random, at: number): WorkflowStep {
  const { type, providerId = defaultProvider(type), active, stopsOnFail, waitSeconds, onlyIf } = sketch;
  const metadata = waitSeconds && { type: 'regular', amount: waitSeconds[1], unit: 'seconds' };
  const ids = { _id: objectId(random, at), _templateId: objectId(random, at) };
  const children = [{ field: onlyIf ?? '', value: 'true', operator: 'EQUAL', on: 'payload' as const }];
  const filters = onlyIf ? [{ isNegated: false, type: 'GROUP', value: 'AND' as const, children }] : [];
  const activity = { ...ids, name: `${type} step`, active, filters, ...(metadata && { metadata }) };
  return { type, providerId, stopsOnFail, waitSeconds: waitSeconds ?? ANY_WAIT, activity };
}
