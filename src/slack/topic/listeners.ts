import { oneOf } from '../../domain/closed-list.ts';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { onlyValue } from '../../domain/input/filters.ts';
import { refuseMasked } from '../../domain/lookups/masked-id.ts';
import { ORDERS } from '../../domain/lookups/topic-found.ts';
import { type ListSubscriptionsParts, listSubscriptions } from '../../use-cases/lookups/list-subscriptions.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { parseTopic, SHOW_TOPIC, type TopicRequest, writeTopic } from '../blocks/buttons.ts';
import { BUTTON_VALUE } from '../blocks/limits.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import type { Asked, Command, Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { MORE, SHARE, topicMessage } from './message.ts';

export interface TopicParts extends SharingParts, Omit<ListSubscriptionsParts, 'environment'> {
  readonly environments: readonly Environment[];
}

export interface TopicFlow extends Flow {
  /** Throws `ServiceError` if it can't be read, `InputError` for a key that no path can hold. */
  readonly answer: (request: TopicRequest, reader: Reader) => Promise<MessageContent>;
}

export function topicFlow(parts: TopicParts): TopicFlow {
  const answer: TopicFlow['answer'] = async ({ environment: name, question }, reader) => {
    const environment = environmentNamed(name, parts.environments);
    return topicMessage(await listSubscriptions(question, { ...parts, environment }), reader);
  };
  const pageOf = (request: TopicRequest, { reply }: ActionInteraction) => answer(request, readerOf(reply));
  const topic: Command = {
    word: 'topic',
    usage: '<key> [filters]',
    about: 'who is subscribed to a topic',
    examples: ['news-readers', 'news-readers subscriber:user-0042', 'news-readers sort:oldest'],
    for: 'everyone',
    filters: ['subscriber', 'sort', 'env'],
    answer: async (asked, { reply }) => {
      await reply.show(await answer(parseTopicRequest(asked), readerOf(reply)));
    },
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([MORE, SHOW_TOPIC], parseTopic, pageOf),
    ...shareRoutes(SHARE, parseTopic, answer, parts),
  ]);
  return { commands: [topic], routes, answer };
}

const COMMAND = '/notif topic';
const EXAMPLE = `${COMMAND} news-readers`;
/** The longest cursor that fits in a button's value. The service's cursors are IDs. */
const CURSOR_ROOM = 200;

/** Throws `InputError` for no key or several, and for a filter that can't be applied. */
export function parseTopicRequest({ words, filters, environment }: Asked): TopicRequest {
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
