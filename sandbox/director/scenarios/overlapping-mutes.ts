import { outage, quiet } from '../fault-windows.ts';
import { wrongToken } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario } from '../scenario.ts';

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
