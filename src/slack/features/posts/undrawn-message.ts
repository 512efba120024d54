import { lineSections, section } from '../../kit/blocks.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { code, listed, mention, mrkdwn } from '../../kit/text.ts';
import type { Content } from './content.ts';

/** Stands for a message that a bug keeps from being drawn: an alert with fewer words is better than none. */
export function undrawnMessage(content: Content): MessageContent {
  const ids = incidentsIn(content);
  const whom = 'mention' in content ? content.mention : null;
  const about = ids.length > 0 && mrkdwn`It is about ${listed(ids.map(numberOf))}.`;
  const command = ids[0] === undefined ? '/notif status' : `/notif #${ids[0]}`;
  return message([
    whom && section(mention(whom)),
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
      return content.incidents.map(({ id }) => id);
    case 'personal':
      return [content.title.id];
    case 'resend':
      return [content.incidentId];
    default:
      return [];
  }
}
