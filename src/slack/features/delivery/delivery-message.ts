import type { Content, ContentOf } from '../../../digests/content.ts';
import type { IncidentEvent } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { describeDuration, MINUTE_MS } from '../../../lib/time/durations.ts';
import type { GapCause } from '../../../polling/gap.ts';
import { lastingProblem } from '../../../service/problem-words.ts';
import { type Mention, WATCH_END_WORDS } from '../../../watches/settings.ts';
import { lineSections, section } from '../../kit/blocks.ts';
import { type IncidentCtx, incidentMessage } from '../../kit/incident/incident-row.ts';
import { eventWords, toldWords } from '../../kit/incident/incident-verbs.ts';
import { incidentTitle } from '../../kit/incident/incident-words.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import {
  channelLink,
  code,
  firstOf,
  joined,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  plural,
} from '../../kit/text.ts';
import { datedWindow, time, timeNear, windowsWords } from '../../kit/times.ts';
import { changedWhen, changedWords } from '../../kit/words/change-words.ts';
import { failureCount, numberOf, peopleCount } from '../../kit/words/names.ts';
import { settingsLines } from '../../kit/words/watch-words.ts';
import { digestMessage } from './digest-message.ts';
import { resendMessage, testMessage } from './sending-message.ts';
import { summaryMessage } from './summary-message.ts';

export function deliveryMessage(content: Content, options: IncidentCtx): MessageContent {
  const { environments } = options;
  const labelOf = (name: string) => labelled(name, environments).label;
  switch (content.kind) {
    case 'digest':
      return digestMessage(content, options);
    case 'summary':
      return summaryMessage(content, environments);
    case 'thread':
      return threadMessage(content);
    case 'told':
      return incidentMessage(options, content.incident, null, toldWords(content.told));
    case 'test':
      return testMessage(content, labelOf(content.sending.environment));
    case 'resend':
      return resendMessage(content, labelOf(content.sending.environment));
    case 'gap':
      return notice(gapLines(content, environments), content.mention);
    case 'silence': {
      const lines = silenceLines(content, labelOf(content.environment));
      return notice(lines, content.until === null ? content.mention : null);
    }
    case 'changes':
      return notice(changesLines(content, labelOf(content.environment)));
    case 'watch-ended':
      return notice(endedLines(content, environments));
  }
}

/** The first line has times, which a header can't localize. */
function notice(lines: readonly Line[], whom: Mention | null = null): MessageContent {
  return message([whom && section(mention(whom)), ...lineSections(lines)]);
}

const UNUSUAL_MS = 30 * MINUTE_MS;

/** With the others the service answers, and may well send. */
const AWAY: ReadonlySet<GapCause> = new Set(['unreachable', 'timed-out', 'gateway', 'service-error']);

function gapLines({ gap, environments: names }: ContentOf<'gap'>, environments: readonly Environment[]): Line[] {
  const { from, to, cause, openedAt, closedAt, givenUp, toRead, events, failures } = gap;
  const environment = environments.find(({ name }) => name === gap.environment);
  const labels = names.map((name) => labelled(name, environments).label);
  const all = listed(labels);
  const label = names.length === 1 ? all : mrkdwn`The service of ${all}`;
  const { why, next } = lastingProblem(
    { kind: cause },
    environment ?? { apiUrlVariable: 'its address', apiKeyVariable: 'its key' },
  );
  const isAway = AWAY.has(cause);
  if (to === null) {
    const [is, so] = isAway
      ? ["doesn't answer", 'nothing is checked, and probably nothing is sent']
      : ["can't be checked", 'what fails is not known'];
    const what = mrkdwn`🔴 *${label} ${is} since ${timeNear(from, openedAt)}* (${why}): ${so}`;
    return [what, joined([next !== '' && next, "Missed failures will be reported once it's back."], ' ')];
  }
  const was = mrkdwn`*${label} wasn't checked ${time(from, 'day')}–${timeNear(to, from)} (${why})`;
  if (closedAt === null) {
    const still = mrkdwn`Still to be checked: ${windowsWords(toRead, datedWindow)}.`;
    return [mrkdwn`⏳ ${was}: catching up*`, toRead.length > 0 && still];
  }
  if (givenUp.length > 0)
    return [
      mrkdwn`⚠️ ${was}: partly lost*`,
      mrkdwn`*Lost: ${windowsWords(givenUp, datedWindow)}.* Failures in it were never reported.`,
      mrkdwn`The rest: ${plural(events, 'event')} checked, ${plural(failures, 'failure')} found.`,
    ];
  const again = isAway
    ? mrkdwn`*${label} answers again, ${timeNear(to, closedAt)}*`
    : mrkdwn`*${label} is checked again, ${timeNear(to, closedAt)}* (${why})`;
  const lasted = to.getTime() - from.getTime();
  const caughtUp = mrkdwn`${again} · ${describeDuration(lasted)} caught up`;
  if (events === 0 && isAway && lasted >= UNUSUAL_MS)
    return [mrkdwn`⚠️ ${caughtUp}, and not one event was created in it, which is unusual`];
  const none = events === 0 ? mrkdwn`no events in it` : mrkdwn`no failures found`;
  const found = failures === 0 ? none : mrkdwn`${plural(failures, 'failure')} found`;
  return [mrkdwn`✅ ${caughtUp} · ${found}`];
}

function silenceLines({ since, until, usualMs }: ContentOf<'silence'>, label: string): Markup[] {
  const from = time(since, 'day');
  const usual = mrkdwn`The longest pause in the week before was ${describeDuration(usualMs)}.`;
  if (until !== null)
    return [mrkdwn`✅ *${label} has events again since ${time(until, 'day')}* · none from ${from} until then`, usual];
  const next = mrkdwn`→ Check what triggers events: notifications may not be asked for at all.`;
  return [mrkdwn`⚠️ *${label} has had no event since ${from}*, which is unusual`, usual, next];
}

const MOST_CHANGES = 10;

function changesLines({ environment, changes }: ContentOf<'changes'>, label: string): Line[] {
  const shown = changes.slice(0, MOST_CHANGES);
  const more = changes.length - shown.length;
  return [
    mrkdwn`*${label}* · ${plural(changes.length, 'change')}`,
    ...shown.map((change) => mrkdwn`${changedWords(change.what)} · ${changedWhen(change)}`),
    more > 0 && mrkdwn`${more} more in ${code(`/notif changes env:${environment}`)}`,
  ];
}

function endedLines({ watch, why: end }: ContentOf<'watch-ended'>, environments: readonly Environment[]): Markup[] {
  const channel = channelLink(watch.channel);
  const { why, fix } = WATCH_END_WORDS[end];
  return watch.createdBy === null
    ? [
        mrkdwn`⚠️ *Alerts for ${channel} can't be posted: ${why}.*`,
        mrkdwn`${fix}, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying; nothing is lost.`,
      ]
    : [
        mrkdwn`⚠️ *Your watch in ${channel} was removed: ${why}.*`,
        mrkdwn`It no longer sends alerts. ${fix}, then create it again there: ${code('/notif watch')}.`,
        ...settingsLines(watch.settings, environments),
      ];
}

const MOST_LINES = 10;

function threadMessage({ event, incidents, mention: whom }: ContentOf<'thread'>): MessageContent {
  const words = eventWords(event);
  const lines = incidents.map((incident) => joined([words, ...factsOf(incident, event)], ' · '));
  const shown = lines.length === 0 ? [words] : firstOf(lines, MOST_LINES);
  return notice(shown, whom);
}

function factsOf(incident: IncidentNow, { what, at }: IncidentEvent): Markup[] {
  const { verdict, failures, subscribers, startedAt, lastAt } = incident;
  const counts = [failureCount(verdict, failures), peopleCount(subscribers)];
  const ended = [...counts, mrkdwn`${timeNear(startedAt, at)}–${timeNear(lastAt, at)}`];
  const facts = what === 'resolved' ? ended : what === 'grown' || what === 'critical' ? counts : [];
  return [numberOf(incident.id), incidentTitle(incident), ...facts];
}
