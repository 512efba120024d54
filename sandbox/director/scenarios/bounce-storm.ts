import { quiet } from '../fault-windows.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

/** What receiving servers say when they no longer trust a sender. */
const reasons = [
  '554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.spamhaus.org',
  '550 5.7.26 This message does not pass authentication checks (SPF and DKIM both do not pass)',
] as const;

export const bounceStorm: Scenario = {
  name: 'bounce-storm',
  title: 'Bounce storm',
  description: 'For three minutes most emails are taken, and come back one to three minutes after they were delivered.',
  lookFor:
    'Events that were delivered become 🟠 bounced. Notif checks each again 2 and 10 minutes after it was made: so a digest reports a storm although nothing that is new has failed.',
  lastsMs: 6 * MINUTE,
  alone: false,
  plan: (random) => {
    const reason = random.pick(reasons);
    const share = random.between(50, 80) / 100;
    return [
      {
        from: 0,
        to: 3 * MINUTE,
        what: `${Math.round(share * 100)}% of the emails that are delivered will bounce`,
        fault: { kind: 'bounce storm', share, reason },
      },
      quiet('Nothing new bounces; the last webhooks come in', { from: 3 * MINUTE, to: 6 * MINUTE }),
    ];
  },
};
