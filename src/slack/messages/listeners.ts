import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import { listMessages, type MessageReader } from '../../use-cases/lookups/list-messages.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Command } from '../interactions/command.ts';
import type { ActionGesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { type SharingParts, shareDoors } from '../interactions/share-route.ts';
import { type MessagesRequest, NEXT, PREVIOUS, readRequest, SHARE, SHOW } from './buttons-message.ts';
import { messagesMessage } from './message.ts';
import { readMessagesRequest } from './read-request.ts';

export interface MessagesParts extends SharingParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => MessageReader;
  readonly logger: Logger;
}

/** `/notif messages [filters]` */
export function messagesCommand(parts: MessagesParts): Command {
  return {
    word: 'messages',
    usage: '[filters]',
    about: 'what was sent on each channel, and its status',
    examples: ['subscriber:user-0042 channel:email', 'tx:txn_8f2c91', 'context:tenant:acme'],
    for: 'everyone',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(readMessagesRequest(asked), null, parts));
    },
  };
}

/** The buttons under an answer. */
export function messagesDoors(parts: MessagesParts): Door[] {
  const turn = async (request: MessagesRequest, { reply }: ActionGesture) =>
    reply.replace(await messageOf(request, null, parts));
  return doorsFor('everyone', [
    actionDoor(PREVIOUS, readRequest, turn),
    actionDoor(NEXT, readRequest, turn),
    actionDoor(SHOW, readRequest, async (request, { reply }) => reply.show(await messageOf(request, null, parts))),
    ...shareDoors(SHARE, readRequest, (request, { userId }) => messageOf(request, userId, parts), parts),
  ]);
}

async function messageOf(
  { environment: name, filter, offset }: MessagesRequest,
  sharedBy: string | null,
  parts: MessagesParts,
): Promise<MessageContent> {
  const environment = environmentNamed(name, parts.environments);
  return messagesMessage(await listMessages(filter, offset, { ...parts, environment }), sharedBy);
}
