/**
 * The service's contract as data: its operations with their parameters, and the names of what is sent. Responses are in
 * `contract-answers.ts`.
 */

export interface ContractOperation {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  /** Names in the path, query and body. Those of nested types are listed with the types. */
  readonly parameters: readonly string[];
}

/** Statuses of a trigger's result (contract, "States and transitions"). */
export const TRIGGER_STATUSES = [
  'error',
  'trigger_not_active',
  'no_workflow_active_steps_defined',
  'no_workflow_steps_defined',
  'processed',
  'no_tenant_found',
  'invalid_recipients',
] as const;

/** Operations in the contract's order, by their names in the client. */
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

/** The types that are sent, in addition to the parameters above. */
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
