import { outage, quiet } from '../fault-windows.ts';
import { unverifiedSender } from '../outages.ts';
import { MINUTE, type Scenario, SECOND } from '../scenario.ts';

export const changedIntegration: Scenario = {
  name: 'changed-integration',
  title: 'An integration is changed, then it fails',
  description:
    'Somebody moves SendGrid to another account, without its inbound webhook. A minute and a half later it refuses the sender, for three minutes.',
  lookFor:
    'The row of the incident names the change, and how long before the first failure it was made. /notif changes lists it, and after the end that it was taken back.',
  lastsMs: 6 * MINUTE,
  alone: false,
  plan: () => [
    {
      ...{ from: 0, to: 5 * MINUTE, what: 'SendGrid has another account, and no inbound webhook' },
      fault: {
        kind: 'integration changed',
        provider: 'sendgrid',
        change: { name: 'SendGrid EU', configurations: { inboundWebhookEnabled: false } },
      },
    },
    outage(unverifiedSender, { from: 90 * SECOND, to: 4.5 * MINUTE }),
    quiet('It is sent again', { from: 4.5 * MINUTE, to: 6 * MINUTE }),
  ],
};
