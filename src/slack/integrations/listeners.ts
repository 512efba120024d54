import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import { type IntegrationReader, listIntegrations } from '../../use-cases/lookups/list-integrations.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Command } from '../interactions/command.ts';
import type { ActionGesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { type SharingParts, shareDoors } from '../interactions/share-route.ts';
import { type IntegrationsRequest, NEXT, PREVIOUS, readRequest, SCOPE, SHARE } from './buttons-message.ts';
import { integrationsMessage } from './message.ts';
import { readIntegrationsRequest } from './read-request.ts';

export interface IntegrationsParts extends SharingParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => IntegrationReader;
  readonly logger: Logger;
}

/** `/notif integrations [filters]` */
export function integrationsCommand(parts: IntegrationsParts): Command {
  return {
    word: 'integrations',
    usage: '[filters]',
    about: 'the providers of each channel: which are active, which is the primary one',
    examples: ['', 'channel:email'],
    for: 'everyone',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(readIntegrationsRequest(asked), null, parts));
    },
  };
}

/** The buttons under an answer. */
export function integrationsDoors(parts: IntegrationsParts): Door[] {
  const turn = async (request: IntegrationsRequest, { reply }: ActionGesture) =>
    reply.replace(await messageOf(request, null, parts));
  return doorsFor('everyone', [
    actionDoor(PREVIOUS, readRequest, turn),
    actionDoor(NEXT, readRequest, turn),
    actionDoor(SCOPE, readRequest, turn),
    ...shareDoors(SHARE, readRequest, (request, { userId }) => messageOf(request, userId, parts), parts),
  ]);
}

async function messageOf(
  request: IntegrationsRequest,
  sharedBy: string | null,
  parts: IntegrationsParts,
): Promise<MessageContent> {
  const environment = environmentNamed(request.environment, parts.environments);
  const found = await listIntegrations(request.filter, request.scope, { ...parts, environment });
  return integrationsMessage(found, request, sharedBy);
}
