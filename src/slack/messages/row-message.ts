import { sentenceIn } from '../../domain/failures/cause.ts';
import type { Seen } from '../../domain/lookups/seen.ts';
import type { Message } from '../../domain/service/message.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { option } from '../blocks/blocks.ts';
import { writeLookup } from '../blocks/buttons/lookup-button.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import type { ListRow } from '../blocks/list.ts';
import { cut, joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { messageStatusWords, statusEmoji, whereTo } from '../blocks/words/message-words.ts';

/** In characters. The event's card shows the whole error. */
const LONGEST_REASON = 60;

/** `whom`: whether the subscriber is one of them. */
export function messageColumns(whom: boolean): string[] {
  return ['Transaction', 'Outcome', 'When', 'Workflow', ...(whom ? ['Subscriber'] : []), 'Delivery'];
}

export function messageRow(message: Seen<Message>, environment: string, audience: Audience, whom: boolean): ListRow {
  const { channel, provider, workflow, subscriberId, isSubscriberDeleted, transactionId, eventId } = message;
  const name = shownId(transactionId, audience);
  const subscriber =
    subscriberId === null ? '' : `${shownId(subscriberId, audience)}${isSubscriberDeleted ? ' (deleted)' : ''}`;
  return {
    cells: [
      name,
      `${statusEmoji(message)} ${channelVia(channel, provider)}: ${cut(reason(message), LONGEST_REASON)}`,
      time(message.createdAt, 'day'),
      workflow === null ? 'deleted workflow' : shownId(workflow, audience),
      ...(whom ? [subscriber] : []),
      joined([...whereTo(message), ...messageStatusWords(message), ...unseen(message)], ' · '),
    ],
    choice: option(
      `${statusEmoji(message)} ${name}`,
      writeLookup({ environment, target: { kind: 'event', id: eventId } }),
    ),
  };
}

function reason({ status, errorId, errorText }: Message): string {
  return (errorText === null ? '' : sentenceIn(errorText)) || (errorId ?? status);
}

/** The service knows that reliably only for in-app messages. */
function unseen({ channel, status, seen, read }: Message): Markup[] {
  return channel === 'in_app' && status === 'sent' && !seen && !read ? [mrkdwn`not seen yet`] : [];
}
