import { MINUTE, type Scenario } from '../scenario.ts';

export const bounceStorm: Scenario = {
  name: 'bounce-storm',
  title: 'Bounce storm',
  description:
    'For three minutes most e-mails and texts are taken, and come back one to three minutes after they were delivered.',
  lookFor:
    'Events that were delivered at first become 🟠 bounced: a digest tells of them when the webhook has come, although nothing new arrived.',
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
      {
        from: 3 * MINUTE,
        to: 6 * MINUTE,
        what: 'Nothing new bounces; the last webhooks come in',
        disturbance: { kind: 'none' },
      },
    ];
  },
};
