import { MINUTE, type Scenario } from '../scenario.ts';
import { quiet } from '../spells.ts';

export const bounceStorm: Scenario = {
  name: 'bounce-storm',
  title: 'Bounce storm',
  description:
    'For three minutes most e-mails and texts are taken, and come back one to three minutes after they were delivered.',
  lookFor:
    'Events that were delivered become 🟠 bounced. Notif reads each again 2 and 10 minutes after it was sent, so a digest tells of them, or rows of earlier bounces count on, although nothing new failed.',
  lastsMs: 6 * MINUTE,
  alone: false,
  plan: (random) => {
    const bounce = random.between(50, 80) / 100;
    return [
      {
        from: 0,
        to: 3 * MINUTE,
        what: `${Math.round(bounce * 100)} % of what is delivered will bounce`,
        disturbance: { kind: 'accidents', accidents: { bounce } },
      },
      quiet('Nothing new bounces; the last webhooks come in', { from: 3 * MINUTE, to: 6 * MINUTE }),
    ];
  },
};
