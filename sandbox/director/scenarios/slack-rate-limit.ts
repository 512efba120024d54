import { outage, quiet } from '../fault-windows.ts';
import { suspendedAccount } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario } from '../scenario.ts';

const limited = (method: string, retryAfterSeconds: number): FaultWindow => ({
  from: 0,
  to: 2 * MINUTE,
  what: `Slack answers ${method} with 429, Retry-After ${retryAfterSeconds}`,
  fault: { kind: 'slack fault', method, fault: { kind: 'rate-limited', retryAfterSeconds } },
});

export const slackRateLimit: Scenario = {
  name: 'slack-rate-limit',
  title: 'Slack rate limit',
  description:
    'Slack refuses new messages and edits for two minutes (429, with Retry-After), while Twilio refuses everything.',
  lookFor:
    'Nothing in #oncall for two minutes, while commands are still answered. Then one digest with all that was held back: nothing is lost, and no message comes twice.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => {
    const retryAfterSeconds = random.between(10, 30);
    return [
      outage(suspendedAccount, { from: 0, to: 3 * MINUTE }),
      limited('chat.postMessage', retryAfterSeconds),
      limited('chat.update', retryAfterSeconds),
      quiet('Twilio is back', { from: 3 * MINUTE, to: 4 * MINUTE }),
    ];
  },
};
