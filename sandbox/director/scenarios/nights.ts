import type { Random } from '../../notification-service/random.ts';
import { expiredKey, noCertificate, outage, outOfCredits, quiet, wrongToken } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario } from '../scenario.ts';
import { slackAway } from './connections.ts';

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

export const secondCause: Scenario = {
  name: 'second-cause',
  title: 'A second cause during the first',
  description:
    'SendGrid refuses a key for six minutes. Two minutes into that, Firebase misses a certificate, for four.',
  lookFor: 'Two incidents, each with its own start, count and end; the second is alerted although the first is open.',
  lastsMs: 13 * MINUTE,
  alone: false,
  plan: () => [
    outage(expiredKey, { from: 0, to: 6 * MINUTE }),
    outage(noCertificate, { from: 2 * MINUTE, to: 6 * MINUTE }),
    quiet('Both work again', { from: 6 * MINUTE, to: 13 * MINUTE }),
  ],
};

const EVERY = 4 * MINUTE;
const TIMES = 15;

/** A minute in which everything is refused, and three in which nothing is. */
function flap(_: unknown, time: number): readonly FaultWindow[] {
  const from = time * EVERY;
  return [
    outage(outOfCredits, { from, to: from + MINUTE }),
    quiet('SendGrid works again, for three minutes', { from: from + MINUTE, to: from + EVERY }),
  ];
}

export const flapping: Scenario = {
  name: 'flapping',
  title: 'Flapping',
  description: 'For an hour SendGrid refuses everything for a minute, and takes everything for three.',
  lookFor:
    'The first relapse is a new message at once, the later ones after ever longer pauses; the row between them stays true.',
  lastsMs: TIMES * EVERY,
  alone: false,
  plan: () => Array.from({ length: TIMES }, flap).flat(),
};

const CHANNEL = 'C0ONCALL';
const ANN = 'U0ANN';
const BEN = 'U0BEN';

const types = (at: number, person: string, line: string): FaultWindow => ({
  from: at,
  to: at,
  what: `${person === ANN ? 'Ann' : 'Ben'} types ${line}`,
  fault: { kind: 'person', person, does: [{ do: 'types', channel: CHANNEL, line }] },
});

/** Mutes the row that names Twilio by its ⋯ menu. */
const mutesRow: FaultWindow = {
  from: 2 * MINUTE,
  to: 2 * MINUTE,
  what: 'Ann mutes the row for 30 minutes',
  fault: {
    kind: 'person',
    person: ANN,
    does: [
      { do: 'clicks', channel: CHANNEL, message: 'Twilio', label: 'Mute…' },
      { do: 'submits', answers: { 'For how long': '30 minutes' } },
    ],
  },
};

export const overlappingMutes: Scenario = {
  name: 'overlapping-mutes',
  title: 'Overlapping mutes',
  description:
    'Twilio refuses everything for nine minutes. Ann mutes its row for half an hour by the clock, Ben the channel’s watches from the fourth to the seventh minute.',
  lookFor:
    'Each mute misses only what failed within it. At the end of the channel’s mute nothing of the muted row is reported as missed by the watch, and nothing old is posted twice.',
  lastsMs: 14 * MINUTE,
  alone: false,
  plan: () => [
    outage(wrongToken, { from: 0, to: 9 * MINUTE }),
    mutesRow,
    types(4 * MINUTE, BEN, '/notif mute 1h'),
    types(7 * MINUTE, BEN, '/notif unmute'),
    quiet('Twilio works again', { from: 9 * MINUTE, to: 14 * MINUTE }),
  ],
};

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
