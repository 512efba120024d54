import { outage, quiet } from '../fault-windows.ts';
import { OUTAGES } from '../outages.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const providerOutage: Scenario = {
  name: 'provider-outage',
  title: 'Provider outage',
  description:
    'For three minutes a provider refuses everything, for one reason. The seed says which: with 1, SendGrid a key.',
  lookFor:
    'A digest with one incident over all workflows, within a poll; its row counts on in place, without notifying anybody again. Played again after it recovered, the incident relapses, in a new message. Another seed is another cause.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => [
    outage(random.pick(OUTAGES), { from: 0, to: 3 * MINUTE }),
    quiet('It is sent again: the rows stop counting', { from: 3 * MINUTE, to: 4 * MINUTE }),
  ],
};
