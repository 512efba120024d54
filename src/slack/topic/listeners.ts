import { environmentNamed } from '../../domain/environment.ts';
import { type ListSubscriptionsParts, listSubscriptions } from '../../use-cases/lookups/list-subscriptions.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { parseTopic, SHOW_TOPIC, type TopicRequest } from '../blocks/buttons/topic-button.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import type { Command, Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { MORE, SHARE, topicMessage } from './message.ts';
import { parseTopicRequest, TOPIC_FILTERS } from './parse-request.ts';

export type TopicParts = SharingParts & Omit<ListSubscriptionsParts, 'environment'>;

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
    filters: TOPIC_FILTERS,
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
