/** The contract's seven operations, as named in the request log and the faults. */
export const operationNames = [
  'updateCredentials',
  'listTopicSubscriptions',
  'listIntegrations',
  'listMessages',
  'listEvents',
  'triggerEvents',
  'retrieveEvent',
] as const;

export type OperationName = (typeof operationNames)[number];
