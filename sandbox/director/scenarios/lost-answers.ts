import { outageOfFirebase } from '../outages.ts';
import { MINUTE, type Scenario, SECOND, type Spell } from '../scenario.ts';

const lost = (method: string, times: number): Spell => ({
  from: 0,
  to: 2.5 * MINUTE,
  what: `The answers to the next ${times} calls of ${method} get lost`,
  disturbance: { kind: 'slack fault', method, fault: { kind: 'reset', when: 'after' }, times },
});

export const lostAnswers: Scenario = {
  name: 'lost-answers',
  title: 'Lost answers',
  description:
    'Slack carries out what it is asked to, and the connection breaks before it says so; Firebase is down meanwhile.',
  lookFor: 'One digest for the group, not two: the bot looks into the channel for what it cannot know.',
  lastsMs: 3 * MINUTE,
  alone: false,
  plan: (random) => [
    {
      from: 0,
      to: 2.5 * MINUTE,
      what: 'Firebase refuses every push message',
      disturbance: { kind: 'outage', ...outageOfFirebase, share: 1 },
    },
    lost('chat.postMessage', random.between(2, 3)),
    lost('chat.update', random.between(2, 4)),
    {
      from: 2.5 * MINUTE,
      to: 3 * MINUTE - SECOND,
      what: 'Firebase is back',
      disturbance: { kind: 'none' },
    },
  ],
};
