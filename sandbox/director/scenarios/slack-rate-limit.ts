import { outageOfTwilio } from '../outages.ts';
import { MINUTE, type Scenario, SECOND, type Spell } from '../scenario.ts';

const limited = (method: string, retryAfterSeconds: number): Spell => ({
  from: 0,
  to: 2 * MINUTE,
  what: `Slack answers ${method} with 429, Retry-After ${retryAfterSeconds}`,
  disturbance: { kind: 'slack fault', method, fault: { kind: 'rate-limited', retryAfterSeconds } },
});

export const slackRateLimit: Scenario = {
  name: 'slack-rate-limit',
  title: 'Slack rate limit',
  description: 'Slack refuses new messages and edits for two minutes (429, with Retry-After), while Twilio is down.',
  lookFor:
    'Nothing in #oncall for two minutes, while commands are still answered. Then one digest with all that was held back: nothing is lost, and no message comes twice.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => {
    const retryAfterSeconds = random.between(10, 30);
    return [
      {
        from: 0,
        to: 3.5 * MINUTE,
        what: 'Twilio is down',
        disturbance: { kind: 'outage', ...outageOfTwilio, share: 1 },
      },
      limited('chat.postMessage', retryAfterSeconds),
      limited('chat.update', retryAfterSeconds),
      {
        from: 3.5 * MINUTE,
        to: 4 * MINUTE - SECOND,
        what: 'Twilio is back',
        disturbance: { kind: 'none' },
      },
    ];
  },
};
