import type { FoundNoTopic, FoundSubscriptions, TopicFound } from '../../domain/lookups/topic-found.ts';
import type { TopicSubscription } from '../../domain/service/subscription.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { badge } from '../blocks/badge.ts';
import { button, type MessageContent } from '../blocks/blocks.ts';
import { loadMoreButton, writeTopic } from '../blocks/buttons.ts';
import type { Cell } from '../blocks/data-table.ts';
import { countWords, listMessage } from '../blocks/list.ts';
import { audienceOf, canShare, type Reader, sharedLine } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, joined, type Markup, mrkdwn, named } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { whatNext } from '../blocks/words/what-next.ts';

export const MORE = 'topic.more';
export const SHARE = 'topic.share';

export function topicMessage(found: TopicFound, reader: Reader): MessageContent {
  return found.found === 'subscriptions' ? subscriptionsMessage(found, reader) : noTopicMessage(found, reader);
}

function subscriptionsMessage(found: FoundSubscriptions, reader: Reader): MessageContent {
  const { environment, question, items } = found;
  const audience = audienceOf(reader);
  return listMessage({
    caption: (shown) => captionOf(found, shown, audience),
    columns: ['Subscriber', 'Contact', 'Subscribed', 'Subscription'],
    rows: items.map((item) => ({ cells: cellsOf(item, audience) })),
    notes: notes(found, audience),
    buttons: (shown) => {
      if (reader.is === 'channel') return [];
      const share = writeTopic({ environment: environment.name, question });
      return [
        ...loadMoreButton(MORE, restOf(found, shown)),
        ...(shown > 0 && canShare(reader) ? [button('Share', SHARE, share)] : []),
      ];
    },
    foot: sharedLine(reader),
  });
}

/** Null if nothing follows. The service's cursors are IDs. */
function restOf({ environment, question, items, next }: FoundSubscriptions, shown: number): string | null {
  const cursor = shown < items.length ? (items[shown - 1]?.id ?? null) : next;
  if (cursor === null) return null;
  const before = (question.after?.before ?? 0) + shown;
  return writeTopic({ environment: environment.name, question: { ...question, after: { cursor, before } } });
}

function captionOf(found: FoundSubscriptions, shown: number, audience: Audience): Markup {
  const { environment, question, topic } = found;
  const name = topic?.name ?? question.topicKey;
  const called = name === question.topicKey ? mrkdwn`` : mrkdwn` (${named(shownId(name, audience))})`;
  return mrkdwn`${badge(environment)} · topic ${idCode(question.topicKey, audience)}${called} · ${countOf(found, shown)}`;
}

function countOf(found: FoundSubscriptions, shown: number): Markup {
  const { totalCount, isCapped, items, unreadable, question, next, isRestUnread } = found;
  const before = question.after?.before ?? 0;
  if (items.length + unreadable === 0 && before === 0) return mrkdwn`no subscriptions`;
  const isAll = next === null && !isRestUnread && shown === items.length;
  const count = countWords('subscription', { before, shown, total: totalCount ?? (isAll ? before + shown : 'more') });
  return isCapped ? mrkdwn`${count} or more` : count;
}

function notes(found: FoundSubscriptions, audience: Audience): Markup[] {
  const { question, topic, items, unreadable, isRestUnread } = found;
  const { subscriberId } = question;
  const times = topic === null ? [] : [...since('Created', topic.createdAt), ...since('changed', topic.updatedAt)];
  return [
    ...(subscriberId === null ? [] : [mrkdwn`Only subscriber ${idCode(subscriberId, audience)}`]),
    ...(subscriberId !== null && items.length + unreadable === 0 ? [NOT_SUBSCRIBED] : []),
    ...(times.length === 0 ? [] : [joined(times, ' · ')]),
    ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} unreadable`]),
    ...(isRestUnread ? [REST_UNREAD] : []),
  ];
}

const REST_UNREAD = mrkdwn`⚠️ what follows couldn't be read: the service's answer doesn't say where the next page begins`;
const NOT_SUBSCRIBED = mrkdwn`Not subscribed, or unknown to the service`;

function since(word: string, at: Date | null): Markup[] {
  return at === null ? [] : [mrkdwn`${word} ${time(at, 'day')}`];
}

function cellsOf({ id, subscriber, createdAt }: TopicSubscription, audience: Audience): Cell[] {
  const contacts = [subscriber?.initials, subscriber?.maskedEmail].filter((one) => typeof one === 'string');
  return [
    subscriber === null ? 'deleted subscriber' : shownId(subscriber.subscriberId, audience),
    contacts.join(' · '),
    time(createdAt, 'day'),
    id,
  ];
}

function noTopicMessage({ environment, question }: FoundNoTopic, reader: Reader): MessageContent {
  const what = mrkdwn`${badge(environment)} has no topic ${idCode(question.topicKey, audienceOf(reader))}.`;
  return whatNext(
    what,
    mrkdwn`Use the topic's key, not its name. Upper and lower case matter, and so does ${code('env:')}.`,
  );
}
