import type { KnownBlock } from '@slack/types';
import type {
  FoundNoPlace,
  FoundNoTopic,
  FoundSubscriptions,
  TopicFound,
  TopicQuestion,
} from '../../domain/lookups/topic-found.ts';
import type { TopicSubscription } from '../../domain/service/subscription.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { topicButton, writeTopic } from '../blocks/buttons/topic-button.ts';
import { fitCount } from '../blocks/fit.ts';
import { lineSections } from '../blocks/line-sections.ts';
import { audienceOf, canShare, footFor, type Reader } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { bold, code, cut, joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { environmentNames, otherEnvironments } from '../blocks/words/other-environments.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import { pageButtons, START } from './buttons-message.ts';

const MOST_SPOKEN = 5;
/** In characters: a page of lines must fit in one message, whatever they contain. */
const LONGEST_CONTACT = 40;
const LONGEST_ID = 40;
/** Contract, "Limits": the service doesn't count further. */
const MOST_COUNTED = 50_000;

/** Builds a page of a topic's subscriptions, or says why there is none. */
export function topicMessage(found: TopicFound, reader: Reader): MessageContent {
  switch (found.found) {
    case 'subscriptions':
      return pageMessage(found, reader);
    case 'no-topic':
      return noTopicMessage(found, reader);
    case 'no-place':
      return noPlaceMessage(found, reader);
  }
}

function pageMessage(found: FoundSubscriptions, reader: Reader): MessageContent {
  const audience = audienceOf(reader);
  const noted = notes(found, audience);
  const lines = found.items.map((item) => line(item, found, audience));
  const title = headline(found, audience);
  const fallbackText = joined([title, ...noted, ...lines.slice(0, MOST_SPOKEN)], '. ');
  const { blocks } = fitCount(lines.length, (shown) => [
    section(title),
    ...(noted.length === 0 ? [] : [context(...noted)]),
    ...lineSections(lines.slice(0, shown)),
    ...leftOut(found.items.slice(shown)),
    ...footFor(reader, actions(pageButtons(found, canShare(reader)))),
  ]);
  return message(mrkdwn`${fallbackText}.`, blocks);
}

/** Only a service that returns more than it was asked for has some. */
function leftOut([first, ...others]: readonly TopicSubscription[]): KnownBlock[] {
  if (first === undefined) return [];
  const count = 1 + others.length;
  const what = plural(
    count,
    "more subscription of this page doesn't fit here",
    "more subscriptions of this page don't fit here",
  );
  return [context(mrkdwn`⚠️ ${what}. To see ${count === 1 ? 'it' : 'them'}: ${code(`around:${first.id}`, LONGEST_ID)}`)];
}

function headline(found: FoundSubscriptions, audience: Audience): Markup {
  const { environment, question, topic } = found;
  const name = topic?.name ?? question.topicKey;
  const called = name === question.topicKey ? mrkdwn`` : mrkdwn` (${named(shownId(name, audience))})`;
  return mrkdwn`${badge(environment)} · topic ${idCode(question.topicKey, audience)}${called} · ${countWords(found)}`;
}

function countWords({ totalCount, isCapped, items, unreadable }: FoundSubscriptions): Markup {
  if (isCapped) return mrkdwn`more than ${totalCount ?? MOST_COUNTED} subscriptions`;
  if (totalCount !== null && totalCount > 0) return plural(totalCount, 'subscription');
  return items.length + unreadable === 0 ? mrkdwn`no subscriptions` : mrkdwn`subscriptions`;
}

function notes(found: FoundSubscriptions, audience: Audience): Markup[] {
  const { question, topic, items, unreadable, next, previous, unreadSides } = found;
  const order = question.order === 'newest' ? 'the newest first' : 'the oldest first';
  const facts = [
    ...(question.subscriberId === null ? [] : [mrkdwn`Only subscriber ${idCode(question.subscriberId, audience)}`]),
    ...(next === null && previous === null && unreadSides.length === 0
      ? []
      : [mrkdwn`${items.length} of them, ${order}${where(found)}`]),
    ...(unreadSides.includes('next') ? [REST_UNREAD] : []),
    ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} of this page couldn't be read`]),
    ...(question.subscriberId !== null && items.length + unreadable === 0 ? [NOT_SUBSCRIBED] : []),
  ];
  const times = topic === null ? [] : [...since('Created', topic.createdAt), ...since('changed', topic.updatedAt)];
  return [facts, times].filter((parts) => parts.length > 0).map((parts) => joined(parts, ' · '));
}

const REST_UNREAD = mrkdwn`⚠️ what follows couldn't be read: the service's answer doesn't say where the next page begins`;
const NOT_SUBSCRIBED = mrkdwn`not subscribed, or unknown to the service`;

function where({ next, previous, unreadSides }: FoundSubscriptions): string {
  if (previous === null && !unreadSides.includes('previous')) return '; this is the first page';
  return next === null && !unreadSides.includes('next') ? '; this is the last page' : '';
}

function since(word: string, at: Date | null): Markup[] {
  return at === null ? [] : [mrkdwn`${word} ${time(at, 'day')}`];
}

function line(
  { id, subscriber, createdAt }: TopicSubscription,
  { question }: FoundSubscriptions,
  audience: Audience,
): Markup {
  const isAskedFor = question.place.at === 'from' && question.place.cursor === id;
  const contacts = [subscriber?.initials, subscriber?.maskedEmail].filter((one) => typeof one === 'string');
  const isShown = subscriber === null || question.subscriberId !== null || isAskedFor;
  const facts = [
    subscriber === null ? mrkdwn`a deleted subscriber` : idCode(subscriber.subscriberId, audience, LONGEST_ID),
    ...contacts.map((contact) => mrkdwn`${cut(contact, LONGEST_CONTACT)}`),
    mrkdwn`since ${time(createdAt, 'day')}`,
    ...(isShown ? [mrkdwn`subscription ${code(id, LONGEST_ID)}`] : []),
    ...(isAskedFor ? [bold('this one was asked for')] : []),
  ];
  return mrkdwn`• ${joined(facts, ' · ')}`;
}

function noTopicMessage({ environment, question, elsewhere }: FoundNoTopic, reader: Reader): MessageContent {
  const what = mrkdwn`${badge(environment)} has no topic ${idCode(question.topicKey, audienceOf(reader))}.`;
  const next =
    elsewhere.length === 0
      ? mrkdwn`Use the topic's key, not its name. Upper and lower case matter.`
      : mrkdwn`It exists in ${environmentNames(elsewhere)}.`;
  const start: TopicQuestion = { ...question, place: { at: 'start' } };
  const offered = reader.is === 'channel' ? [] : elsewhere;
  return whatNext(
    what,
    next,
    otherEnvironments(offered, (name) => topicButton({ environment: name, question: start })),
  );
}

function noPlaceMessage({ environment, question }: FoundNoPlace, reader: Reader): MessageContent {
  const { place, topicKey } = question;
  const topic = mrkdwn`topic ${idCode(topicKey, audienceOf(reader))}`;
  // A place of a button existed once; one that somebody typed may never have.
  const [what, next] =
    place.at === 'from'
      ? [
          mrkdwn`${badge(environment)} doesn't know the subscription ${idCode(place.cursor, audienceOf(reader))} in ${topic}.`,
          mrkdwn`It may have ended, or its ID may be mistyped.`,
        ]
      : [
          mrkdwn`${badge(environment)} no longer knows this place in ${topic}.`,
          mrkdwn`What was there is no longer subscribed.`,
        ];
  const start: TopicQuestion = { ...question, place: { at: 'start' } };
  const back = button('Back to start', START, writeTopic({ environment: environment.name, question: start }));
  return whatNext(what, next, actions(reader.is === 'channel' ? [] : [back]));
}
