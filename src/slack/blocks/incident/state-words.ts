import type { DigestRow } from '../../../domain/alerting/delivery.ts';
import type { Mute } from '../../../domain/incidents/episode.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { type Markup, mrkdwn, person } from '../text.ts';
import { time } from '../times.ts';
import { timeAfter } from './window-words.ts';

/** Why a group is in a digest, where it is not new: 'back after 2 h', 'grew from 12 to 130', '412 while it was muted'. */
export function reasonWords({ reason, before, grown, missed, tally }: DigestRow): Markup | null {
  switch (reason) {
    case 'new':
      return null;
    case 'relapsed':
      return mrkdwn`failing again`;
    case 'critical':
      return mrkdwn`now critical`;
    case 'back':
      return before === null
        ? mrkdwn`back`
        : mrkdwn`back after ${describeDuration(tally.firstSeen.getTime() - before.lastSeen.getTime())}`;
    case 'goes-on':
      return before === null ? mrkdwn`goes on` : mrkdwn`ongoing since ${time(before.firstSeen, 'day')}`;
    case 'grown':
      return grown === null ? mrkdwn`up 10×` : mrkdwn`grew from ${grown.from} to ${grown.to}`;
    case 'missed':
      return missed === null ? mrkdwn`failed while it was muted` : mrkdwn`${missed} while it was muted`;
  }
}

/** The outcome of an incident and what people made of it, a line each. `namesPeople`: by a mention, which notifies in a new message. */
export function stateLines(now: IncidentNow, namesPeople: boolean): Markup[] {
  const by = (userId: string) => (namesPeople ? mrkdwn`${person(userId)} ` : mrkdwn``);
  return [
    ...phaseLine(now, by),
    ...acknowledgedLine(now, by),
    ...assignedLine(now, namesPeople),
    ...muteLine(now.mute, namesPeople),
  ];
}

function phaseLine({ phase }: IncidentNow, by: (userId: string) => Markup): Markup[] {
  switch (phase.phase) {
    case 'firing':
      return [];
    case 'quiet':
      return [mrkdwn`⚪ no failures since ${time(phase.since, 'time')}, and too few successes to say that it's over`];
    case 'recovering':
      return [mrkdwn`recovering: no failures since ${time(phase.since, 'time')}${deliveredAgain(phase.sendingSince)}`];
    case 'resolved':
      return phase.by === null
        ? [mrkdwn`resolved: recovered by ${time(phase.at, 'time')}`]
        : [mrkdwn`resolved ${by(phase.by)}at ${time(phase.at, 'time')}`];
  }
}

function deliveredAgain(since: Date | null): Markup {
  return since === null ? mrkdwn`` : mrkdwn`, delivered again since ${time(since, 'time')}`;
}

function acknowledgedLine(
  { phase, acknowledged, unacknowledged }: IncidentNow,
  by: (userId: string) => Markup,
): Markup[] {
  if (phase.phase === 'resolved') return [];
  if (acknowledged !== null) return [mrkdwn`👀 ${by(acknowledged.by)}acknowledged at ${time(acknowledged.at, 'time')}`];
  if (unacknowledged === null) return [];
  return [mrkdwn`↩️ ${by(unacknowledged.by)}took the acknowledgment back at ${time(unacknowledged.at, 'time')}`];
}

function assignedLine({ phase, assigned }: IncidentNow, namesPeople: boolean): Markup[] {
  if (phase.phase === 'resolved' || assigned === null) return [];
  if (!namesPeople) return [mrkdwn`🙋 assigned`];
  const by = assigned.by === assigned.to ? mrkdwn`` : mrkdwn` by ${person(assigned.by)}`;
  return [mrkdwn`🙋 assigned to ${person(assigned.to)}${by} at ${time(assigned.at, 'time')}`];
}

function muteLine(mute: Mute | null, namesPeople: boolean): Markup[] {
  if (mute === null) return [];
  const who = namesPeople ? mrkdwn` by ${person(mute.by)}` : mrkdwn``;
  return [mrkdwn`🔕 muted${who} until ${muteEnd(mute)}`];
}

/** The end of a mute: a time of the day, with the day where it is not near. */
export function muteEnd({ from, until }: Pick<Mute, 'from' | 'until'>): Markup {
  return timeAfter(from, until);
}

/** The same in words for the spoken text: 'acknowledged', 'muted until …', 'recovered'. */
export function stateWords({ phase, acknowledged, assigned, mute }: IncidentNow): Markup[] {
  return [
    ...(phase.phase === 'quiet' ? [mrkdwn`no failures since ${time(phase.since, 'time')}`] : []),
    ...(phase.phase === 'recovering' || phase.phase === 'resolved' ? [mrkdwn`${phase.phase}`] : []),
    ...(acknowledged !== null && phase.phase !== 'resolved' ? [mrkdwn`acknowledged`] : []),
    ...(assigned !== null && phase.phase !== 'resolved' ? [mrkdwn`assigned`] : []),
    ...(mute === null ? [] : [mrkdwn`muted until ${muteEnd(mute)}`]),
  ];
}
