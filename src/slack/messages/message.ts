import { sentenceIn } from '../../domain/failures/cause.ts';
import type {
  FoundMessages,
  FoundNoSubscriber,
  MessageFilter,
  MessagesFound,
} from '../../domain/lookups/messages-found.ts';
import { type Seen, seenMessage } from '../../domain/lookups/seen.ts';
import type { Message } from '../../domain/service/message.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { badge } from '../blocks/badge.ts';
import { button, type MessageContent, option } from '../blocks/blocks.ts';
import { LOOK_UP, loadMoreButton, writeLookup } from '../blocks/buttons.ts';
import { channelName, channelVia } from '../blocks/incident/channel-name.ts';
import { countWords, type ListRow, listMessage } from '../blocks/list.ts';
import { audienceOf, canShare, type Reader, sharedLine } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, cut, joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { messageStatusWords, statusEmoji, whereTo } from '../blocks/words/message-words.ts';
import { onlyWords } from '../blocks/words/only-words.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import { writeRequest } from './request.ts';

export const MORE = 'messages.more';
export const SHARE = 'messages.share';

export function messagesMessage(found: MessagesFound, reader: Reader): MessageContent {
  return found.found === 'messages' ? listOf(found, reader) : noSubscriberMessage(found, reader);
}

function listOf(found: FoundMessages, reader: Reader): MessageContent {
  const { environment, filter, offset, items, unreadable, next } = found;
  const audience = audienceOf(reader);
  const only = filterWords(filter, audience);
  // A subscriber that the list is about would only be repeated in each row.
  const whom = filter.subscriberId === null || items.some((item) => item.isSubscriberDeleted);
  const ask = (from: number) => writeRequest({ environment: environment.name, filter, offset: from });
  return listMessage({
    caption: (shown) => mrkdwn`${badge(environment)} · ${countOf(found, shown)}`,
    columns: messageColumns(whom),
    rows: items.map((item) => messageRow(seenMessage(item, audience), environment.name, audience, whom)),
    notes: [...(only === null ? [] : [only]), ...(unreadable > 0 ? [mrkdwn`${unreadable} unreadable`] : [])],
    lookUp: LOOK_UP,
    buttons: (shown) => {
      if (reader.is === 'channel') return [];
      const after = shown < items.length ? offset + shown : next;
      return [
        ...loadMoreButton(MORE, after === null ? null : ask(after)),
        ...(shown > 0 && canShare(reader) ? [button('Share', SHARE, ask(offset))] : []),
      ];
    },
    foot: sharedLine(reader),
  });
}

function countOf({ items, offset, totalCount, next, unreadable }: FoundMessages, shown: number): Markup {
  if (items.length + unreadable === 0) return offset === 0 ? mrkdwn`no messages` : mrkdwn`no more messages`;
  const isAll = next === null && shown === items.length;
  const total = totalCount ?? (isAll ? offset + shown : 'more');
  return countWords('message', { before: offset, shown, total });
}

function filterWords(
  { channel, subscriberId, transactionIds, contextKeys }: MessageFilter,
  audience: Audience,
): Markup | null {
  const parts = [
    ...onlyWords('channel', channel === null ? [] : [channelName(channel)]),
    ...onlyWords('subscriber', subscriberId === null ? [] : [subscriberId], audience),
    ...onlyWords('transaction', transactionIds, audience),
    ...(contextKeys.length === 0
      ? []
      : [
          mrkdwn`exactly the contexts ${joined(
            contextKeys.map((key) => idCode(key, audience)),
            ', ',
          )}`,
        ]),
  ];
  return parts.length === 0 ? null : mrkdwn`Only ${joined(parts, ', ')}`;
}

function noSubscriberMessage({ environment, filter }: FoundNoSubscriber, reader: Reader): MessageContent {
  const what = mrkdwn`${badge(environment)} knows no subscriber ${idCode(filter.subscriberId ?? '', audienceOf(reader))}.`;
  return whatNext(
    what,
    mrkdwn`Use the ID that triggers use. Upper and lower case matter, and so does ${code('env:')}.`,
  );
}

/** In characters. The event's card shows the whole error. */
const LONGEST_REASON = 60;

/** `whom`: whether the subscriber is one of them. */
function messageColumns(whom: boolean): string[] {
  return ['Transaction', 'Outcome', 'When', 'Workflow', ...(whom ? ['Subscriber'] : []), 'Delivery'];
}

function messageRow(message: Seen<Message>, environment: string, audience: Audience, whom: boolean): ListRow {
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
