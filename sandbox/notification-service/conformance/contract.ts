import { z } from 'zod';

/**
 * The contract's types ("Resources and their fields") as the service has to answer them: what is required is there, and nothing that the contract
 * does not know.
 */

const text = z.string();
const json = z.record(text, z.unknown());
const time = z.iso.datetime();
const id = text.regex(/^[0-9a-f]{24}$/);
const channel = z.enum(['in_app', 'email', 'sms', 'chat', 'push']);
const stepType = z.enum([...channel.options, 'digest', 'trigger', 'delay', 'throttle', 'custom']);
const tenancy = { _organizationId: id, _environmentId: id };
const variables = z.array(z.strictObject({ name: text }));

const StepFilter = z.strictObject({
  isNegated: z.boolean(),
  type: z.enum(['BOOLEAN', 'TEXT', 'DATE', 'NUMBER', 'STATEMENT', 'LIST', 'MULTI_LIST', 'GROUP']),
  value: z.enum(['AND', 'OR']),
  children: z.array(
    z.strictObject({ field: text, value: text, operator: text, on: z.enum(['subscriber', 'payload']) }),
  ),
});

export const Subscriber = z.strictObject({
  ...tenancy,
  _id: id.optional(),
  firstName: text.nullish(),
  lastName: text.nullish(),
  email: text.nullish(),
  phone: text.nullish(),
  avatar: text.nullish(),
  locale: text.nullish(),
  timezone: text.nullish(),
  data: json.nullish(),
  channels: z
    .array(
      z.strictObject({
        providerId: text,
        integrationIdentifier: text.optional(),
        credentials: z.strictObject({
          webhookUrl: text.optional(),
          channel: text.optional(),
          deviceTokens: z.array(text).optional(),
        }),
        _integrationId: id,
      }),
    )
    .optional(),
  topics: z.array(text).optional(),
  isOnline: z.boolean().nullish(),
  lastOnlineAt: time.nullish(),
  __v: z.number().optional(),
  subscriberId: text,
  deleted: z.boolean(),
  createdAt: time,
  updatedAt: time,
});

export const TopicSubscriptions = z.strictObject({
  data: z.array(
    z.strictObject({
      _id: id,
      createdAt: time,
      topic: z.strictObject({
        _id: id,
        key: text,
        name: text.optional(),
        createdAt: time.optional(),
        updatedAt: time.optional(),
      }),
      subscriber: z.strictObject({
        _id: id,
        subscriberId: text,
        avatar: text.nullish(),
        firstName: text.nullish(),
        lastName: text.nullish(),
        email: text.nullish(),
      }),
    }),
  ),
  next: text.nullable(),
  previous: text.nullable(),
  totalCount: z.number(),
  totalCountCapped: z.boolean(),
});

// biome-ignore format: the contract's list of names
const integrationCredentials = [
  'apiKey', 'user', 'secretKey', 'domain', 'password', 'host', 'port', 'region', 'accountSid', 'messageProfileId', 'token', 'from', 'senderName', 'projectName',
  'applicationId', 'clientId', 'baseUrl', 'webhookUrl', 'redirectUrl', 'serviceAccount', 'ipPoolName', 'apiKeyRequestHeader', 'secretKeyRequestHeader', 'idPath',
  'datePath', 'apiToken', 'authenticationTokenKey', 'instanceId', 'alertUid', 'title', 'imageUrl', 'state', 'externalLink', 'channelId', 'phoneNumberIdentification',
  'accessKey', 'appSid', 'senderId', 'AppIOBaseUrl', 'secure', 'requireTls', 'ignoreTls', 'hmac', 'authenticateByToken', 'tlsOptions',
] as const;

export const Integrations = z.array(
  z.strictObject({
    ...tenancy,
    _id: id.optional(),
    name: text,
    identifier: text,
    providerId: text,
    channel,
    credentials: z.partialRecord(z.enum(integrationCredentials), z.union([text, z.boolean(), json])),
    configurations: z
      .strictObject({ inboundWebhookEnabled: z.boolean().optional(), inboundWebhookSigningKey: text.optional() })
      .optional(),
    active: z.boolean(),
    deleted: z.boolean(),
    deletedAt: text.optional(),
    deletedBy: text.optional(),
    primary: z.boolean(),
    conditions: z.array(StepFilter).optional(),
  }),
);

const unit = z.enum(['seconds', 'minutes', 'hours', 'days', 'weeks', 'months']);
const digest = {
  amount: z.number().optional(),
  unit: unit.optional(),
  digestKey: text.optional(),
  backoff: z.boolean().optional(),
  backoffAmount: z.number().optional(),
  backoffUnit: unit.optional(),
  updateMode: z.boolean().optional(),
};

const metadata = z.union([
  z.strictObject({ type: z.enum(['regular', 'backoff']), ...digest }),
  z.strictObject({ type: z.literal('timed'), ...digest, timed: json.optional() }),
  z.strictObject({ type: z.literal('scheduled'), delayPath: text }),
]);

const ActivityStep = z.strictObject({
  _id: id,
  active: z.boolean(),
  filters: z.array(StepFilter),
  _templateId: text,
  replyCallback: json.optional(),
  controlVariables: json.optional(),
  metadata: metadata.optional(),
  issues: json.optional(),
  template: json.optional(),
  variants: z.array(json).optional(),
  name: text.optional(),
  _parentId: text.nullish(),
});

const WorkflowStep = z.strictObject({
  _id: id.optional(),
  uuid: text.optional(),
  name: text.optional(),
  _templateId: id.optional(),
  active: z.boolean().optional(),
  shouldStopOnFail: z.boolean().optional(),
  template: json.optional(),
  filters: z.array(StepFilter).optional(),
  _parentId: text.optional(),
  metadata: metadata.optional(),
  replyCallback: json.optional(),
  variants: z.array(json).optional(),
});

const Trigger = z.strictObject({
  type: z.literal('event'),
  identifier: text,
  variables,
  subscriberVariables: variables.optional(),
});

const Job = z.strictObject({
  _id: id,
  type: stepType,
  digest: z
    .strictObject({
      type: z.enum(['regular', 'backoff', 'timed']),
      ...digest,
      events: z.array(json).optional(),
      timed: json.optional(),
    })
    .optional(),
  executionDetails: z.array(
    z.strictObject({
      _id: id,
      status: z.enum(['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation']),
      detail: text,
      isRetry: z.boolean(),
      isTest: z.boolean(),
      source: z.enum(['Credentials', 'Internal', 'Payload', 'Webhook']),
      createdAt: time.optional(),
      providerId: text.optional(),
      raw: text.nullish(),
    }),
  ),
  step: ActivityStep,
  overrides: json.optional(),
  payload: json.optional(),
  providerId: text,
  status: text,
  updatedAt: time.optional(),
  scheduleExtensionsCount: z.number().optional(),
});

export const Event = z.strictObject({
  ...tenancy,
  _id: id.optional(),
  _subscriberId: id,
  transactionId: text,
  _templateId: id.optional(),
  _digestedNotificationId: id.optional(),
  createdAt: time.optional(),
  updatedAt: time.optional(),
  channels: z.array(stepType).optional(),
  subscriber: z
    .strictObject({
      subscriberId: text,
      _id: id,
      firstName: text.optional(),
      lastName: text.optional(),
      email: text.optional(),
      phone: text.optional(),
    })
    .optional(),
  template: z
    .strictObject({
      _id: id.optional(),
      name: text,
      origin: z.enum(['svc-cloud', 'svc-cloud-v1', 'external']).optional(),
      triggers: z.array(Trigger),
    })
    .optional(),
  jobs: z.array(Job).optional(),
  payload: json.optional(),
  tags: z.array(text).optional(),
  controls: json.optional(),
  to: json.optional(),
  topics: z.array(z.strictObject({ _topicId: id, topicKey: text })).optional(),
  severity: z.enum(['high', 'medium', 'low', 'none']).optional(),
  critical: z.boolean().optional(),
  contextKeys: z.array(text).optional(),
});

const paged = { hasMore: z.boolean(), pageSize: z.number(), page: z.number() };
export const Events = z.strictObject({ ...paged, data: z.array(Event) });

const flags = z.partialRecord(channel, z.boolean());

const Workflow = z.strictObject({
  ...tenancy,
  _id: id.optional(),
  name: text,
  description: text,
  active: z.boolean(),
  draft: z.boolean(),
  preferenceSettings: flags,
  critical: z.boolean(),
  tags: z.array(text),
  steps: z.array(WorkflowStep),
  _creatorId: id,
  triggers: z.array(Trigger),
  _notificationGroupId: id,
  deleted: z.boolean(),
  deletedAt: text,
  deletedBy: text,
});

const Message = z.strictObject({
  ...tenancy,
  _id: id.optional(),
  _templateId: id.nullish(),
  _messageTemplateId: text.nullish(),
  _notificationId: id,
  _subscriberId: id,
  subscriber: Subscriber.optional(),
  template: Workflow.optional(),
  templateIdentifier: text.optional(),
  createdAt: time,
  deliveredAt: z.array(time).optional(),
  lastSeenDate: time.optional(),
  lastReadDate: time.optional(),
  content: text.optional(),
  transactionId: text,
  subject: text.optional(),
  channel,
  read: z.boolean(),
  seen: z.boolean(),
  snoozedUntil: time.optional(),
  email: text.optional(),
  phone: text.optional(),
  directWebhookUrl: text.optional(),
  providerId: text.optional(),
  deviceTokens: z.array(text).optional(),
  title: text.optional(),
  cta: z.strictObject({ type: z.literal('redirect').optional(), data: json.optional(), action: json.optional() }),
  _feedId: text.nullish(),
  status: z.enum(['sent', 'error', 'warning']),
  errorId: text.optional(),
  errorText: text.optional(),
  payload: json.optional(),
  overrides: json.optional(),
  contextKeys: z.array(text).optional(),
});
export const Messages = z.strictObject({ ...paged, totalCount: z.number().optional(), data: z.array(Message) });

export const TriggerResults = z.array(
  z.strictObject({
    acknowledged: z.boolean(),
    status: z.enum([
      'error',
      'trigger_not_active',
      'no_workflow_active_steps_defined',
      'no_workflow_steps_defined',
      'processed',
      'no_tenant_found',
      'invalid_recipients',
    ]),
    error: z.array(text).optional(),
    transactionId: text.optional(),
  }),
);
