import type { Seen } from '../../domain/lookups/seen.ts';
import type { Message } from '../../domain/service/message.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { option } from '../blocks/blocks.ts';
import { writeLookup } from '../blocks/buttons/lookup-button.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import type { ListRow } from '../blocks/list.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { messageStatusWords, statusEmoji, whereTo, whyNotSent } from '../blocks/words/message-words.ts';

export const MESSAGE_COLUMNS = ['Transaction', 'Status', 'Workflow', 'Subscriber', 'When', 'Outcome'];

/** Builds a message's row: its transaction, status, workflow, subscriber, error and outcome. Its event's card shows the rest. */
export function messageRow(message: Seen<Message>, environment: string, audience: Audience): ListRow {
  const { channel, provider, status, workflow, subscriberId, isSubscriberDeleted, transactionId, eventId } = message;
  const whom =
    subscriberId === null ? '' : `${shownId(subscriberId, audience)}${isSubscriberDeleted ? ' (deleted)' : ''}`;
  const outcome = [...whyNotSent(message), ...whereTo(message), ...messageStatusWords(message), ...unseen(message)];
  const name = shownId(transactionId, audience);
  return {
    cells: [
      name,
      `${statusEmoji(message)} ${channelVia(channel, provider)}: ${status}`,
      workflow === null ? 'deleted workflow' : shownId(workflow, audience),
      whom,
      time(message.createdAt, 'day'),
      outcome.length === 0 ? '' : joined(outcome, ' · '),
    ],
    choice: option(
      `${statusEmoji(message)} ${name}`,
      writeLookup({ environment, target: { kind: 'event', id: eventId } }),
    ),
  };
}

/** Says that a message wasn't seen. The service knows that reliably only for in-app messages. */
function unseen({ channel, status, seen, read }: Message): Markup[] {
  return channel === 'in_app' && status === 'sent' && !seen && !read ? [mrkdwn`not seen yet`] : [];
}
