import { type Outage, outages } from '../outages.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const providerOutage: Scenario = {
  name: 'provider-outage',
  title: 'Provider outage',
  description: 'For three minutes a provider refuses everything, for one reason. The seed says which: SendGrid with 1.',
  lookFor:
    'A digest with one group for each workflow, within a poll; its rows count on in place, without notifying anybody again. After the end they stop; an hour later they are recovered.',
  lastsMs: 3 * MINUTE,
  alone: false,
  plan: (random) => {
    const outage: Outage = random.pick(outages);
    return [
      {
        from: 0,
        to: 3 * MINUTE,
        what: `${outage.title} refuses everything`,
        disturbance: { kind: 'outage', provider: outage.provider, cause: outage.cause, share: 1 },
      },
    ];
  },
};
