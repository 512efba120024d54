import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import { listSubscriptions, type SubscriptionReader } from '../../use-cases/lookups/list-subscriptions.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { parseTopic, SHOW_TOPIC, type TopicRequest } from '../blocks/buttons/topic-button.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import type { Command, Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { AROUND, NEXT, ORDER, PREVIOUS, SHARE, START } from './buttons-message.ts';
import { topicMessage } from './message.ts';
import { parseTopicRequest, TOPIC_FILTERS } from './parse-request.ts';

export interface TopicParts extends SharingParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => SubscriptionReader;
  readonly logger: Logger;
}

/** The subscriptions of topics, and answers for other flows. */
export interface TopicFlow extends Flow {
  /** Returns a page of a topic for its reader. Throws `ServiceError` if it can't be read, `InputError` for a key that no path can hold. */
  readonly answer: (request: TopicRequest, reader: Reader) => Promise<MessageContent>;
}

/** `/notif topic` and its pages: who is subscribed to a topic. */
export function topicFlow(parts: TopicParts): TopicFlow {
  return {
    commands: [topicCommand(parts)],
    routes: topicRoutes(parts),
    answer: (request, reader) => topicAnswer(request, reader, parts),
  };
}

/** `/notif topic <key> [filters]` */
function topicCommand(parts: TopicParts): Command {
  return {
    word: 'topic',
    usage: '<key> [filters]',
    about: 'who is subscribed to a topic',
    examples: ['news-readers', 'news-readers subscriber:user-0042', 'news-readers sort:oldest'],
    for: 'everyone',
    filters: TOPIC_FILTERS,
    answer: async (asked, { reply }) => {
      await reply.show(await topicAnswer(parseTopicRequest(asked), readerOf(reply), parts));
    },
  };
}

/** The routes for the buttons under an answer. A page replaces the current one; what surrounds a subscription is a separate answer. */
function topicRoutes(parts: TopicParts): Route[] {
  const pageOf = (request: TopicRequest, { reply }: ActionInteraction) => topicAnswer(request, readerOf(reply), parts);
  return routesFor('everyone', [
    ...pageRoutes([PREVIOUS, NEXT, ORDER, START], parseTopic, pageOf),
    ...answerRoutes([AROUND, SHOW_TOPIC], parseTopic, pageOf),
    ...shareRoutes(SHARE, parseTopic, (request, reader) => topicAnswer(request, reader, parts), parts),
  ]);
}

async function topicAnswer(
  { environment: name, question }: TopicRequest,
  reader: Reader,
  parts: TopicParts,
): Promise<MessageContent> {
  const environment = environmentNamed(name, parts.environments);
  return topicMessage(await listSubscriptions(question, { ...parts, environment }), reader);
}
