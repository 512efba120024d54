import { type Environment, labeled } from '../../../lib/environment.ts';
import { CHANNEL_REFUSAL_WORDS, unreachedWords } from '../../../lib/refusals.ts';
import { changedWhen, changedWords } from '../../incident-view/changed-words.ts';
import { newsWords } from '../../incident-view/entry-words.ts';
import { type IncidentCtx, incidentMessage } from '../../incident-view/incident-row.ts';
import { lineSections, section } from '../../kit/blocks.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { channelLink, code, listed, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { settingsLines } from '../../kit/watch-words.ts';
import type { Content, ContentOf } from './content.ts';
import { digestMessage } from './digest-message.ts';
import { lineMessage, mentioned, notice, titleOf } from './line-message.ts';
import { resendMessage } from './resend-message.ts';
import { summaryMessage } from './summary-message.ts';
import { testMessage } from './test-message.ts';
import { weeklyMessage } from './weekly-message.ts';

const MOST_CHANGES = 10;

export function contentMessage(content: Content, options: IncidentCtx): MessageContent {
  const { environments } = options;
  const labelOf = ({ environment }: { environment: string }) => labeled(environment, environments).label;
  switch (content.kind) {
    case 'digest':
      return digestMessage(content, options);
    case 'summary':
      return summaryMessage(content, environments);
    case 'weekly':
      return weeklyMessage(content, environments);
    case 'line':
      return lineMessage(content);
    case 'personal': {
      const words = newsWords(content.news, content.at);
      return content.incident === null
        ? notice([words, titleOf(content.title)])
        : incidentMessage(options, content.incident, { words });
    }
    case 'test':
      return testMessage(content, labelOf(content.sending));
    case 'resend':
      return resendMessage(content, labelOf(content.sending));
    case 'changes':
      return notice(changesLines(content, labelOf(content)));
    case 'renamed':
      return notice(renamedLines(content, environments));
    case 'watch-ended':
      return notice(endedLines(content, environments));
  }
}

/** Tells who caused a direct message that Slack refused it, and what it said. */
export function unreachedMessage(
  { blocks }: Pick<MessageContent, 'blocks'>,
  { isOwn, recipient, code }: { isOwn: boolean; recipient: string; code: string },
): MessageContent {
  const { why, fix } = unreachedWords(code);
  const head = mrkdwn`⚠️ *Slack doesn't let Notif write to ${isOwn ? 'you' : person(recipient)}:* ${why}.`;
  return message([...lineSections([head, mrkdwn`→ ${fix}. This didn't arrive:`]), ...blocks]);
}

function changesLines({ environment, changes }: ContentOf<'changes'>, label: string) {
  const more = changes.length - MOST_CHANGES;
  return [
    mrkdwn`*${label}* · ${plural(changes.length, 'change')}`,
    ...changes.slice(0, MOST_CHANGES).map((change) => mrkdwn`${changedWords(change.what)} · ${changedWhen(change)}`),
    more > 0 && mrkdwn`${more} more in ${code(`/notif changes env:${environment}`)}`,
  ];
}

function renamedLines({ environment, from, watches }: ContentOf<'renamed'>, environments: readonly Environment[]) {
  const { label } = labeled(environment, environments);
  const follow = watches.length === 1 ? "This channel's watch follows:" : "This channel's watches follow:";
  return [
    mrkdwn`ℹ️ *${named(from)} is called ${named(label)} now.* Its incidents go on under the new name. ${follow}`,
    ...watches.flatMap(({ settings }) => settingsLines(settings, environments)),
  ];
}

function endedLines({ watch, why: end }: ContentOf<'watch-ended'>, environments: readonly Environment[]) {
  const channel = channelLink(watch.channel);
  const { why, fix } = CHANNEL_REFUSAL_WORDS[end];
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

/** Stands for a message that a bug keeps from being drawn: an alert with fewer words is better than none. */
export function undrawnMessage(content: Content): MessageContent {
  const ids = incidentsIn(content);
  const whom = 'mention' in content ? content.mention : null;
  const about = ids.length > 0 && mrkdwn`It is about ${listed(ids.map(numberOf))}.`;
  const command = ids[0] === undefined ? '/notif status' : `/notif #${ids[0]}`;
  return message([
    whom && section(mentioned(whom)),
    ...lineSections([
      mrkdwn`⚠️ *Notif can't draw this message.* Its log has the reason.`,
      about,
      mrkdwn`→ ${code(command)}`,
    ]),
  ]);
}

function incidentsIn(content: Content): readonly number[] {
  switch (content.kind) {
    case 'digest':
      return [...content.rows.map(({ incident }) => incident), ...content.singles].map(({ id }) => id);
    case 'line':
      return content.turns.map(({ incident }) => incident.id);
    case 'personal':
      return [content.title.id];
    case 'resend':
      return [content.incidentId];
    default:
      return [];
  }
}
