/** The seven operations of the contract, as the request log and the faults name them. */
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
