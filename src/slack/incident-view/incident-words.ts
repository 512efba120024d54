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

/** `headed`: the message's header is the title. `terse`: a row among several. */
export type RowSize = 'whole' | 'headed' | 'terse';

/** '14 of 14 in the last 5 min', '61 since 03:45', '48 people' */
export function incidentFacts(incident: IncidentNow, size: RowSize): readonly Line[] {
  const { kind, failures, critical, asOf, staleSince } = incident;
  if (kind !== 'failures') return [KINDS[kind].facts(incident)];
  const isTerse = size === 'terse';
  const inAll = failuresInAll(incident);
  return [
    ...(isTerse ? [countWords(incident)] : datedCounts(incident)),
    incident.state.is !== 'resolved' && failures < inAll && mrkdwn`${inAll} in all`,
    atLeast(incident),
    isTerse ? critical && 'critical' : workflowsWords(incident, size === 'headed'),
    staleSince && mrkdwn`as of ${timeNear(staleSince, asOf)}`,
  ];
}

/** Without its time, a share of minutes would contradict people counted over hours. */
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

const shareWords = ({ failed, tried }: Attempts): Markup => mrkdwn`${failed} of ${tried}`;

function windowLength({ since }: Attempts, asOf: Date): string {
  const minutes = Math.round((asOf.getTime() - since.getTime()) / MINUTE_MS);
  return describeDuration(Math.max(1, minutes) * MINUTE_MS);
}

/** Bounces and complaints have no share: emails that may still bounce would count as fine. */
function shareOf({ attempts, state, verdict }: IncidentNow): Attempts | null {
  if (state.is !== 'firing' || verdict === 'bounced' || verdict === 'complained' || !attempts?.failed) return null;
  return attempts;
}

/** Counts all outbreaks' failures; with a filter only this one's, since which of the earlier ones it matches isn't stored. */
const failuresInAll = ({ failures, failuresInAll }: IncidentNow): number => Math.max(failures, failuresInAll ?? 0);

function workflowsWords(incident: IncidentNow, isHeaded: boolean) {
  const { workflows, moreWorkflows } = incident;
  const [first] = workflows;
  if (first === undefined) return named('deleted workflow');
  const rest = workflows.length - 1 + moreWorkflows;
  const { attempts } = first;
  const share = shareOf(incident);
  const isApart = attempts !== null && share !== null && (rest > 0 || attempts.tried !== share.tried);
  if (isHeaded && !isApart && !first.critical && hitWorkflows(incident) !== null) return null;
  const name = named(workflowNameOf(first));
  const words = isApart ? mrkdwn`${name} ${attempts.failed} of ${attempts.tried}` : name;
  const line = joined([words, rest > 0 && plural(rest, 'more workflow')], ', ');
  return first.critical ? mrkdwn`critical: ${line}` : line;
}

function stateLine(incident: IncidentNow) {
  const { state, asOf, failures, beganAt, lastAt, verdict, kind, continuedAs } = incident;
  if (isNotAFailure(verdict)) return null;
  const last = timeNear(lastAt, asOf);
  const sent = incident.wentThrough > 0 && mrkdwn`${incident.wentThrough} went through since`;
  const emptied = failures === 0 && 'all of it went through after all, or counts under another cause';
  switch (state.is) {
    case 'firing':
      return null;
    case 'recovering':
      if (kind !== 'failures') return mrkdwn`⚪ recovering: checked again since ${timeNear(state.since, asOf)}`;
      return joined([
        mrkdwn`⚪ recovering: ${emptied || mrkdwn`no new ones since ${last}`}`,
        verdict === 'bounced' ? BY_TIME : sent,
      ]);
    case 'unconfirmed':
      return joined([mrkdwn`⚪ no failures since ${last}`, sent, 'not enough traffic to confirm recovery']);
    case 'resolved': {
      if (continuedAs !== null) return mrkdwn`➡️ goes on as ${numberOf(continuedAs)}`;
      const actor = state.actor === null ? '' : mrkdwn` by ${person(state.actor)}`;
      const when = atNear(state.at, asOf);
      const isUnproven = state.ending === 'unconfirmed';
      const over = isUnproven && (kind === 'silence' ? NOT_EXPECTED : 'though nothing shows that it works again');
      const resolved = over ? mrkdwn`⚪ over ${when}, ${over}` : mrkdwn`✅ resolved${actor} ${when}`;
      const relapses = relapsesWords(incident);
      if (kind !== 'failures') return mrkdwn`${resolved}${relapses}`;
      const span = isSameMinute(beganAt, lastAt) ? last : mrkdwn`${timeNear(beganAt, asOf)}–${last}`;
      const inAll = failuresInAll(incident);
      const all = inAll > failures && mrkdwn`${plural(inAll, 'failure')} in all`;
      return joined([resolved, emptied || mrkdwn`failed ${span}${relapses}`, all]);
    }
  }
}

const BY_TIME = `over after ${describeDuration(RECOVERED_MS)} without one`;

/** After four days, nobody waits for what is silent. */
const NOT_EXPECTED = 'as nothing is expected any more';

export function relapsesWords({ outbreak }: IncidentNow): Markup | '' {
  return outbreak === 1 ? '' : mrkdwn`, after ${plural(outbreak - 1, 'relapse')}`;
}

/** The mute of an incident in a watch. */
export type ShownMute = Pick<WatchMute, 'mutedBy' | 'beginsAt' | 'until'> | null;

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
