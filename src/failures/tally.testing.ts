import { NOON } from '../service/event.testing.ts';
import type { Tally } from './failure.ts';

export const A_TALLY: Tally = {
  kind: {
    ...{ environment: 'production', workflow: 'order-shipped', workflowName: 'Order shipped' },
    ...{ channel: 'email', provider: 'sendgrid', cause: { key: 'c', text: 'refused' } },
    ...{ announcement: 'announced', isTest: false },
  },
  ...{ incidentId: null, verdict: 'failed', failures: 1, subscribers: 1, events: 1 },
  ...{ firstSeen: NOON, lastSeen: NOON, severity: null, critical: false },
  example: { eventId: null, transactionId: 'txn_1', subscriberId: null },
};
