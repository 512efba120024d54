import { outage, quiet } from '../fault-windows.ts';
import { unverifiedSender } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario } from '../scenario.ts';

const lost = (method: string, times: number): FaultWindow => ({
  from: 0,
  to: 2 * MINUTE,
  what: `The answers to the next ${times} calls of ${method} get lost`,
  fault: { kind: 'slack fault', method, fault: { kind: 'reset', when: 'after' }, times },
});

export const lostAnswers: Scenario = {
  name: 'lost-answers',
  title: 'Lost answers',
  description:
    'Slack carries out what it is asked to, and the connection breaks before it says so; SendGrid refuses everything meanwhile.',
  lookFor: 'One digest for the group, not two: the bot looks into the channel for what it cannot know.',
  lastsMs: 3 * MINUTE,
  alone: false,
  plan: (random) => [
    outage(unverifiedSender, { from: 0, to: 2 * MINUTE }),
    lost('chat.postMessage', random.between(2, 3)),
    lost('chat.update', random.between(2, 4)),
    quiet('SendGrid takes everything again', { from: 2 * MINUTE, to: 3 * MINUTE }),
  ],
};
