import { noAccidents } from '../../notification-service/world.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const calm: Scenario = {
  name: 'calm',
  title: 'Calm',
  description: 'Ten minutes in which every notification is delivered. What else is playing stops.',
  lookFor:
    'No new digest. The rows of earlier ones stop counting; “/notif failures since:5m” finds nothing, and says of how many events.',
  lastsMs: 10 * MINUTE,
  alone: true,
  plan: () => [
    {
      from: 0,
      to: 10 * MINUTE,
      what: 'Everything is delivered',
      disturbance: { kind: 'accidents', accidents: noAccidents },
    },
  ],
};
