import type { Content, ContentOf } from '../../../digests/content.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration } from '../../../lib/time/durations.ts';
import { type IncidentEvent, WATCH_END_WORDS } from '../../../outbox/kinds.ts';
import type { Mention } from '../../../watches/settings.ts';
import { type IncidentCtx, incidentMessage } from '../../incident-view/incident-row.ts';
import { eventWords, isAutomatic, noticeWords } from '../../incident-view/incident-verbs.ts';
import { incidentFacts, incidentTitle } from '../../incident-view/incident-words.ts';
import { lineSections, section } from '../../kit/blocks.ts';
import { message } from '../../kit/message.ts';
import {
  channelLink,
  code,
  firstOf,
  joined,
  type Line,
  mention,
  mrkdwn,
  named,
  plural,
  present,
  time,
  timeNear,
} from '../../kit/text.ts';
import { changedWhen, changedWords, failureCount, numberOf, peopleCount, settingsLines } from '../../kit/words.ts';
import { digestMessage } from './digest-message.ts';
import { resendMessage, testMessage } from './sending-message.ts';
import { summaryMessage } from './summary-message.ts';

export function deliveryMessage(content: Content, options: IncidentCtx) {
  const { environments } = options;
  const labelOf = ({ environment }: { environment: string }) => labelled(environment, environments).label;
  switch (content.kind) {
    case 'digest':
      return digestMessage(content, options);
    case 'summary':
      return summaryMessage(content, environments);
    case 'thread':
      return threadMessage(content);
    case 'personal':
      return incidentMessage(options, content.incident, null, noticeWords(content.notice, content.at));
    case 'test':
      return testMessage(content, labelOf(content.sending));
    case 'resend':
      return resendMessage(content, labelOf(content.sending));
    case 'silence':
      return notice(silenceLines(content, labelOf(content)), content.until ? null : content.mention);
    case 'changes':
      return notice(changesLines(content, labelOf(content)));
    case 'watch-ended':
      return notice(endedLines(content, environments));
  }
}

/** Has no header: the first line has times, which a header can't localize. */
function notice(lines: readonly Line[], whom: Mention | null = null) {
  return message([whom && section(mention(whom)), ...lineSections(lines)]);
}

function silenceLines({ name, since, until, usualMs }: ContentOf<'silence'>, label: string) {
  const from = time(since);
  const usual = describeDuration(usualMs);
  const what = name === null ? label : mrkdwn`${named(maskedId(name))} in ${label}`;
  const before =
    name === null
      ? mrkdwn`The longest pause in the week before was ${usual}.`
      : mrkdwn`At this hour there is usually one at least every ${usual}.`;
  if (until !== null)
    return [mrkdwn`✅ *${what} has events again since ${time(until)}* · none from ${from} until then`, before];
  return [
    mrkdwn`🔇 *No event of ${what} since ${from}*, which is unusual`,
    before,
    '→ Check what triggers events: notifications may not be asked for at all.',
  ];
}

const MOST_CHANGES = 10;

function changesLines({ environment, changes }: ContentOf<'changes'>, label: string) {
  const more = changes.length - MOST_CHANGES;
  return [
    mrkdwn`*${label}* · ${plural(changes.length, 'change')}`,
    ...changes.slice(0, MOST_CHANGES).map((change) => mrkdwn`${changedWords(change.what)} · ${changedWhen(change)}`),
    more > 0 && mrkdwn`${more} more in ${code(`/notif changes env:${environment}`)}`,
  ];
}

function endedLines({ watch, why: end }: ContentOf<'watch-ended'>, environments: readonly Environment[]) {
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

function threadMessage({ event, incidents, mention: whom }: ContentOf<'thread'>) {
  const words = eventWords(event);
  const lines = incidents.map((incident) => joined([words, ...factsOf(incident, event)]));
  return notice(lines.length === 0 ? [words] : firstOf(lines, 10), whom);
}

function factsOf(incident: IncidentNow, { what, at }: IncidentEvent) {
  const { verdict, failures, subscribers, startedAt, lastAt, outage } = incident;
  const head = [numberOf(incident.id), incidentTitle(incident)];
  if (what === 'flared' || (what !== 'resolved' && !isAutomatic(what))) return head;
  if (outage !== null) return [...head, ...present(incidentFacts(incident, 'terse'))];
  const span = what === 'resolved' && mrkdwn`${timeNear(startedAt, at)}–${timeNear(lastAt, at)}`;
  return [...head, failureCount(verdict, failures), peopleCount(subscribers), span];
}
