import { type FaultWindow, MINUTE, type Scenario, SECOND } from '../scenario.ts';

const slow = (from: number, to: number, seconds: number): FaultWindow => ({
  from,
  to,
  what: `Each answer takes ${seconds} seconds`,
  fault: { kind: 'service fault', fault: { kind: 'slow', ms: seconds * SECOND } },
});

export const serviceSlow: Scenario = {
  name: 'service-slow',
  title: 'Service slow',
  description: 'Each answer of production takes seconds, then longer than anybody waits, then seconds again.',
  lookFor:
    'Every command and click is still acknowledged at once; answers come later, or say that the service did not answer in time. “/notif status” says how far it has checked.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => [
    slow(0, 80 * SECOND, random.between(2, 4)),
    slow(80 * SECOND, 2.5 * MINUTE, 15),
    slow(2.5 * MINUTE, 4 * MINUTE, random.between(2, 4)),
  ],
};
