import type { Random } from '../../notification-service/random.ts';
import { outage } from '../fault-windows.ts';
import { noCertificate } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario } from '../scenario.ts';
import { flapping } from './flapping.ts';
import { overlappingMutes } from './overlapping-mutes.ts';
import { relapse } from './relapse.ts';
import { slackAway } from './slack-away.ts';

/** When each part begins. The first lasts until the end: its second relapse comes after the others are over. */
const PARTS: readonly { readonly from: number; readonly scenario: Scenario }[] = [
  { from: 0, scenario: relapse },
  { from: 12 * MINUTE, scenario: overlappingMutes },
  { from: 30 * MINUTE, scenario: slackAway },
  { from: 60 * MINUTE, scenario: flapping },
];

export const night: Scenario = {
  name: 'night',
  title: 'A night on call',
  description:
    'Two hours: an outage over all email workflows with a second cause during it, relapses after 3 and 40 minutes, overlapping mutes, Slack away for two minutes, an hour of flapping.',
  lookFor:
    'Each message is true when it is read. What each part is to show is said with the scenarios relapse, second-cause, overlapping-mutes, slack-away and flapping.',
  lastsMs: 125 * MINUTE,
  alone: true,
  plan: (random) => [
    outage(noCertificate, { from: MINUTE, to: 3 * MINUTE }),
    ...PARTS.flatMap(({ from, scenario }) => playedFrom(from, scenario, random)),
  ],
};

function playedFrom(from: number, { plan }: Scenario, random: Random): readonly FaultWindow[] {
  return plan(random).map((faultWindow) => ({
    ...faultWindow,
    from: faultWindow.from + from,
    to: faultWindow.to + from,
  }));
}
