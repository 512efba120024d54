import { GROWTH } from '../../../domain/alerting/alert-decision.ts';
import type { DigestRow } from '../../../domain/alerting/delivery.ts';
import type { Mute } from '../../../domain/incidents/episode.ts';
import { isOverIn } from '../../../domain/incidents/incident.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { type Markup, mrkdwn, person } from '../text.ts';
import { atNear, time, timeNear } from '../times.ts';

/** What no longer holds when the incident is over isn't said then. */
export function reasonWords({ reason, before, grown, missed, tally, outageSince, state }: DigestRow): Markup | null {
  switch (reason) {
    case 'new':
      return null;
    case 'relapsed':
      return isOverIn(state.is) ? null : mrkdwn`failing again`;
    case 'critical':
      return mrkdwn`now critical`;
    case 'back':
      // A failure that is found late may have occurred before the last known one.
      return before === null || tally.firstSeen <= before.lastSeen
        ? mrkdwn`back`
        : mrkdwn`back after ${describeDuration(tally.firstSeen.getTime() - before.lastSeen.getTime())}`;
    case 'goes-on':
      return isOverIn(state.is) ? null : mrkdwn`ongoing since ${time(outageSince, 'day')}`;
    case 'grown':
      return grown === null ? mrkdwn`up ${GROWTH}×` : mrkdwn`grew from ${grown.from} to ${grown.to}`;
    case 'missed':
      return missed === null ? mrkdwn`failed while muted` : mrkdwn`${missed} while muted`;
  }
}

/** `namesPeople`: by a mention, which notifies people in a new message. */
export function stateLines(now: IncidentNow, namesPeople: boolean): Markup[] {
  return [
    ...stateLine(now, namesPeople),
    ...acknowledgedLine(now, namesPeople),
    ...assignedLine(now, namesPeople),
    ...muteLine(now.mute, namesPeople),
  ];
}

function stateLine({ state, asOf }: IncidentNow, namesPeople: boolean): Markup[] {
  switch (state.is) {
    case 'firing':
      return [];
    case 'quiet':
      return [mrkdwn`⚪ no failures since ${timeNear(state.since, asOf)}, and too few successes to say that it's over`];
    case 'recovering':
      return [
        mrkdwn`recovering: no failures since ${timeNear(state.since, asOf)}${deliveredAgain(state.sendingSince, asOf)}`,
      ];
    case 'resolved':
      return state.by === null
        ? [mrkdwn`resolved: recovered by ${timeNear(state.at, asOf)}`]
        : [mrkdwn`resolved${byWhom(state.by, namesPeople)} ${atNear(state.at, asOf)}`];
  }
}

function deliveredAgain(since: Date | null, asOf: Date): Markup {
  return since === null ? mrkdwn`` : mrkdwn`, delivered again since ${timeNear(since, asOf)}`;
}

function acknowledgedLine({ state, acknowledged, unacknowledged, asOf }: IncidentNow, namesPeople: boolean): Markup[] {
  if (state.is === 'resolved') return [];
  const by = (userId: string) => (namesPeople ? mrkdwn`${person(userId)} ` : mrkdwn``);
  if (acknowledged !== null) return [mrkdwn`👀 ${by(acknowledged.by)}acknowledged ${atNear(acknowledged.at, asOf)}`];
  if (unacknowledged === null) return [];
  return [mrkdwn`↩️ ${by(unacknowledged.by)}unacknowledged ${atNear(unacknowledged.at, asOf)}`];
}

function assignedLine({ state, assigned, asOf }: IncidentNow, namesPeople: boolean): Markup[] {
  if (state.is === 'resolved' || assigned === null) return [];
  if (!namesPeople) return [mrkdwn`🙋 assigned`];
  const by = assigned.by === assigned.to ? mrkdwn`` : mrkdwn` by ${person(assigned.by)}`;
  return [mrkdwn`🙋 assigned to ${person(assigned.to)}${by} ${atNear(assigned.at, asOf)}`];
}

function muteLine(mute: Mute | null, namesPeople: boolean): Markup[] {
  if (mute === null) return [];
  return [mrkdwn`🔕 muted${byWhom(mute.by, namesPeople)} until ${muteEnd(mute)}`];
}

function byWhom(userId: string, namesPeople: boolean): Markup {
  return namesPeople ? mrkdwn` by ${person(userId)}` : mrkdwn``;
}

export function muteEnd({ from, until }: Pick<Mute, 'from' | 'until'>): Markup {
  return timeNear(until, from);
}

/** For the fallback text. */
export function stateWords({ state, acknowledged, assigned, mute, asOf }: IncidentNow): Markup[] {
  return [
    ...(state.is === 'quiet' ? [mrkdwn`no failures since ${timeNear(state.since, asOf)}`] : []),
    ...(state.is === 'recovering' || state.is === 'resolved' ? [mrkdwn`${state.is}`] : []),
    ...(acknowledged !== null && state.is !== 'resolved' ? [mrkdwn`acknowledged`] : []),
    ...(assigned !== null && state.is !== 'resolved' ? [mrkdwn`assigned`] : []),
    ...(mute === null ? [] : [mrkdwn`muted until ${muteEnd(mute)}`]),
  ];
}
