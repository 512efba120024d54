import { outage } from '../fault-windows.ts';
import { throttledBySes } from '../outages.ts';
import { MINUTE, type Scenario, SECOND } from '../scenario.ts';

const PEOPLE = 5_000;

export const topicFanOut: Scenario = {
  name: 'topic-fan-out',
  title: 'Topic fan-out of 5,000',
  description:
    'One trigger to a topic of 5,000 people: as many events, with one transaction id. Amazon SES throttles some.',
  lookFor:
    'One group for all that SES refused, with its share. “/notif event” with its transaction id sums up 5,000 subscribers and leads to those that failed.',
  lastsMs: 3 * MINUTE,
  alone: false,
  plan: (random) => [
    outage(throttledBySes, { from: 0, to: 2 * MINUTE }, random.between(2, 5) / 100),
    {
      from: 5 * SECOND,
      to: 5 * SECOND,
      what: 'One trigger reaches 5,000 people',
      fault: { kind: 'fan-out', workflow: 'product-launch', topic: 'launch', people: PEOPLE },
    },
  ],
};
