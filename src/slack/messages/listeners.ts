import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import { listMessages, type MessageReader } from '../../use-cases/lookups/list-messages.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import type { Command, Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { type MessagesRequest, NEXT, PREVIOUS, parseRequest, SHARE, SHOW } from './buttons-message.ts';
import { messagesMessage } from './message.ts';
import { MESSAGE_FILTERS, parseMessagesRequest } from './parse-request.ts';

export interface MessagesParts extends SharingParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => MessageReader;
  readonly logger: Logger;
}

/** `/notif messages` and its pages: what was sent. */
export function messagesFlow(parts: MessagesParts): Flow {
  return { commands: [messagesCommand(parts)], routes: messagesRoutes(parts) };
}

/** `/notif messages [filters]` */
function messagesCommand(parts: MessagesParts): Command {
  return {
    word: 'messages',
    usage: '[filters]',
    about: 'what was sent on each channel, and its status',
    examples: ['subscriber:user-0042 channel:email', 'tx:txn_8f2c91', 'context:tenant:acme'],
    for: 'everyone',
    filters: MESSAGE_FILTERS,
    usualFilter: 'subscriber',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(parseMessagesRequest(asked), readerOf(reply), parts));
    },
  };
}

/** The routes for the buttons under an answer. */
function messagesRoutes(parts: MessagesParts): Route[] {
  const pageOf = (request: MessagesRequest, { reply }: ActionInteraction) => messageOf(request, readerOf(reply), parts);
  return routesFor('everyone', [
    ...pageRoutes([PREVIOUS, NEXT], parseRequest, pageOf),
    ...answerRoutes([SHOW], parseRequest, pageOf),
    ...shareRoutes(SHARE, parseRequest, (request, reader) => messageOf(request, reader, parts), parts),
  ]);
}

async function messageOf(
  { environment: name, filter, offset }: MessagesRequest,
  reader: Reader,
  parts: MessagesParts,
): Promise<MessageContent> {
  const environment = environmentNamed(name, parts.environments);
  return messagesMessage(await listMessages(filter, offset, { ...parts, environment }), reader);
}
