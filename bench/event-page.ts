/** Returns a page of events as the service writes them: always the same 50, 160 kB with every field of the contract in use. */
export function eventPage(): object[] {
  return Array.from({ length: 50 }, (_, index) => event(index));
}

const CREATED_AT = '2026-03-02T03:04:05.678Z';

function event(index: number): object {
  return {
    _id: objectId(index),
    _environmentId: objectId(9001),
    _organizationId: objectId(9002),
    _subscriberId: objectId(5000 + index),
    transactionId: `txn_${objectId(7000 + index)}`,
    _templateId: objectId(8000),
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    channels: ['in_app', 'email'],
    subscriber: {
      _id: objectId(5000 + index),
      subscriberId: `user-${index}`,
      firstName: 'Anna',
      lastName: 'Lind',
      email: `anna.${index}@example.com`,
      phone: '+491701234567',
    },
    template: {
      _id: objectId(8000),
      name: 'Order shipped',
      origin: 'external',
      triggers: [{ type: 'event', identifier: 'order-shipped', variables: [{ name: 'orderId' }, { name: 'carrier' }] }],
    },
    jobs: ['trigger', 'in_app', 'email'].map((type, step) => job(type, index * 10 + step)),
    payload: { orderId: `A-${index}`, carrier: 'DHL', lines: [{ sku: 'X1', amount: 2 }] },
    tags: ['checkout'],
    controls: {},
    to: { subscriberId: `user-${index}` },
    topics: [],
    severity: 'high',
    critical: false,
    contextKeys: ['tenant:acme'],
  };
}

function job(type: string, seed: number): object {
  return {
    _id: objectId(seed),
    type,
    executionDetails: (seed % 2 === 0 ? ['Step queued'] : ['Step queued', `${type} sent`]).map((detail, n) => ({
      _id: objectId(seed * 10 + n),
      createdAt: CREATED_AT,
      status: 'Success',
      detail,
      isRetry: false,
      isTest: false,
      providerId: 'sendgrid',
      source: 'Internal',
      raw: JSON.stringify({ status: 202, headers: { 'x-message-id': objectId(seed) } }),
    })),
    step: { _id: objectId(seed + 1), active: true, filters: [], _templateId: objectId(8001), name: `Send ${type}` },
    overrides: {},
    payload: {},
    providerId: 'sendgrid',
    status: 'completed',
    updatedAt: CREATED_AT,
  };
}

function objectId(seed: number): string {
  return (0x65f00000 + seed).toString(16).padEnd(24, '0');
}
