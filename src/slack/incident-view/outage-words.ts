import type { Gap } from '../../coverage/gap.ts';
import type { IncidentNow, Outage } from '../../incidents/incident.ts';
import { describeDuration, MINUTE_MS } from '../../lib/time/durations.ts';
import { lastingProblem } from '../../service/problem-words.ts';
import { joined, type Line, type Markup, mrkdwn, plural } from '../kit/text.ts';
import { datedWindow, time, timeNear, windowsWords } from '../kit/times.ts';

/** Problems during which the service probably sends nothing. With the others it answers. */
const AWAY: readonly string[] = ['unreachable', 'timed-out', 'gateway', 'service-error'];

export function outageSubject({ state, cause }: Pick<IncidentNow, 'state' | 'cause'>): string {
  const isFiring = state.is === 'firing';
  if (AWAY.includes(cause.key)) return `Service ${isFiring ? "doesn't" : "didn't"} answer`;
  return `Events ${isFiring ? "can't" : "couldn't"} be checked`;
}

export function outageFacts({ uncheckedSince, gap }: Outage, { state, cause, asOf }: IncidentNow): Line {
  const isAway = AWAY.includes(cause.key);
  if (state.is === 'firing')
    return mrkdwn`nothing checked since ${timeNear(uncheckedSince, asOf)}${isAway ? ', and probably nothing sent' : ''}`;
  return gap?.to != null && gapFacts(gap, gap.to, isAway);
}

const UNUSUAL_MS = 30 * MINUTE_MS;

function gapFacts({ from, closedAt, toRead, givenUp, events, failures }: Gap, to: Date, isAway: boolean): Markup {
  const was = mrkdwn`not checked ${time(from, 'day')}–${timeNear(to, from)}`;
  if (closedAt === null) {
    const left = toRead.length > 0 && mrkdwn`still to be checked: ${windowsWords(toRead, datedWindow)}`;
    return joined([mrkdwn`${was}: ⏳ catching up`, left], ' · ');
  }
  const counts = mrkdwn`${plural(events, 'event')} checked, ${plural(failures, 'failure')} found`;
  if (givenUp.length > 0) {
    const lost = mrkdwn`⚠️ *lost: ${windowsWords(givenUp, datedWindow)}*, failures in it were never reported`;
    return joined([was, lost, mrkdwn`the rest: ${counts}`], ' · ');
  }
  const lasted = to.getTime() - from.getTime();
  const isUnusual = events === 0 && isAway && lasted >= UNUSUAL_MS;
  const none = mrkdwn`${isUnusual ? '⚠️ ' : ''}not one event was created in it${isUnusual ? ', which is unusual' : ''}`;
  return joined([mrkdwn`${was}: ${describeDuration(lasted)} caught up`, events === 0 ? none : counts], ' · ');
}

/** Names no variables: `/notif doctor` tells them to operators. */
export function outageNext({ problem }: Outage): Line {
  if (problem === null) return null;
  const names = { apiUrlVariable: 'the address', apiKeyVariable: 'the API key', pollVariable: 'the poll interval' };
  const { next } = lastingProblem(problem, names);
  return joined([mrkdwn`→`, next, "Missed failures will be reported once it's back."], ' ');
}
