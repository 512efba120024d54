import { isSameMinute } from 'date-fns';
import type { Attempts } from '../../incidents/badness.ts';
import type { IncidentNow, Note } from '../../incidents/incident.ts';
import { RECOVERED_MS } from '../../incidents/state.ts';
import { isNotAFailure } from '../../judging/verdict.ts';
import { describeDuration, MINUTE_MS } from '../../lib/time/durations.ts';
import type { WatchMute } from '../../watches/mutes.ts';
import { numberOf, workflowNameOf } from '../kit/names.ts';
import { atLeast, failureCount } from '../kit/outcomes.ts';
import { joined, type Line, type Markup, mrkdwn, named, person, plural } from '../kit/text.ts';
import { atNear, time, timeNear } from '../kit/times.ts';
import { KINDS } from './condition-words.ts';
import { hitWorkflows } from './incident-title.ts';

/** In a `headed` row, the message's header is the title; a `terse` one is among several. */
export type RowSize = 'whole' | 'headed' | 'terse';

type Resolved = Extract<IncidentNow['state'], { is: 'resolved' }>;

/** The mute of an incident in a watch. */
export type ShownMute = Pick<WatchMute, 'mutedBy' | 'beginsAt' | 'until'> | null;

/** How bounces end: they are reported late, so no success proves that there are no more. */
const BY_TIME = `over after ${describeDuration(RECOVERED_MS)} without one`;

/** After four days, nobody waits for what is silent. */
const NOT_EXPECTED = 'as nothing is expected any more';

/** '14 of 14 in the last 5 min', '61 since 03:45', '48 people' */
export function incidentFacts(incident: IncidentNow, size: RowSize): readonly Line[] {
  const { kind, failures, critical, asOf, staleSince } = incident;
  if (kind !== 'failures') return [KINDS[kind].facts(incident)];
  const isTerse = size === 'terse';
  const inAll = totalFailures(incident);
  return [
    ...(isTerse ? [countWords(incident)] : datedCounts(incident)),
    incident.state.is !== 'resolved' && failures < inAll && mrkdwn`${inAll} in all`,
    atLeast(incident),
    isTerse ? critical && 'critical' : workflowsWords(incident, size === 'headed'),
    staleSince && mrkdwn`as of ${timeNear(staleSince, asOf)}`,
  ];
}

/** A share only if it has all of the outbreak's failures: one of the last minutes would contradict the outbreak's people beside it. */
function countWords(incident: IncidentNow): Markup {
  const { verdict, failures } = incident;
  const share = shareOf(incident);
  return share !== null && share.failed >= failures ? shareWords(share) : failureCount(verdict, failures);
}

/** A share of less than the whole outbreak stands beside the outbreak's count. */
function datedCounts(incident: IncidentNow): readonly Markup[] {
  const { verdict, failures, beganAt, asOf } = incident;
  const since = mrkdwn`since ${timeNear(beganAt, asOf)}`;
  const share = shareOf(incident);
  if (share === null) return [mrkdwn`${failureCount(verdict, failures)} ${since}`];
  if (share.failed >= failures) return [mrkdwn`${shareWords(share)} ${since}`];
  return [mrkdwn`${shareWords(share)} in the last ${windowLength(share, asOf)}`, mrkdwn`${failures} ${since}`];
}

const shareWords = ({ failed, tried }: Pick<Attempts, 'failed' | 'tried'>): Markup => mrkdwn`${failed} of ${tried}`;

/** 'minute', '5 min' */
function windowLength({ since }: Attempts, asOf: Date): string {
  const minutes = Math.round((asOf.getTime() - since.getTime()) / MINUTE_MS);
  return minutes <= 1 ? 'minute' : describeDuration(minutes * MINUTE_MS);
}

/** Bounces and complaints have no share: emails that may still bounce would count as fine. */
function shareOf({ attempts, state, verdict }: IncidentNow): Attempts | null {
  const isReportedLate = verdict === 'bounced' || verdict === 'complained';
  if (state.is !== 'firing' || isReportedLate) return null;
  return attempts !== null && attempts.failed > 0 ? attempts : null;
}

/** The failures of all outbreaks; with a watch's filter, of this one only, since which earlier ones it matches isn't stored. */
export const totalFailures = ({ failures, failuresInAll }: IncidentNow): number =>
  Math.max(failures, failuresInAll ?? 0);

/** Null if the message's header names the workflow already. */
function workflowsWords(incident: IncidentNow, isHeaded: boolean): Markup | null {
  const { workflows, moreWorkflows } = incident;
  const [first] = workflows;
  if (first === undefined) return named('deleted workflow');
  const { attempts, critical } = first;
  const rest = workflows.length - 1 + moreWorkflows;
  const share = shareOf(incident);
  // A single workflow with all of the incident's attempts has the same share.
  const hasOwnShare = attempts !== null && share !== null && (rest > 0 || attempts.tried !== share.tried);
  const isInHeader = isHeaded && hitWorkflows(incident) !== null;
  if (isInHeader && !hasOwnShare && !critical) return null;
  const name = named(workflowNameOf(first));
  const words = hasOwnShare ? mrkdwn`${name} ${shareWords(attempts)}` : name;
  const line = joined([words, rest > 0 && plural(rest, 'more workflow')], ', ');
  return critical ? mrkdwn`critical: ${line}` : line;
}

function stateLine(incident: IncidentNow): Markup | null {
  const { state, asOf, lastAt, verdict } = incident;
  if (isNotAFailure(verdict)) return null;
  const wentThrough = incident.wentThrough > 0 && mrkdwn`${incident.wentThrough} went through since`;
  const last = timeNear(lastAt, asOf);
  switch (state.is) {
    case 'firing':
      return null;
    case 'recovering':
      if (incident.kind !== 'failures')
        return mrkdwn`⚪ recovering: checked again since ${timeNear(state.since, asOf)}`;
      return joined([
        mrkdwn`⚪ recovering: ${emptiedWords(incident) ?? mrkdwn`no new ones since ${last}`}`,
        verdict === 'bounced' ? BY_TIME : wentThrough,
      ]);
    case 'unconfirmed':
      return joined([mrkdwn`⚪ no failures since ${last}`, wentThrough, 'not enough traffic to confirm recovery']);
    case 'resolved':
      return resolvedLine(incident, state);
  }
}

function resolvedLine(incident: IncidentNow, { at, actor, ending }: Resolved): Markup {
  const { asOf, failures, kind, continuedAs } = incident;
  if (continuedAs !== null) return mrkdwn`➡️ goes on as ${numberOf(continuedAs)}`;
  const when = atNear(at, asOf);
  const doer = actor === null ? '' : mrkdwn` by ${person(actor)}`;
  const unproven = kind === 'silence' ? NOT_EXPECTED : 'though nothing shows that it works again';
  const resolved = ending === 'unconfirmed' ? mrkdwn`⚪ over ${when}, ${unproven}` : mrkdwn`✅ resolved${doer} ${when}`;
  const relapses = relapsesWords(incident);
  if (kind !== 'failures') return mrkdwn`${resolved}${relapses}`;
  const inAll = totalFailures(incident);
  return joined([
    resolved,
    emptiedWords(incident) ?? mrkdwn`failed ${failedSpan(incident, asOf)}${relapses}`,
    inAll > failures && mrkdwn`${plural(inAll, 'failure')} in all`,
  ]);
}

/** From its first failure to its last, for a reader who has `other` in mind. */
export function failedSpan({ beganAt, lastAt }: Pick<IncidentNow, 'beganAt' | 'lastAt'>, other: Date): Markup {
  const last = timeNear(lastAt, other);
  return isSameMinute(beganAt, lastAt) ? last : mrkdwn`${timeNear(beganAt, other)}–${last}`;
}

/** Null unless none of the failures is left. */
function emptiedWords({ failures }: IncidentNow): string | null {
  return failures === 0 ? 'all of it went through after all, or counts under another cause' : null;
}

export function relapsesWords({ outbreak }: IncidentNow): Markup | '' {
  return outbreak === 1 ? '' : mrkdwn`, after ${plural(outbreak - 1, 'relapse')}`;
}

function peopleLine(incident: IncidentNow, mute: ShownMute): Markup | null {
  const { state, acknowledged, formerly, assignedTo, note, earlierNote, lastTime, asOf } = incident;
  const isOpen = state.is !== 'resolved';
  return joined([
    isOpen && acknowledged && mrkdwn`👀 ${person(acknowledged.actor)} ${timeNear(acknowledged.at, asOf)}`,
    isOpen && formerly && mrkdwn`👀 before the relapse: ${person(formerly.actor)}`,
    isOpen && assignedTo && mrkdwn`🙋 ${person(assignedTo)}`,
    mute && mrkdwn`🔕 muted by ${person(mute.mutedBy)} until ${timeNear(mute.until, mute.beginsAt)}`,
    ...[note, earlierNote].map((each) => each && mrkdwn`📝 ${noteWords(each)} ${person(each.actor)}`),
    isOpen && lastTime && mrkdwn`📝 last time (${time(lastTime.from)}): ${noteWords(lastTime.note)}`,
  ]);
}

export const noteWords = ({ text }: Pick<Note, 'text'>): Markup => mrkdwn`“${text}”`;

export const stateWords = (incident: IncidentNow, mute: ShownMute = null): readonly Line[] => [
  stateLine(incident),
  peopleLine(incident, mute),
];
