import { isSameMinute } from 'date-fns';
import type { Gap } from '../../coverage/gap.ts';
import { isNotAFailure, type Verdict } from '../../failures/verdict.ts';
import { type Attempts, isEvery } from '../../incidents/badness.ts';
import { type IncidentKind, type IncidentNow, isAllFailing, type Note, type Outage } from '../../incidents/incident.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration, MINUTE_MS } from '../../lib/time/durations.ts';
import { channelName, messageNoun } from '../../service/channels.ts';
import { lastingProblem } from '../../service/problem-words.ts';
import {
  atNear,
  badge,
  cut,
  datedWindow,
  joined,
  type Line,
  type Markup,
  mrkdwn,
  named,
  person,
  plural,
  time,
  timeNear,
  windowsWords,
} from '../kit/text.ts';
import { atLeast, capitalized, failureCount, namedProvider, numberOf, workflowNameOf } from '../kit/words.ts';

/** 'SendGrid refuses every email: key expired (401)' */
export function titleText(incident: IncidentNow, isContinued = false, hit: string | null = null) {
  const subject = `${subjectText(incident, isContinued)}${hit === null ? '' : ` in ${hit}`}`;
  return `${subject}${incident.headline === null ? '' : `: ${whyText(incident)}`}`;
}

export function whyText({ headline, cause: { text }, isRecipientFault, attempts }: IncidentNow): string {
  if (headline === null) return `“${cut(maskedId(text), LONGEST_QUOTE)}”`;
  // What a provider says of nearly everyone is quoted: it's hardly the recipients' fault.
  if (isRecipientFault && attempts !== null && isEvery(attempts)) return `it says “${headline}”`;
  return `${headline}${/ \(\d{3,6}(?:, HTTP \d{3})?\)$/.exec(text)?.[0] ?? ''}`;
}

const LONGEST_QUOTE = 80;
const MOST_NAMED = 2;
const LONGEST_NAMED = 40;

/** 'order-shipped and welcome', or null if more are hit. */
export function hitWorkflows({ kind, workflows, moreWorkflows }: IncidentNow) {
  if (kind !== 'failures') return null;
  const names = workflows.map((workflow) => cut(workflowNameOf(workflow), LONGEST_NAMED));
  return moreWorkflows === 0 && names.length <= MOST_NAMED ? names.join(' and ') || null : null;
}

/** If `isContinued`, a newer message says what changes. */
export function subjectText(incident: IncidentNow, isContinued = false): string {
  const { kind, channel, provider, isTest, verdict, attempts, state } = incident;
  const isFiring = state.is === 'firing';
  if (kind !== 'failures')
    return isContinued ? KINDS[kind].noun : `${KINDS[kind].subject(incident)}${againWords(incident)}`;
  const what = capitalized(channelName(channel));
  const who = namedProvider(provider);
  const isRefused = !isContinued && who !== null && isFiring && verdict === 'failed' && isAllFailing(attempts);
  const subject = who === null ? what : isRefused ? who : `${what} via ${who}`;
  const [now, before] = DOES[verdict] ?? ['fails', 'failed'];
  const does = isRefused ? `refuses every ${messageNoun(channel)}` : isFiring ? now : before;
  return `${isTest ? 'Test: ' : ''}${subject}${isContinued ? '' : ` ${does}${againWords(incident)}`}`;
}

function againWords({ state, outbreak }: IncidentNow): string {
  if (state.is !== 'firing' || outbreak === 1) return '';
  return outbreak === 2 ? ' again' : ` again (relapse ${outbreak - 1})`;
}

export function incidentTitle(incident: IncidentNow, isContinued = false) {
  return joined([mrkdwn`*${titleText(incident, isContinued)}*`, quoteOf(incident)], ' ');
}

export const quoteOf = (incident: IncidentNow) =>
  incident.kind === 'failures' && incident.headline === null && whyText(incident);

const DOES: { [V in Verdict]?: readonly [now: string, before: string] } = {
  warning: ['warns', 'warned'],
  complained: ['is reported as spam', 'was reported as spam'],
  unsubscribed: ['leads to unsubscribes', 'led to unsubscribes'],
  bounced: ['bounces', 'bounced'],
  stuck: ['is stuck', 'was stuck'],
};

export function incidentHeading(incident: IncidentNow, environments: readonly Environment[]) {
  const where = badge(labeled(incident.environment, environments));
  return joined([incidentTitle(incident), where, numberOf(incident.id)]);
}

/** `headed`: the message's header is the title. `terse`: a row among several. */
export type RowSize = 'whole' | 'headed' | 'terse';

/** '14 of 14 in the last 5 min', '61 since 03:45', '48 people' */
export function incidentFacts(incident: IncidentNow, size: RowSize): readonly Line[] {
  const { kind, verdict, failures, critical, beganAt, asOf, staleSince } = incident;
  if (kind !== 'failures') return [KINDS[kind].facts(incident)];
  const isTerse = size === 'terse';
  const recent = shareOf(incident);
  // Without its time, a share of minutes would contradict people counted over hours.
  const share = isTerse && recent && recent.failed < failures ? null : recent;
  const shareWords = share !== null && mrkdwn`${share.failed} of ${share.tried}`;
  const isWhole = share === null || share.since.getTime() === beganAt.getTime() || share.failed >= failures;
  const since = mrkdwn`since ${timeNear(beganAt, asOf)}`;
  const inAll = failuresInAll(incident);
  return [
    shareWords !== false &&
      (isTerse
        ? shareWords
        : isWhole
          ? mrkdwn`${shareWords} ${since}`
          : mrkdwn`${shareWords} ${windowWords(share, asOf)}`),
    share === null && (isTerse ? failureCount(verdict, failures) : mrkdwn`${failureCount(verdict, failures)} ${since}`),
    !isTerse && !isWhole && mrkdwn`${failures} ${since}`,
    incident.state.is !== 'resolved' && failures < inAll && mrkdwn`${inAll} in all`,
    atLeast(incident),
    isTerse ? critical && 'critical' : workflowsWords(incident, size === 'headed'),
    staleSince && mrkdwn`as of ${timeNear(staleSince, asOf)}`,
  ];
}

/** 'in the last 5 min' */
function windowWords(share: Attempts | null, asOf: Date): string {
  const ms = share === null ? 0 : asOf.getTime() - share.since.getTime();
  return `in the last ${describeDuration(Math.max(MINUTE_MS, Math.round(ms / MINUTE_MS) * MINUTE_MS))}`;
}

/** Bounces and complaints have no share: emails that may still bounce would count as fine. */
function shareOf({ attempts, state, verdict }: IncidentNow): Attempts | null {
  if (state.is !== 'firing' || verdict === 'bounced' || verdict === 'complained' || !attempts?.failed) return null;
  return attempts;
}

/** Of all outbreaks, unless a filter applies: what it matched then isn't known. */
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
      return joined([mrkdwn`⚪ recovering: ${emptied || mrkdwn`no new ones since ${last}`}`, sent]);
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

/** After four days, nobody waits for what is silent. */
const NOT_EXPECTED = 'as nothing is expected any more';

export function relapsesWords({ outbreak }: IncidentNow): Markup | '' {
  return outbreak === 1 ? '' : mrkdwn`, after ${plural(outbreak - 1, 'relapse')}`;
}

/** The mute of an incident in a watch. */
export type ShownMute = { actor: string; from: Date; until: Date } | null;

function peopleLine(incident: IncidentNow, mute: ShownMute): Markup | null {
  const { state, acknowledged, formerly, assignedTo, note, earlierNote, lastTime, asOf } = incident;
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
export const stateWords = (incident: IncidentNow, mute: ShownMute = null): readonly Line[] => [
  stateLine(incident),
  peopleLine(incident, mute),
];

/** In such an outage, the service probably sends nothing. */
const AWAY = ['unreachable', 'timed-out', 'gateway', 'service-error'];

/** What is said of an incident that isn't of failures; everything else of it is as for any. */
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
      outage?.gap?.to != null
        ? gapFacts(outage.gap, outage.gap.to, false)
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
function outageNext({ problem }: Outage): Markup | null {
  if (problem === null) return null;
  const names = { apiUrlVariable: 'the address', apiKeyVariable: 'the API key', pollVariable: 'the poll interval' };
  const { next } = lastingProblem(problem, names);
  return joined(['→', next, "Missed failures will be reported once it's back."], ' ');
}
