import { environmentNamed } from '../../domain/environment.ts';
import { type ListIntegrationsParts, listIntegrations } from '../../use-cases/lookups/list-integrations.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import { unseenMessage } from '../blocks/words/unseen-names.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { pageRoutes, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { type IntegrationsRequest, parseRequest, SCOPE, SHARE } from './buttons-message.ts';
import { integrationsMessage } from './message.ts';
import { INTEGRATION_FILTERS, parseIntegrationsRequest } from './parse-request.ts';

export type IntegrationsParts = SharingParts & Omit<ListIntegrationsParts, 'environment'>;

export function integrationsFlow(parts: IntegrationsParts): Flow {
  const messageOf = async (request: IntegrationsRequest, reader: Reader) => {
    const environment = environmentNamed(request.environment, parts.environments);
    const found = await listIntegrations(request.filter, request.scope, { ...parts, environment });
    if (found.unseen.length > 0) return unseenMessage(found.unseen, environment);
    return integrationsMessage(found, request, reader);
  };
  const integrations: Command = {
    word: 'integrations',
    usage: '[filters]',
    about: 'the providers of each channel: which are active, which is the primary one',
    examples: ['', 'channel:email'],
    for: 'everyone',
    filters: INTEGRATION_FILTERS,
    follows: 'filters',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(parseIntegrationsRequest(asked), readerOf(reply)));
    },
  };
  const routes = routesFor('everyone', [
    ...pageRoutes([SCOPE], parseRequest, (request, { reply }) => messageOf(request, readerOf(reply))),
    ...shareRoutes(SHARE, parseRequest, messageOf, parts),
  ]);
  return { commands: [integrations], routes };
}
