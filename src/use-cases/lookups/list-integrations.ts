import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';
import {
  channelsOf,
  type IntegrationFilter,
  type IntegrationsFound,
  inactiveChannels,
  inOrder,
  takes,
} from '../../domain/lookups/integrations-found.ts';
import { type ProviderNow, providerOf } from '../../domain/lookups/provider-now.ts';
import { ownEnvironmentId } from '../../domain/service/integration.ts';
import type { Call } from '../../domain/service/query.ts';
import { type IntegrationReader, namedByEvent } from '../changes/read-integrations.ts';

export interface FailingProvidersStore {
  failingProviders(environment: string, now: Date): Promise<ProviderNow[]>;
}

export interface ListIntegrationsParts {
  readonly environment: Environment;
  readonly serviceOf: (environment: string) => IntegrationReader;
  readonly store: FailingProvidersStore;
  readonly logger: Logger;
  readonly now: () => Date;
}

const CALL: Call = { who: 'person' };

/** Throws `ServiceError` if the list can't be read; an answer can do without the rest. */
export async function listIntegrations(
  filter: IntegrationFilter,
  parts: ListIntegrationsParts,
): Promise<IntegrationsFound> {
  const { environment, serviceOf, store, logger, now } = parts;
  const service = serviceOf(environment.name);
  const leaveOut = (what: string, isExpected: (error: unknown) => boolean) => (err: unknown) => {
    if (!isExpected(err)) throw err;
    logger.warn({ environment: environment.name, err }, `integrations are listed without ${what}`);
    return null;
  };
  const [listed, named, failing] = await Promise.all([
    service.listIntegrations(CALL),
    namedByEvent(service, CALL).catch(leaveOut('their environment', (error) => error instanceof ServiceError)),
    store
      .failingProviders(environment.name, now())
      .catch(leaveOut('their failures', (error) => error instanceof StoreTroubleError)),
  ]);
  const ownId = ownEnvironmentId(listed.items, named);
  const own = listed.items.filter((one) => ownId === null || one.serviceEnvironmentId === ownId);
  return {
    environment,
    filter,
    items: inOrder(own.filter((one) => takes(filter, one))).map((one) => ({
      ...one,
      lately: ownId === null ? null : providerOf(one, failing ?? []),
    })),
    isOwnKnown: ownId !== null,
    inactiveChannels: ownId === null ? [] : inactiveChannels(own),
    channels: channelsOf(inOrder(own)),
    unreadable: listed.unreadable.length,
  };
}
