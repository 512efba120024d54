import type { Mentioned } from '../../../alerts/content.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { CHANNEL_REFUSAL_WORDS, unreachedWords } from '../../../lib/refusals.ts';
import { changedWhen, changedWords } from '../../incident-view/changed-words.ts';
import { incidentTitle, subjectName } from '../../incident-view/incident-title.ts';
import { lineSections, type MessageBlock, section } from '../../kit/blocks.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import {
  channelLink,
  code,
  joined,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  named,
  person,
  plural,
} from '../../kit/text.ts';
import { settingsLines } from '../../kit/watch-words.ts';
import type { Content, ContentOf } from './content.ts';

/** A message without a header, which couldn't show times in the reader's time zone. */
export function notice(
  lines: readonly Line[],
  whom: Mentioned | null = null,
  below: readonly MessageBlock[] = [],
): MessageContent {
  return message([whom && section(mentioned(whom)), ...lineSections(lines), ...below]);
}

/** A title for messages that stay as they are: it doesn't say how the incident is now. */
export const titleOf = (incident: IncidentNow): Line =>
  joined([numberOf(incident.id), incidentTitle(incident, subjectName(incident))]);

export const mentioned = (whom: Mentioned): Markup =>
  whom.kind === 'people' ? mrkdwn`${joined(whom.ids.map(person), ' ')}` : mention(whom);

const MOST_CHANGES = 10;

export function changesMessage(
  { environment, changes }: ContentOf<'changes'>,
  environments: readonly Environment[],
): MessageContent {
  const { label } = labeled(environment, environments);
  const more = changes.length - MOST_CHANGES;
  return notice([
    mrkdwn`*${label}* · ${plural(changes.length, 'change')}`,
    ...changes.slice(0, MOST_CHANGES).map((change) => mrkdwn`${changedWords(change.what)} · ${changedWhen(change)}`),
    more > 0 && mrkdwn`${more} more in ${code(`/notif changes env:${environment}`)}`,
  ]);
}

export function renamedMessage(
  { environment, from, watches }: ContentOf<'renamed'>,
  environments: readonly Environment[],
): MessageContent {
  const { label } = labeled(environment, environments);
  const follow = watches.length === 1 ? "This channel's watch follows:" : "This channel's watches follow:";
  return notice([
    mrkdwn`ℹ️ *${named(from)} is called ${named(label)} now.* Its incidents go on under the new name. ${follow}`,
    ...watches.flatMap(({ settings }) => settingsLines(settings, environments)),
  ]);
}

export function watchEndedMessage(
  { watch, why: end }: ContentOf<'watch-ended'>,
  environments: readonly Environment[],
): MessageContent {
  const channel = channelLink(watch.channel);
  const { why, fix } = CHANNEL_REFUSAL_WORDS[end];
  const lines =
    watch.createdBy === null
      ? [
          mrkdwn`⚠️ *Alerts for ${channel} can't be posted: ${why}.*`,
          mrkdwn`${fix}, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying; nothing is lost.`,
        ]
      : [
          mrkdwn`⚠️ *Your watch in ${channel} was removed: ${why}.*`,
          mrkdwn`It no longer sends alerts. ${fix}, then create it again there: ${code('/notif watch')}.`,
          ...settingsLines(watch.settings, environments),
        ];
  return notice(lines);
}

/** Tells who caused a direct message that Slack refused it, and what it said. */
export function unreachedMessage(
  { blocks }: Pick<MessageContent, 'blocks'>,
  { isOwn, recipient, code: refusal }: { isOwn: boolean; recipient: string; code: string },
): MessageContent {
  const { why, fix } = unreachedWords(refusal);
  const head = mrkdwn`⚠️ *Slack doesn't let Notif write to ${isOwn ? 'you' : person(recipient)}:* ${why}.`;
  return message([...lineSections([head, mrkdwn`→ ${fix}. This didn't arrive:`]), ...blocks]);
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
