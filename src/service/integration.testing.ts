import type { Integration } from './integration.ts';

export function anIntegration(change: Partial<Integration> = {}): Integration {
  return {
    id: '65a000000000000000000001',
    name: 'SendGrid',
    identifier: 'sendgrid-a1b2c3',
    provider: 'sendgrid',
    channel: 'email',
    active: true,
    primary: true,
    deleted: false,
    deletedAt: null,
    deletedBy: null,
    hasConditions: false,
    conditionFields: [],
    inboundWebhook: true,
    serviceEnvironmentId: '64e000000000000000000001',
    ...change,
  };
}
