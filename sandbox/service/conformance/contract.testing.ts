import { z } from 'zod';
import { channels } from '../entities.ts';
import { providers } from '../provider-failures.ts';

/**
 * The contract's types ("Resources and their fields") as the service has to send them: required fields are always there, and there are no
 * unknown ones. A field that the contract only calls an object can be any object.
 */

type Fields = Record<string, z.ZodType>;

const text = z.string();
const json = z.record(text, z.unknown());
const time = z.iso.datetime();
const id = text.regex(/^[0-9a-f]{24}$/);
const flag = z.boolean();
const channel = z.enum(channels);
/** Real servers have one type more than the contract: http_request. */
const stepType = z.enum([...channel.options, 'digest', 'trigger', 'delay', 'throttle', 'custom', 'http_request']);
/** The sandbox's chat and push providers, of which its subscribers have credentials. */
const reached = z.enum(['fcm', 'push-webhook', 'expo', 'slack', 'discord']);
const provider = z.enum([...providers.keys()]);
const names = z.array(z.strictObject({ name: text }));
const tenancy = { _organizationId: id, _environmentId: id };

/** An object with the first fields, and possibly some of the others. */
const object = (required: Fields, optional: Fields = {}) =>
  z.strictObject({ ...required, ...z.object(optional).partial().shape });
const each = (fields: readonly string[], type: z.ZodType) => Object.fromEntries(fields.map((name) => [name, type]));

const StepFilter = object({
  isNegated: flag,
  type: z.literal('GROUP'),
  value: z.enum(['AND', 'OR']),
  children: z.array(
    object({ field: text, value: text, operator: z.literal('EQUAL'), on: z.enum(['subscriber', 'payload']) }),
  ),
});

const PERSON = ['firstName', 'lastName', 'email', 'phone'];

export const Subscriber = object(
  { ...tenancy, subscriberId: text, deleted: flag, createdAt: time, updatedAt: time },
  {
    _id: id,
    data: json.nullable(),
    topics: z.array(text),
    isOnline: flag.nullable(),
    lastOnlineAt: time.nullable(),
    ...each([...PERSON, 'avatar', 'locale', 'timezone'], text.nullable()),
    channels: z.array(
      object(
        {
          providerId: reached,
          _integrationId: id,
          credentials: object({}, { webhookUrl: text, deviceTokens: z.array(text) }),
        },
        { integrationIdentifier: text },
      ),
    ),
    __v: z.number(),
  },
);

export const TopicSubscriptions = object({
  data: z.array(
    object({
      _id: id,
      createdAt: time,
      topic: object({ _id: id, key: text }, { name: text, createdAt: time, updatedAt: time }),
      subscriber: object(
        { _id: id, subscriberId: text },
        each(['avatar', 'firstName', 'lastName', 'email'], text.nullable()),
      ),
    }),
  ),
  next: text.nullable(),
  previous: text.nullable(),
  totalCount: z.number(),
  totalCountCapped: flag,
});

export const Integrations = z.array(
  object(
    {
      ...tenancy,
      name: text,
      identifier: text,
      providerId: text,
      channel,
      credentials: json,
      active: flag,
      deleted: flag,
      primary: flag,
    },
    { _id: id, configurations: json, deletedAt: text, deletedBy: text, conditions: z.array(StepFilter) },
  ),
);

const Trigger = object(
  { type: z.literal('event'), identifier: text, variables: names },
  { subscriberVariables: names },
);

const Job = object(
  {
    _id: id,
    type: stepType,
    status: text,
    executionDetails: z.array(
      object(
        {
          _id: id,
          detail: text,
          isRetry: flag,
          isTest: flag,
          status: z.enum(['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation']),
          source: z.enum(['Credentials', 'Internal', 'Payload', 'Webhook']),
        },
        { createdAt: time, providerId: provider, raw: text.nullable() },
      ),
    ),
    step: object(
      { _id: text, active: flag, filters: z.array(StepFilter), _templateId: text },
      { controlVariables: json, metadata: json, name: text },
    ),
  },
  {
    providerId: provider,
    digest: json,
    overrides: json,
    payload: json,
    updatedAt: time,
    scheduleExtensionsCount: z.number(),
  },
);

export const Event = object(
  { ...tenancy, _subscriberId: id, transactionId: text },
  {
    _id: id,
    _templateId: id,
    _digestedNotificationId: id,
    createdAt: time,
    updatedAt: time,
    channels: z.array(stepType),
    jobs: z.array(Job),
    payload: json,
    tags: z.array(text),
    controls: json,
    to: json,
    subscriber: object({ subscriberId: text, _id: id }, each(PERSON, text)),
    template: object({ name: text, triggers: z.array(Trigger) }, { _id: id, origin: text }),
    topics: z.array(object({ _topicId: id, topicKey: text })),
    severity: z.enum(['high', 'medium', 'low', 'none']),
    critical: flag,
    contextKeys: z.array(text),
  },
);

const paged = { hasMore: flag, pageSize: z.number(), page: z.number() };
export const Events = z.strictObject({ ...paged, data: z.array(Event) });

const Message = object(
  {
    ...tenancy,
    _notificationId: id,
    _subscriberId: id,
    createdAt: time,
    transactionId: text,
    channel,
    read: flag,
    seen: flag,
    cta: json,
    status: z.enum(['sent', 'error', 'warning']),
  },
  {
    _id: id,
    _templateId: id.nullable(),
    _messageTemplateId: text.nullable(),
    _feedId: text.nullable(),
    subscriber: Subscriber,
    deliveredAt: z.array(time),
    deviceTokens: z.array(text),
    ...each(['templateIdentifier', 'content', 'subject', 'title', 'email', 'phone', 'directWebhookUrl'], text),
    ...each(['providerId', 'errorId', 'errorText'], text),
    payload: json,
    overrides: json,
    contextKeys: z.array(text),
  },
);
export const Messages = object({ ...paged, data: z.array(Message) }, { totalCount: z.number() });

export const TriggerResults = z.array(
  object(
    {
      acknowledged: flag,
      status: z.enum([
        'error',
        'trigger_not_active',
        'no_workflow_active_steps_defined',
        'no_workflow_steps_defined',
        'processed',
        'no_tenant_found',
        'invalid_recipients',
      ]),
    },
    { error: z.array(text), transactionId: text },
  ),
);
