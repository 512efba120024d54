import { outage, quiet } from '../fault-windows.ts';
import { expiredKey } from '../outages.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const relapse: Scenario = {
  name: 'relapse',
  title: 'Relapse',
  description:
    'SendGrid refuses a key for four minutes, in every workflow that sends email; it works again, and the same happens again after 3 and after 40 minutes.',
  lookFor:
    'One incident over all workflows, marked as recovered once it is. Each relapse is news at once, also within half an hour, and counts from its own beginning. A note that somebody adds to the first is in the row of the second.',
  lastsMs: 58 * MINUTE,
  alone: false,
  plan: () => [
    outage(expiredKey, { from: 0, to: 4 * MINUTE }),
    quiet('SendGrid works again', { from: 4 * MINUTE, to: 7 * MINUTE }),
    outage(expiredKey, { from: 7 * MINUTE, to: 9 * MINUTE }),
    quiet('SendGrid works again, for 40 minutes', { from: 9 * MINUTE, to: 49 * MINUTE }),
    outage(expiredKey, { from: 49 * MINUTE, to: 51 * MINUTE }),
    quiet('SendGrid works again', { from: 51 * MINUTE, to: 58 * MINUTE }),
  ],
};
