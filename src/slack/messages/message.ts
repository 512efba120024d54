import type {
  FoundMessages,
  FoundNoSubscriber,
  MessageFilter,
  MessagesFound,
} from '../../domain/lookups/messages-found.ts';
import { seenMessage } from '../../domain/lookups/seen.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { badge } from '../blocks/badge.ts';
import { button, type MessageContent } from '../blocks/blocks.ts';
import { loadMoreButton } from '../blocks/buttons/load-more-button.ts';
import { LOOK_UP } from '../blocks/buttons/lookup-button.ts';
import { channelName } from '../blocks/incident/channel-name.ts';
import { countWords, listMessage } from '../blocks/list.ts';
import { audienceOf, canShare, type Reader, sharedLine } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { onlyWords } from '../blocks/words/only-words.ts';
import { environmentNames, otherEnvironments } from '../blocks/words/other-environments.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import { MORE, SHARE, SHOW, writeRequest } from './buttons-message.ts';
import { messageColumns, messageRow } from './row-message.ts';

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

function noSubscriberMessage({ environment, filter, elsewhere }: FoundNoSubscriber, reader: Reader): MessageContent {
  const what = mrkdwn`${badge(environment)} knows no subscriber ${idCode(filter.subscriberId ?? '', audienceOf(reader))}.`;
  const next =
    elsewhere.length === 0
      ? mrkdwn`Use the ID that triggers use. Upper and lower case matter.`
      : mrkdwn`There are messages for it in ${environmentNames(elsewhere)}.`;
  // A button's value is part of the message, and this one contains the subscriber's ID.
  const offered = reader.is === 'channel' ? [] : elsewhere;
  const viewIn = (name: string) =>
    button('View messages', SHOW, writeRequest({ environment: name, filter, offset: 0 }));
  return whatNext(what, next, otherEnvironments(offered, viewIn));
}
