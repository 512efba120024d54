import { z } from 'zod';

/**
 * The contract's types ("Resources and their fields") as the service has to send them: required fields are always there, and there are no
 * unknown ones.
 */

const text = z.string();
const json = z.record(text, z.unknown());
const time = z.iso.datetime();
const id = text.regex(/^[0-9a-f]{24}$/);
const channel = z.enum(['in_app', 'email', 'sms', 'chat', 'push']);
const stepType = z.enum([...channel.options, 'digest', 'trigger', 'delay', 'throttle', 'custom']);
const tenancy = { _organizationId: id, _environmentId: id };
const variables = z.array(z.strictObject({ name: text }));

const jobProviders = ['svc', 'sendgrid', 'ses', 'twilio', 'fcm', 'slack'] as const;

const StepFilter = z.strictObject({
  isNegated: z.boolean(),
  type: z.literal('GROUP'),
  value: z.enum(['AND', 'OR']),
  children: z.array(
    z.strictObject({ field: text, value: text, operator: z.literal('EQUAL'), on: z.enum(['subscriber', 'payload']) }),
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
        providerId: z.enum(['slack', 'fcm']),
        integrationIdentifier: text.optional(),
        credentials: z.strictObject({
          webhookUrl: text.optional(),
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

const credentialTexts = [
  ...['apiKey', 'user', 'secretKey', 'accountSid', 'token', 'from', 'senderName', 'clientId', 'webhookUrl'],
  'serviceAccount',
] as const;
const IntegrationCredentials = z.strictObject({
  ...optional(credentialTexts, text),
  hmac: z.boolean().optional(),
});

function optional<T extends z.ZodType>(names: readonly string[], type: T) {
  return Object.fromEntries(names.map((name) => [name, type.optional()]));
}

export const Integrations = z.array(
  z.strictObject({
    ...tenancy,
    _id: id.optional(),
    name: text,
    identifier: text,
    providerId: text,
    channel,
    credentials: IntegrationCredentials,
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

const timed = {
  atTime: text.optional(),
  weekDays: z.array(z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])).optional(),
};

/** A step's metadata in a message's workflow: a digest or delay that is regular, backing off, timed or scheduled. */
const WorkflowMetadata = z.union([
  z.strictObject({ type: z.enum(['regular', 'backoff']), ...digest }),
  z.strictObject({
    ...{ type: z.literal('timed'), amount: digest.amount, unit: digest.unit, digestKey: digest.digestKey },
    timed: z.strictObject(timed).optional(),
  }),
  z.strictObject({ type: z.literal('scheduled'), delayPath: text }),
]);

/** The contract only says "object" for `controlVariables` and `metadata`. */
const ActivityStep = z.strictObject({
  _id: text,
  active: z.boolean(),
  filters: z.array(StepFilter),
  _templateId: text,
  controlVariables: json.optional(),
  metadata: json.optional(),
  name: text.optional(),
});

const WorkflowStep = z.strictObject({
  _id: text.optional(),
  uuid: text.optional(),
  name: text.optional(),
  _templateId: text.optional(),
  active: z.boolean().optional(),
  shouldStopOnFail: z.boolean().optional(),
  filters: z.array(StepFilter).optional(),
  metadata: WorkflowMetadata.optional(),
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
      timed: z
        .strictObject({
          ...timed,
          cronExpression: text.optional(),
          untilDate: text.optional(),
        })
        .optional(),
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
      providerId: z.enum(jobProviders).optional(),
      raw: text.nullish(),
    }),
  ),
  step: ActivityStep,
  overrides: json.optional(),
  payload: json.optional(),
  providerId: z.enum(jobProviders),
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

const flags = z.strictObject(optional(channel.options, z.boolean()));

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

const kind = z.enum(['primary', 'secondary']);
const MessageCTA = z.strictObject({
  type: z.literal('redirect').optional(),
  data: z.strictObject({ url: text.optional() }).optional(),
  action: z
    .strictObject({
      status: z.enum(['pending', 'done']).optional(),
      buttons: z.array(z.strictObject({ type: kind, content: text, resultContent: text.optional() })).optional(),
      result: z.strictObject({ payload: json.optional(), type: kind.optional() }).optional(),
    })
    .optional(),
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
  cta: MessageCTA,
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
