import type { Gap } from '../../coverage/gap.ts';
import type { IncidentKind, IncidentNow, Outage } from '../../incidents/incident.ts';
import { describeDuration, MINUTE_MS } from '../../lib/time/durations.ts';
import { lastingProblem } from '../../service/problem-words.ts';
import { workflowNameOf } from '../kit/names.ts';
import { joined, type Line, type Markup, mrkdwn, plural } from '../kit/text.ts';
import { datedWindow, time, timeNear, windowsWords } from '../kit/times.ts';

/** The causes of outages in which the service probably sends nothing. */
const AWAY = ['unreachable', 'timed-out', 'gateway', 'service-error'];

/** Without a single event, an outage of this length is pointed out. */
const UNUSUAL_MS = 30 * MINUTE_MS;

/** What is worded by the kind of an incident that isn't about failures. */
interface KindWords {
  noun: string;
  subject: (incident: IncidentNow) => string;
  facts: (incident: IncidentNow) => Line;
  next: (incident: IncidentNow) => Line;
}

export const KINDS: Record<Exclude<IncidentKind, 'failures'>, KindWords> = {
  unreadable: {
    noun: 'Service',
    subject: ({ state, cause }) => {
      const isFiring = state.is === 'firing';
      if (AWAY.includes(cause.key)) return `Service ${isFiring ? "doesn't" : "didn't"} answer`;
      return `Events ${isFiring ? "can't" : "couldn't"} be checked`;
    },
    facts: outageFacts,
    next: ({ outage }) => outage && outageNext(outage),
  },
  slow: {
    noun: 'Checking',
    subject: ({ state }) => `Events ${state.is === 'firing' ? 'are' : 'were'} checked too slowly`,
    facts: (incident) => joined([behindWords(incident), spanWords(incident)]),
    next: () => '→ Check how fast the service answers, and its rate limit. What is late is still reported.',
  },
  'not-running': {
    noun: 'Notif',
    subject: () => "Notif wasn't running",
    facts: ({ outage, beganAt, lastAt, asOf }) =>
      outage?.gap?.endsAt != null
        ? gapFacts(outage.gap, outage.gap.endsAt, false)
        : mrkdwn`${timeNear(beganAt, asOf)}–${timeNear(lastAt, asOf)}`,
    next: () => null,
  },
  silence: {
    noun: 'Silence',
    subject: ({ workflows: [workflow], state }) => {
      const who = workflow === undefined ? 'The environment' : workflowNameOf(workflow);
      return `${who} ${state.is === 'firing' ? 'is' : 'was'} silent`;
    },
    facts: (incident) => mrkdwn`no event ${spanWords(incident)}, ${incident.cause.text}`,
    next: () => '→ Check what triggers its events.',
  },
};

function behindWords({ outage, state, asOf }: IncidentNow): Line {
  if (outage === null || state.is === 'resolved') return null;
  return mrkdwn`${describeDuration(asOf.getTime() - outage.uncheckedSince.getTime())} behind`;
}

/** 'since 12:00', '12:00–12:15' */
function spanWords({ state, beganAt, asOf }: IncidentNow): Markup {
  const from = timeNear(beganAt, asOf);
  return state.is === 'resolved' ? mrkdwn`${from}–${timeNear(state.at, asOf)}` : mrkdwn`since ${from}`;
}

function outageFacts({ outage, state, cause, asOf }: IncidentNow): Line {
  if (outage === null) return null;
  const { uncheckedSince, gap } = outage;
  const isAway = AWAY.includes(cause.key);
  if (state.is === 'firing')
    return mrkdwn`nothing checked since ${timeNear(uncheckedSince, asOf)}${isAway ? ', and probably nothing sent' : ''}`;
  return gap?.endsAt != null && gapFacts(gap, gap.endsAt, isAway);
}

/** `isAway`: the service didn't answer in it. */
function gapFacts(gap: Gap, endsAt: Date, isAway: boolean): Markup {
  const { beginsAt, closedAt, toRead, givenUp, events, failures } = gap;
  const was = mrkdwn`not checked ${time(beginsAt)}–${timeNear(endsAt, beginsAt)}`;
  if (closedAt === null) {
    const left = toRead.length > 0 && mrkdwn`still to be checked: ${windowsWords(toRead, datedWindow)}`;
    return joined([mrkdwn`${was}: ⏳ catching up`, left]);
  }
  const counts = mrkdwn`${plural(events, 'event')} checked, ${plural(failures, 'failure')} found`;
  if (givenUp.length > 0) {
    const lost = mrkdwn`⚠️ *lost: ${windowsWords(givenUp, datedWindow)}*, failures in it were never reported`;
    return joined([was, lost, mrkdwn`the rest: ${counts}`]);
  }
  const caughtUp = mrkdwn`${was}, caught up since`;
  if (events > 0) return joined([caughtUp, counts]);
  const isUnusual = isAway && endsAt.getTime() - beginsAt.getTime() >= UNUSUAL_MS;
  const none = 'not one event was created in it';
  return joined([caughtUp, isUnusual ? `⚠️ ${none}, which is unusual` : none]);
}

/** The words name no environment variables: `/notif doctor` shows them to operators. */
function outageNext({ problem }: Outage): Markup | null {
  if (problem === null) return null;
  const names = { apiUrlVariable: 'the address', apiKeyVariable: 'the API key', pollVariable: 'the poll interval' };
  const { next } = lastingProblem(problem, names);
  return joined(['→', next, "Missed failures will be reported once it's back."], ' ');
}
