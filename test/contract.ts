/**
 * The service's contract as data: its operations with their parameters, and one answer of each in which every field of every type
 * stands. `a` is told each type with its fields, and gives what stands for it in the answer.
 */
export type Describe = (type: string, fields: { readonly [field: string]: unknown }) => unknown;

export interface ContractOperation {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  /** In the path, the query and the body; those of nested types stand among the types. */
  readonly parameters: readonly string[];
}

/** Of a trigger's result (contract, "States and transitions"). */
export const TRIGGER_STATUSES = [
  'error',
  'trigger_not_active',
  'no_workflow_active_steps_defined',
  'no_workflow_steps_defined',
  'processed',
  'no_tenant_found',
  'invalid_recipients',
] as const;

/** In the contract's order, by the name that the client gives them. */
export const OPERATIONS = {
  updateCredentials: {
    method: 'PATCH',
    path: '/v1/subscribers/{subscriberId}/credentials',
    parameters: ['subscriberId', 'providerId', 'integrationIdentifier', 'credentials'],
  },
  listTopicSubscriptions: {
    method: 'GET',
    path: '/v2/topics/{topicKey}/subscriptions',
    parameters: ['topicKey', 'after', 'before', 'limit', 'orderDirection', 'orderBy', 'includeCursor', 'subscriberId'],
  },
  listIntegrations: { method: 'GET', path: '/v1/integrations', parameters: [] },
  listMessages: {
    method: 'GET',
    path: '/v1/messages',
    parameters: ['channel', 'subscriberId', 'transactionId', 'contextKeys', 'page', 'limit'],
  },
  listEvents: {
    method: 'GET',
    path: '/v1/notifications',
    parameters: [
      'channels',
      'templates',
      'emails',
      'search',
      'subscriberIds',
      'severity',
      'page',
      'limit',
      'transactionId',
      'topicKey',
      'contextKeys',
      'after',
      'before',
    ],
  },
  triggerEvents: { method: 'POST', path: '/v1/events/trigger/bulk', parameters: ['events'] },
  retrieveEvent: { method: 'GET', path: '/v1/notifications/{notificationId}', parameters: ['notificationId'] },
} as const satisfies { readonly [operation: string]: ContractOperation };

/** The types of what is sent, beside the parameters above. */
export const SENT_TYPES = {
  ChannelCredentials: [
    'webhookUrl',
    'channel',
    'deviceTokens',
    'alertUid',
    'title',
    'imageUrl',
    'state',
    'externalUrl',
  ],
  'Trigger event item': ['name', 'payload', 'overrides', 'to', 'transactionId', 'actor', 'tenant', 'context'],
  'Subscriber definition': [
    'subscriberId',
    'firstName',
    'lastName',
    'email',
    'phone',
    'avatar',
    'locale',
    'timezone',
    'data',
    'channels',
  ],
} as const;

const TIME = '2026-03-04T12:00:00.000Z';
const id = (n: number) => n.toString(16).padStart(24, '0');

/** What each operation answers, by its name. */
export function answers(a: Describe): { readonly [operation in keyof typeof OPERATIONS]: unknown } {
  const { event, message, subscriber } = { event: eventOf(a), message: messageOf(a), subscriber: subscriberOf(a) };
  return {
    updateCredentials: subscriber,
    listTopicSubscriptions: a('Topic subscription list', {
      data: [topicSubscriptionOf(a)],
      next: id(1),
      previous: id(2),
      totalCount: 1,
      totalCountCapped: false,
    }),
    listIntegrations: [integrationOf(a)],
    listMessages: a('Message list', { totalCount: 1, hasMore: false, data: [message], pageSize: 10, page: 0 }),
    listEvents: a('Event list', { hasMore: false, data: [event], pageSize: 10, page: 0 }),
    triggerEvents: [
      a('Trigger result', { acknowledged: true, status: 'processed', error: ['none'], transactionId: 'txn_1' }),
    ],
    retrieveEvent: event,
  };
}

function subscriberOf(a: Describe): unknown {
  return a('Subscriber', {
    _id: id(3),
    firstName: 'Anna',
    lastName: 'Lind',
    email: 'anna@example.com',
    phone: '+4915112345678',
    avatar: 'https://example.com/a.png',
    locale: 'en',
    channels: [channelSettingsOf(a)],
    topics: ['launch'],
    isOnline: true,
    lastOnlineAt: TIME,
    __v: 1,
    data: {},
    timezone: 'Europe/Berlin',
    subscriberId: 'user-1',
    _organizationId: id(4),
    _environmentId: id(5),
    deleted: false,
    createdAt: TIME,
    updatedAt: TIME,
  });
}

function channelSettingsOf(a: Describe): unknown {
  return a('ChannelSettings', {
    providerId: 'slack',
    integrationIdentifier: 'slack-1',
    credentials: a('ChannelCredentials', {
      webhookUrl: 'https://example.com/hook',
      channel: 'c',
      deviceTokens: ['token'],
      alertUid: 'u',
      title: 't',
      imageUrl: 'i',
      state: 's',
      externalUrl: 'e',
    }),
    _integrationId: id(6),
  });
}

function topicSubscriptionOf(a: Describe): unknown {
  return a('TopicSubscription', {
    _id: id(7),
    createdAt: TIME,
    topic: a('Topic', { _id: id(8), key: 'launch', name: 'Launch', createdAt: TIME, updatedAt: TIME }),
    subscriber: a('SubscriberSummary', {
      _id: id(9),
      subscriberId: 'user-1',
      avatar: null,
      firstName: 'Anna',
      lastName: 'Lind',
      email: 'anna@example.com',
    }),
  });
}

function integrationOf(a: Describe): unknown {
  return a('Integration', {
    _id: id(10),
    _environmentId: id(5),
    _organizationId: id(4),
    name: 'SendGrid',
    identifier: 'sendgrid-1',
    providerId: 'sendgrid',
    channel: 'email',
    credentials: { apiKey: 'secret' },
    configurations: a('IntegrationConfigurations', { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'secret' }),
    active: true,
    deleted: false,
    deletedAt: TIME,
    deletedBy: id(11),
    primary: true,
    conditions: [stepFilterOf(a, 'StepFilter of an integration')],
  });
}

function stepFilterOf(a: Describe, type: string): unknown {
  const children = [a(`${type}: part`, { field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' })];
  return a(type, { isNegated: false, type: 'GROUP', value: 'AND', children });
}

function messageOf(a: Describe): unknown {
  return a('Message', {
    _id: id(12),
    _templateId: id(13),
    _environmentId: id(5),
    _messageTemplateId: id(14),
    _organizationId: id(4),
    _notificationId: id(15),
    _subscriberId: id(3),
    subscriber: subscriberOf(a),
    template: workflowOf(a),
    // Without it the template's own name for the workflow is looked for.
    templateIdentifier: null,
    createdAt: TIME,
    deliveredAt: [TIME],
    lastSeenDate: TIME,
    lastReadDate: TIME,
    content: [a('EmailBlock', { type: 'text', content: 'Hello', url: 'https://example.com', styles: {} })],
    transactionId: 'txn_1',
    subject: null,
    channel: 'email',
    read: true,
    seen: true,
    snoozedUntil: TIME,
    email: 'anna@example.com',
    phone: '+4915112345678',
    directWebhookUrl: 'https://example.com/hook',
    providerId: 'sendgrid',
    deviceTokens: ['token'],
    title: 'Hello',
    cta: a('MessageCTA', {
      type: 'redirect',
      data: a('MessageCTA.data', { url: 'https://example.com' }),
      action: a('MessageAction', {
        status: 'done',
        buttons: [a('MessageButton', { type: 'primary', content: 'Track', resultContent: 'Tracked' })],
        result: a('MessageAction.result', { payload: {}, type: 'primary' }),
      }),
    }),
    _feedId: null,
    status: 'error',
    errorId: 'provider_error',
    errorText: 'Refused',
    payload: {},
    overrides: {},
    contextKeys: ['tenant:acme'],
  });
}

function workflowOf(a: Describe): unknown {
  return a('Workflow', {
    _id: id(13),
    name: 'Order shipped',
    description: 'd',
    active: true,
    draft: false,
    preferenceSettings: { email: true },
    critical: false,
    tags: [],
    steps: [],
    _organizationId: id(4),
    _creatorId: id(16),
    _environmentId: id(5),
    triggers: [a('WorkflowTrigger', { type: 'event', identifier: null, variables: [], subscriberVariables: [] })],
    _notificationGroupId: id(17),
    deleted: false,
    deletedAt: TIME,
    deletedBy: id(11),
    _parentId: id(18),
    notificationGroup: {},
    data: {},
    workflowIntegrationStatus: {},
  });
}

function eventOf(a: Describe): unknown {
  return a('Activity notification', {
    _id: id(15),
    _environmentId: id(5),
    _organizationId: id(4),
    _subscriberId: id(3),
    transactionId: 'txn_1',
    _templateId: id(13),
    _digestedNotificationId: id(19),
    createdAt: TIME,
    updatedAt: TIME,
    channels: ['email'],
    // A deleted subscriber leaves an event without one: then `to` is looked at.
    subscriber: null,
    template: a('ActivityTemplate', {
      _id: id(13),
      name: 'Order shipped',
      origin: 'external',
      triggers: [
        a('ActivityTemplate.triggers', {
          type: 'event',
          identifier: 'order-shipped',
          variables: [a('ActivityTemplate.triggers.variables', { name: 'orderId' })],
          subscriberVariables: [],
        }),
      ],
    }),
    jobs: [jobOf(a)],
    payload: {},
    tags: ['checkout'],
    controls: {},
    to: a('Subscriber definition of an event', {
      subscriberId: 'user-1',
      firstName: 'Anna',
      lastName: 'Lind',
      email: 'anna@example.com',
      phone: '+4915112345678',
      avatar: 'a',
      locale: 'en',
      timezone: 'Europe/Berlin',
      data: {},
      channels: [],
    }),
    topics: [a('Activity notification.topics', { _topicId: id(8), topicKey: 'launch' })],
    severity: 'high',
    critical: true,
    contextKeys: ['tenant:acme'],
  });
}

/** An event whose subscriber still exists, with a step that waits by its own settings. */
export function waitingEvent(a: Describe): unknown {
  const subscriber = a('ActivitySubscriber', {
    subscriberId: 'user-1',
    _id: id(3),
    firstName: 'Anna',
    lastName: 'Lind',
    email: 'anna@example.com',
    phone: '+4915112345678',
  });
  const metadata = a('Step metadata', {
    type: 'regular',
    amount: 1,
    unit: 'hours',
    digestKey: 'orderId',
    backoff: true,
    backoffAmount: 1,
    backoffUnit: 'minutes',
    updateMode: false,
    timed: null,
    delayPath: 'sendAt',
  });
  const step = a('ActivityStep', { metadata });
  const job = a('ActivityJob', { _id: id(20), type: 'delay', status: 'delayed', executionDetails: [], step });
  return a('Activity notification', { transactionId: 'txn_1', subscriber, jobs: [job] });
}

function jobOf(a: Describe): unknown {
  return a('ActivityJob', {
    _id: id(20),
    type: 'digest',
    digest: a('DigestMetadata', {
      type: 'timed',
      digestKey: 'orderId',
      amount: 1,
      unit: 'hours',
      events: [{}],
      backoff: true,
      backoffAmount: 1,
      backoffUnit: 'minutes',
      updateMode: false,
      timed: a('TimedConfig', {
        atTime: '09:00',
        weekDays: ['monday'],
        monthDays: [1],
        ordinal: '1',
        ordinalValue: 'day',
        monthlyType: 'each',
        cronExpression: '0 9 1 1 1',
        untilDate: TIME,
      }),
    }),
    executionDetails: [
      a('ExecutionDetail', {
        _id: id(21),
        createdAt: TIME,
        status: 'Failed',
        detail: 'Refused',
        isRetry: false,
        isTest: false,
        source: 'Internal',
        providerId: 'sendgrid',
        raw: '{}',
      }),
    ],
    step: a('ActivityStep', {
      _id: id(22),
      active: true,
      filters: [stepFilterOf(a, 'StepFilter of a step')],
      _templateId: id(14),
      replyCallback: {},
      controlVariables: {},
      metadata: {},
      issues: {},
      template: {},
      variants: [],
      name: 'Send',
      _parentId: null,
    }),
    overrides: {},
    payload: {},
    providerId: 'sendgrid',
    status: 'completed',
    updatedAt: TIME,
    scheduleExtensionsCount: 1,
  });
}
