import { isSameMinute } from 'date-fns';
import type { Gap } from '../../coverage/gap.ts';
import { isNotAFailure, type Verdict } from '../../failures/verdict.ts';
import { failsForNearlyAll, type IncidentNow, isAllFailing, type Note, type Outage } from '../../incidents/incident.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import { channelName, messageNoun } from '../../service/channels.ts';
import { lastingProblem } from '../../service/problem-words.ts';
import {
  atNear,
  badge,
  cut,
  datedWindow,
  joined,
  mrkdwn,
  named,
  person,
  plural,
  time,
  timeNear,
  windowsWords,
} from '../kit/text.ts';
import { capitalized, failureCount, namedProvider, numberOf, peopleCount, workflowNameOf } from '../kit/words.ts';

/** 'SendGrid refuses every email: key expired (401)' */
export function titleText(incident: IncidentNow, isContinued = false, hit: string | null = null) {
  const subject = `${subjectText(incident, isContinued)}${hit === null ? '' : ` in ${hit}`}`;
  return `${subject}${incident.headline === null ? '' : `: ${whyText(incident)}`}`;
}

export function whyText({ headline, cause: { text }, isRecipientFault, attempts }: IncidentNow): string {
  if (headline === null) return `“${cut(maskedId(text), LONGEST_QUOTE)}”`;
  // What a provider says of nearly everyone is quoted: it's hardly the recipients' fault.
  if (isRecipientFault && failsForNearlyAll(attempts)) return `it says “${headline}”`;
  return `${headline}${/ \(\d{3,6}(?:, HTTP \d{3})?\)$/.exec(text)?.[0] ?? ''}`;
}

const LONGEST_QUOTE = 80;
const MOST_NAMED = 2;
const LONGEST_NAMED = 40;

/** 'order-shipped and welcome', or null if more are hit. */
export function hitWorkflows({ workflows, moreWorkflows }: IncidentNow) {
  const names = workflows.map((workflow) => cut(workflowNameOf(workflow), LONGEST_NAMED));
  return moreWorkflows === 0 && names.length <= MOST_NAMED ? names.join(' and ') || null : null;
}

/** If `isContinued`, a newer message says what changes. */
export function subjectText(incident: IncidentNow, isContinued = false) {
  const { channel, provider, isTest, verdict, attempts, state, relapses } = incident;
  const isFiring = state.is === 'firing';
  const again = !isFiring || relapses === 0 ? '' : relapses === 1 ? ' again' : ` again (relapse ${relapses})`;
  if (incident.outage !== null) return isContinued ? 'Service' : `${outageSubject(incident)}${again}`;
  const what = capitalized(channelName(channel));
  const who = namedProvider(provider);
  const isRefused = !isContinued && who !== null && isFiring && verdict === 'failed' && isAllFailing(attempts);
  const subject = who === null ? what : isRefused ? who : `${what} via ${who}`;
  const [now, before] = DOES[verdict] ?? ['fails', 'failed'];
  const does = isRefused ? `refuses every ${messageNoun(channel)}` : isFiring ? now : before;
  return `${isTest ? 'Test: ' : ''}${subject}${isContinued ? '' : ` ${does}${again}`}`;
}

export function incidentTitle(incident: IncidentNow, isContinued = false) {
  return joined([mrkdwn`*${titleText(incident, isContinued)}*`, quoteOf(incident)], ' ');
}

export const quoteOf = (incident: IncidentNow) => incident.headline === null && whyText(incident);

const DOES: { [V in Verdict]?: readonly [now: string, before: string] } = {
  warning: ['warns', 'warned'],
  complained: ['is reported as spam', 'was reported as spam'],
  unsubscribed: ['leads to unsubscribes', 'led to unsubscribes'],
  bounced: ['bounces', 'bounced'],
};

export function incidentHeading(incident: IncidentNow, environments: readonly Environment[]) {
  const where = badge(labeled(incident.environment, environments));
  return joined([incidentTitle(incident), where, numberOf(incident.id)]);
}

/** `headed`: the message's header is the title. `terse`: a row among several. */
export type RowSize = 'whole' | 'headed' | 'terse';

/** '14 of 14 since 03:45', '48 people' */
export function incidentFacts(incident: IncidentNow, size: RowSize) {
  const { verdict, failures, critical, startedAt, asOf, staleSince, outage } = incident;
  if (outage !== null) return [outageFacts(outage, incident)];
  const isTerse = size === 'terse';
  const recent = shareOf(incident);
  // Without its time, a share of minutes would contradict people counted over hours.
  const share = isTerse && recent && recent.failed < failures ? null : recent;
  const count = share === null ? failureCount(verdict, failures) : mrkdwn`${share.failed} of ${share.tried}`;
  const inAll = failuresInAll(incident);
  return [
    isTerse ? count : mrkdwn`${count} since ${timeNear(share?.since ?? startedAt, asOf)}`,
    incident.state.is !== 'resolved' && (share?.failed ?? failures) < inAll && mrkdwn`${inAll} in all`,
    peopleCount(incident.subscribers),
    isTerse ? critical && 'critical' : workflowsWords(incident, size === 'headed'),
    staleSince && mrkdwn`as of ${timeNear(staleSince, asOf)}`,
  ];
}

/** Bounces and complaints have no share: emails that may still bounce would count as fine. */
function shareOf({ attempts, state, verdict }: IncidentNow) {
  if (state.is !== 'firing' || verdict === 'bounced' || verdict === 'complained' || !attempts?.failed) return null;
  return attempts;
}

/** Includes failures before relapses, unless a filter applies: what it matched then isn't known. */
function failuresInAll({ failures, recorded, relapses, attempts }: IncidentNow) {
  return relapses > 0 && attempts !== null ? Math.max(recorded, failures) : failures;
}

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
  const { state, asOf, failures, startedAt, lastAt, verdict, outage } = incident;
  if (isNotAFailure(verdict)) return null;
  const last = timeNear(lastAt, asOf);
  const sent = incident.wentThrough > 0 && mrkdwn`${incident.wentThrough} went through since`;
  const emptied = failures === 0 && 'all of it went through after all, or counts under another cause';
  switch (state.is) {
    case 'firing':
      return null;
    case 'recovering':
      if (outage !== null) return mrkdwn`⚪ recovering: checked again since ${timeNear(state.since, asOf)}`;
      return joined([mrkdwn`⚪ recovering: ${emptied || mrkdwn`no new ones since ${last}`}`, sent]);
    case 'unconfirmed':
      return joined([mrkdwn`⚪ no failures since ${last}`, sent, 'not enough traffic to confirm recovery']);
    case 'resolved': {
      const actor = state.actor === null ? '' : mrkdwn` by ${person(state.actor)}`;
      const resolved = mrkdwn`✅ resolved${actor} ${atNear(state.at, asOf)}`;
      const relapses = relapsesWords(incident);
      if (outage !== null) return mrkdwn`${resolved}${relapses}`;
      const span = isSameMinute(startedAt, lastAt) ? last : mrkdwn`${timeNear(startedAt, asOf)}–${last}`;
      const inAll = failuresInAll(incident);
      const all = inAll > failures && mrkdwn`${plural(inAll, 'failure')} in all`;
      return joined([resolved, emptied || mrkdwn`failing ${span}${relapses}`, all]);
    }
  }
}

export function relapsesWords({ relapses }: IncidentNow) {
  return relapses === 0 ? '' : mrkdwn`, after ${plural(relapses, 'relapse')}`;
}

function peopleLine(incident: IncidentNow) {
  const { state, acknowledged, formerly, assignedTo, mute, note, earlierNote, lastTime, asOf } = incident;
  const isOpen = state.is !== 'resolved';
  return joined([
    isOpen && acknowledged && mrkdwn`👀 ${person(acknowledged.actor)} ${timeNear(acknowledged.at, asOf)}`,
    isOpen && formerly && mrkdwn`👀 before the relapse: ${person(formerly.actor)}`,
    isOpen && assignedTo && mrkdwn`🙋 ${person(assignedTo)}`,
    mute && mrkdwn`🔕 muted by ${person(mute.actor)} until ${timeNear(mute.until, mute.from)}`,
    ...[note, earlierNote].map((each) => each && mrkdwn`📝 ${noteWords(each)} ${person(each.actor)}`),
    isOpen && lastTime && mrkdwn`📝 last time (${time(lastTime.from)}): ${noteWords(lastTime.note)}`,
  ]);
}

export const noteWords = ({ text }: Pick<Note, 'text'>) => mrkdwn`“${text}”`;
export const stateWords = (incident: IncidentNow) => [stateLine(incident), peopleLine(incident)];

/** In such an outage, the service probably sends nothing. */
const AWAY = ['unreachable', 'timed-out', 'gateway', 'service-error'];

function outageSubject({ state, cause }: IncidentNow) {
  const isFiring = state.is === 'firing';
  if (AWAY.includes(cause.key)) return `Service ${isFiring ? "doesn't" : "didn't"} answer`;
  return `Events ${isFiring ? "can't" : "couldn't"} be checked`;
}

function outageFacts({ uncheckedSince, gap }: Outage, { state, cause, asOf }: IncidentNow) {
  const isAway = AWAY.includes(cause.key);
  if (state.is === 'firing')
    return mrkdwn`nothing checked since ${timeNear(uncheckedSince, asOf)}${isAway ? ', and probably nothing sent' : ''}`;
  return gap?.to != null && gapFacts(gap, gap.to, isAway);
}

const UNUSUAL_MS = 30 * MINUTE_MS;

function gapFacts({ from, closedAt, toRead, givenUp, events, failures }: Gap, to: Date, isAway: boolean) {
  const was = mrkdwn`not checked ${time(from)}–${timeNear(to, from)}`;
  if (closedAt === null) {
    const left = toRead.length > 0 && mrkdwn`still to be checked: ${windowsWords(toRead, datedWindow)}`;
    return joined([mrkdwn`${was}: ⏳ catching up`, left]);
  }
  const counts = mrkdwn`${plural(events, 'event')} checked, ${plural(failures, 'failure')} found`;
  if (givenUp.length > 0) {
    const lost = mrkdwn`⚠️ *lost: ${windowsWords(givenUp, datedWindow)}*, failures in it were never reported`;
    return joined([was, lost, mrkdwn`the rest: ${counts}`]);
  }
  const isUnusual = events === 0 && isAway && to.getTime() - from.getTime() >= UNUSUAL_MS;
  const none = mrkdwn`${isUnusual ? '⚠️ ' : ''}not one event was created in it${isUnusual ? ', which is unusual' : ''}`;
  return joined([mrkdwn`${was}, caught up since`, events === 0 ? none : counts]);
}

/** The words name no variables: `/notif doctor` shows them to operators. */
export function outageNext({ problem }: Outage) {
  if (problem === null) return null;
  const names = { apiUrlVariable: 'the address', apiKeyVariable: 'the API key', pollVariable: 'the poll interval' };
  const { next } = lastingProblem(problem, names);
  return joined(['→', next, "Missed failures will be reported once it's back."], ' ');
}
