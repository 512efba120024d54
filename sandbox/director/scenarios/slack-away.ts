import { outage, quiet } from '../fault-windows.ts';
import { suspendedAccount } from '../outages.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const slackAway: Scenario = {
  name: 'slack-away',
  title: 'Slack away',
  description:
    'Twilio refuses everything for six minutes. From the first to the third minute Slack cannot be reached: connections are cut, and every call breaks.',
  lookFor:
    'Nothing for two minutes; then one message with what happened meanwhile, and what is over by then marked as over. Nothing is lost, and nothing comes twice.',
  lastsMs: 12 * MINUTE,
  alone: false,
  plan: () => [
    outage(suspendedAccount, { from: 0, to: 6 * MINUTE }),
    {
      from: MINUTE,
      to: 3 * MINUTE,
      what: 'Slack cannot be reached',
      fault: { kind: 'slack fault', method: '*', fault: { kind: 'reset', when: 'before' } },
    },
    { from: MINUTE, to: MINUTE, what: 'The connections are cut', fault: { kind: 'sockets cut' } },
    quiet('Twilio is back', { from: 6 * MINUTE, to: 12 * MINUTE }),
  ],
};
