import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { type ListMessagesParts, listMessages } from '../../use-cases/lookups/list-messages.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import type { Command, Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { MORE, messagesMessage, SHARE } from './message.ts';
import { type MessagesRequest, parseMessagesRequest, parseRequest } from './request.ts';

export interface MessagesParts extends SharingParts, Omit<ListMessagesParts, 'environment'> {
  readonly environments: readonly Environment[];
}

export function messagesFlow(parts: MessagesParts): Flow {
  const messageOf = async ({ environment: name, filter, offset }: MessagesRequest, reader: Reader) => {
    const environment = environmentNamed(name, parts.environments);
    return messagesMessage(await listMessages(filter, offset, { ...parts, environment }), reader);
  };
  const pageOf = (request: MessagesRequest, { reply }: ActionInteraction) => messageOf(request, readerOf(reply));
  const messages: Command = {
    word: 'messages',
    usage: '[filters]',
    about: 'what was sent on each channel, and its status',
    examples: ['subscriber:user-0042 channel:email', 'tx:txn_8f2c91', 'context:tenant:acme'],
    for: 'everyone',
    filters: ['channel', 'subscriber', 'tx', 'context', 'env'],
    follows: 'filters',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(parseMessagesRequest(asked), readerOf(reply)));
    },
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([MORE], parseRequest, pageOf),
    ...shareRoutes(SHARE, parseRequest, messageOf, parts),
  ]);
  return { commands: [messages], routes };
}
