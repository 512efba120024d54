import { oneOf } from '../../../lib/closed-list.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { onlyValue } from '../../../lib/input/filters.ts';
import {
  type FoundNoTopic,
  type FoundSubscriptions,
  listSubscriptions,
  ORDERS,
  type TopicFound,
} from '../../../lookups/lists.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import type { TopicSubscription } from '../../../service/subscription.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, type MessageContent, whatNext } from '../../kit/blocks.ts';
import { loadMoreButton, parseTopic, SHOW_TOPIC, type TopicRequest, writeTopic } from '../../kit/buttons.ts';
import type { Cell } from '../../kit/data-table.ts';
import { personal } from '../../kit/for-everyone.ts';
import { BUTTON_VALUE } from '../../kit/limits.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { badge, code, joined, type Markup, mrkdwn, named } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';

export interface TopicFlow extends Flow {
  /** Throws `ServiceError` if it can't be read, `InputError` for a key that no path can hold. */
  readonly answer: (request: TopicRequest) => Promise<MessageContent>;
}

export function topicFlow(ctx: SlackCtx): TopicFlow {
  const answer: TopicFlow['answer'] = async ({ environment: name, question }) => {
    const environment = environmentNamed(name, ctx.environments);
    return topicMessage(await listSubscriptions(question, environment, ctx.serviceOf(name)));
  };
  const topic: Command = {
    word: 'topic',
    usage: '<key> [filters]',
    about: 'who is subscribed to a topic',
    examples: ['news-readers', 'news-readers subscriber:user-0042', 'news-readers sort:oldest'],
    for: 'everyone',
    filters: ['subscriber', 'sort', 'env'],
    answer: async (line, { reply }) => {
      await reply.show(await answer(parseTopicRequest(line)));
    },
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([MORE, SHOW_TOPIC], parseTopic, answer),
    ...shareRoutes(ctx, SHARE, parseTopic, answer),
  ]);
  return { commands: [topic], routes, answer };
}

const COMMAND = '/notif topic';
const EXAMPLE = `${COMMAND} news-readers`;
/** The longest cursor that fits in a button's value. The service's cursors are IDs. */
const CURSOR_ROOM = 200;

/** Throws `InputError` for no key or several, and for a filter that can't be applied. */
export function parseTopicRequest({ words, filters, environment }: CommandLine): TopicRequest {
  const [topicKey, ...others] = words;
  if (topicKey === undefined) throw new InputError('topic', 'Which topic? Give its key.', EXAMPLE);
  if (others.length > 0) {
    throw new InputError('topic', 'A topic’s key is one word.', `${COMMAND} "${words.join(' ')}"`);
  }
  const subscriber = onlyValue('subscriber', filters);
  refuseMasked(subscriber ?? '');
  const request: TopicRequest = {
    environment: environment.name,
    question: {
      topicKey,
      subscriberId: subscriber ?? null,
      order: oneOf({ key: 'sort', noun: 'order' }, onlyValue('sort', filters) ?? 'newest', ORDERS),
      after: null,
    },
  };
  if (writeTopic(request).length > BUTTON_VALUE - CURSOR_ROOM) {
    throw new InputError('topic', "These IDs are too long for Slack's buttons.", EXAMPLE);
  }
  return request;
}

export const MORE = 'topic.more';
const SHARE = 'share.topic';

export function topicMessage(found: TopicFound): MessageContent {
  return found.found === 'subscriptions' ? subscriptionsMessage(found) : noTopicMessage(found);
}

function subscriptionsMessage(found: FoundSubscriptions): MessageContent {
  const { environment, question, items } = found;
  return listMessage({
    caption: (shown) => captionOf(found, shown),
    columns: ['Subscriber', 'Contact', 'Subscribed', 'Subscription'],
    rows: items.map((item) => ({ cells: cellsOf(item) })),
    notes: notes(found),
    buttons: (shown) => {
      const share = button('Share', SHARE, writeTopic({ environment: environment.name, question }));
      return [...loadMoreButton(MORE, restOf(found, shown)), ...(shown > 0 ? [share] : [])].map(personal);
    },
  });
}

/** Null if nothing follows. The service's cursors are IDs. */
function restOf({ environment, question, items, next }: FoundSubscriptions, shown: number): string | null {
  const cursor = shown < items.length ? (items[shown - 1]?.id ?? null) : next;
  if (cursor === null) return null;
  const before = (question.after?.before ?? 0) + shown;
  return writeTopic({ environment: environment.name, question: { ...question, after: { cursor, before } } });
}

function captionOf(found: FoundSubscriptions, shown: number): Markup {
  const { environment, question, topic } = found;
  const name = topic?.name ?? question.topicKey;
  const called = name === question.topicKey ? mrkdwn`` : mrkdwn` (${named(name)})`;
  return mrkdwn`${badge(environment)} · topic ${code(question.topicKey)}${called} · ${countOf(found, shown)}`;
}

function countOf(found: FoundSubscriptions, shown: number): Markup {
  const { totalCount, isCapped, items, unreadable, question, next, isRestUnread } = found;
  const before = question.after?.before ?? 0;
  if (items.length + unreadable === 0 && before === 0) return mrkdwn`no subscriptions`;
  const isAll = next === null && !isRestUnread && shown === items.length;
  const count = countWords('subscription', { before, shown, total: totalCount ?? (isAll ? before + shown : 'more') });
  return isCapped ? mrkdwn`${count} or more` : count;
}

function notes(found: FoundSubscriptions): Markup[] {
  const { question, topic, items, unreadable, isRestUnread } = found;
  const { subscriberId } = question;
  const times = topic === null ? [] : [...since('Created', topic.createdAt), ...since('changed', topic.updatedAt)];
  return [
    ...(subscriberId === null ? [] : [mrkdwn`Only subscriber ${code(subscriberId)}`]),
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

function cellsOf({ id, subscriber, createdAt }: TopicSubscription): Cell[] {
  const contacts = [subscriber?.initials, subscriber?.maskedEmail].filter((contact) => typeof contact === 'string');
  return [
    subscriber === null ? 'deleted subscriber' : subscriber.subscriberId,
    contacts.join(' · '),
    time(createdAt, 'day'),
    id,
  ];
}

function noTopicMessage({ environment, question }: FoundNoTopic): MessageContent {
  const what = mrkdwn`${badge(environment)} has no topic ${code(question.topicKey)}.`;
  return whatNext(
    what,
    mrkdwn`Use the topic's key, not its name. Upper and lower case matter, and so does ${code('env:')}.`,
  );
}
