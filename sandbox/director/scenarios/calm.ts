import { noAccidents } from '../../notification-service/world.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const calm: Scenario = {
  name: 'calm',
  title: 'Calm',
  description: 'Ten minutes in which production delivers every notification. What else is playing stops.',
  lookFor:
    'No new digest of production, but for what was sent before: bounces that come late, steps that are stuck. Rows stop counting; “/notif failures since:5m” finds nothing, and says of how many events.',
  lastsMs: 10 * MINUTE,
  alone: true,
  plan: () => [
    {
      from: 0,
      to: 10 * MINUTE,
      what: 'Everything is delivered',
      fault: { kind: 'accidents', accidents: noAccidents },
    },
  ],
};
