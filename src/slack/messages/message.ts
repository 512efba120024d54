import type { KnownBlock } from '@slack/types';
import type {
  FoundMessages,
  FoundNoSubscriber,
  MessageFilter,
  MessagesFound,
} from '../../domain/lookups/messages-found.ts';
import { seenMessage } from '../../domain/lookups/seen.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitCount } from '../blocks/fit.ts';
import { channelName } from '../blocks/incident/channel-name.ts';
import { audienceOf, canShare, footFor, type Reader } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { onlyWords } from '../blocks/words/only-words.ts';
import { environmentNames, otherEnvironments } from '../blocks/words/other-environments.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import { pageButtons, SHOW, writeRequest } from './buttons-message.ts';
import { messageRow, messageSentence } from './row-message.ts';

const MOST_SPOKEN = 3;

/** Builds a page of messages, or says that there is no such subscriber. */
export function messagesMessage(found: MessagesFound, reader: Reader): MessageContent {
  return found.found === 'messages' ? pageMessage(found, reader) : noSubscriberMessage(found, reader);
}

function pageMessage(found: FoundMessages, reader: Reader): MessageContent {
  const { environment } = found;
  const audience = audienceOf(reader);
  const items = found.items.map((item) => seenMessage(item, audience));
  const options = { environment: environment.name, audience };
  const { blocks, shown } = fitCount(items.length, (count) => [
    section(headline(found)),
    ...notes(found, count, audience),
    ...items.slice(0, count).map((item) => messageRow(item, options)),
    ...footFor(reader, actions(pageButtons(found, { shown: count, canShare: canShare(reader) }))),
  ]);
  const sentences = items
    .slice(0, Math.min(shown, MOST_SPOKEN))
    .map((item) => mrkdwn` ${messageSentence(item, audience)}.`);
  return message(mrkdwn`${joined([headline(found), ...whichOf(found, shown)], ', ')}.${joined(sentences, '')}`, blocks);
}

function headline({ environment, items, offset, totalCount, unreadable }: FoundMessages): Markup {
  if (totalCount !== null && totalCount > 0) return mrkdwn`${badge(environment)} · ${plural(totalCount, 'message')}`;
  if (items.length + unreadable > 0) return mrkdwn`${badge(environment)} · messages`;
  return mrkdwn`${badge(environment)} · ${offset === 0 ? 'no messages' : 'no more messages'}`;
}

function notes(found: FoundMessages, shown: number, audience: Audience): KnownBlock[] {
  const only = filterWords(found.filter, audience);
  const lines = [
    ...(only === null ? [] : [only]),
    ...whichOf(found, shown),
    ...(found.unreadable > 0 ? [mrkdwn`${found.unreadable} of this page couldn't be read`] : []),
  ];
  return lines.length === 0 ? [] : [context(joined(lines, ' · '))];
}

/** 'Messages 11–20 of 340' */
function whichOf({ offset, items, totalCount, next }: FoundMessages, shown: number): Markup[] {
  const isAll = offset === 0 && shown === items.length && next === null;
  if (isAll || shown === 0) return [];
  const total = totalCount === null ? mrkdwn`` : mrkdwn` of ${totalCount}`;
  return [mrkdwn`Messages ${offset + 1}–${offset + shown}${total}`];
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
