import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { type ListIntegrationsParts, listIntegrations } from '../../use-cases/lookups/list-integrations.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { integrationsMessage, SHARE } from './message.ts';
import { type IntegrationsRequest, parseIntegrationsRequest, parseRequest } from './request.ts';

export interface IntegrationsParts extends SharingParts, Omit<ListIntegrationsParts, 'environment'> {
  readonly environments: readonly Environment[];
}

export function integrationsFlow(parts: IntegrationsParts): Flow {
  const messageOf = async (request: IntegrationsRequest, reader: Reader) => {
    const environment = environmentNamed(request.environment, parts.environments);
    return integrationsMessage(await listIntegrations(request.filter, { ...parts, environment }), reader);
  };
  const integrations: Command = {
    word: 'integrations',
    usage: '[filters]',
    about: 'the providers of each channel: which are active, which is the primary one',
    examples: ['', 'channel:email'],
    for: 'everyone',
    filters: ['channel', 'provider', 'env'],
    follows: 'filters',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(parseIntegrationsRequest(asked), readerOf(reply)));
    },
  };
  const routes = routesFor('everyone', shareRoutes(SHARE, parseRequest, messageOf, parts));
  return { commands: [integrations], routes };
}
