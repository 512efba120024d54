import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import {
  type FailingProvidersStore,
  type IntegrationReader,
  listIntegrations,
} from '../../use-cases/lookups/list-integrations.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import { unseenMessage } from '../blocks/words/unseen-names.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { type IntegrationsRequest, NEXT, PREVIOUS, parseRequest, SCOPE, SHARE } from './buttons-message.ts';
import { integrationsMessage } from './message.ts';
import { INTEGRATION_FILTERS, parseIntegrationsRequest } from './parse-request.ts';

export interface IntegrationsParts extends SharingParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => IntegrationReader;
  readonly store: FailingProvidersStore;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** `/notif integrations` and its pages: the providers of each channel. */
export function integrationsFlow(parts: IntegrationsParts): Flow {
  return { commands: [integrationsCommand(parts)], routes: integrationsRoutes(parts) };
}

/** `/notif integrations [filters]` */
function integrationsCommand(parts: IntegrationsParts): Command {
  return {
    word: 'integrations',
    usage: '[filters]',
    about: 'the providers of each channel: which are active, which is the primary one',
    examples: ['', 'channel:email'],
    for: 'everyone',
    filters: INTEGRATION_FILTERS,
    usualFilter: 'provider',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(parseIntegrationsRequest(asked), readerOf(reply), parts));
    },
  };
}

/** The routes for the buttons under an answer. */
function integrationsRoutes(parts: IntegrationsParts): Route[] {
  return routesFor('everyone', [
    ...pageRoutes([PREVIOUS, NEXT, SCOPE], parseRequest, (request, { reply }) =>
      messageOf(request, readerOf(reply), parts),
    ),
    ...shareRoutes(SHARE, parseRequest, (request, reader) => messageOf(request, reader, parts), parts),
  ]);
}

async function messageOf(
  request: IntegrationsRequest,
  reader: Reader,
  parts: IntegrationsParts,
): Promise<MessageContent> {
  const environment = environmentNamed(request.environment, parts.environments);
  const found = await listIntegrations(request.filter, request.scope, { ...parts, environment });
  if (found.unseen.length > 0) return unseenMessage(found.unseen, environment);
  return integrationsMessage(found, request, reader);
}
