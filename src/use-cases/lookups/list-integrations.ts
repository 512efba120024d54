import type { Environment } from '../../domain/environment.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import {
  channelsOf,
  type IntegrationEnvironment,
  type IntegrationFilter,
  type IntegrationsFound,
  inactiveChannels,
  inOrder,
  takes,
  unseenIn,
} from '../../domain/lookups/integrations-found.ts';
import { type ProviderNow, providerOf } from '../../domain/lookups/provider-now.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { type Integration, ownEnvironmentId } from '../../domain/service/integration.ts';
import type { Call, EventQuery, Page } from '../../domain/service/query.ts';
import { type AskElsewhereParts, askInTime } from './ask-elsewhere.ts';

export interface IntegrationReader extends NewestEventReader {
  listIntegrations(call: Call): Promise<Page<Integration>>;
}

export interface FailingProvidersStore {
  failingProviders(environment: string, now: Date): Promise<ProviderNow[]>;
}

export interface ListIntegrationsParts extends NameEnvironmentsParts {
  readonly environment: Environment;
  readonly serviceOf: (environment: string) => IntegrationReader;
  readonly store: FailingProvidersStore;
  readonly now: () => Date;
}

const CALL: Call = { who: 'person' };

/** `scope` `all` adds those of the organization's other environments. Throws `ServiceError`. */
export async function listIntegrations(
  filter: IntegrationFilter,
  scope: 'own' | 'all',
  parts: ListIntegrationsParts,
): Promise<IntegrationsFound> {
  const { environment, serviceOf } = parts;
  const [listed, known, failing] = await Promise.all([
    serviceOf(environment.name).listIntegrations(CALL),
    nameEnvironments(parts),
    failingProviders(parts),
  ]);
  const ids = [...new Set(listed.items.map(({ serviceEnvironmentId }) => serviceEnvironmentId))];
  const named = [...known].find(([, { name }]) => name === environment.name)?.[0] ?? null;
  const ownId = ownEnvironmentId(listed.items, named);
  const others = ownId === null ? [] : ids.filter((id) => id !== ownId);
  const own = listed.items.filter(({ serviceEnvironmentId: id }) => !others.includes(id));
  const taken = (id: string) => listed.items.filter((one) => one.serviceEnvironmentId === id && takes(filter, one));
  const homeOf = (id: string) => homeNamed(id, id === ownId ? environment : known.get(id));
  const shown = ownId === null ? ids : [ownId, ...(scope === 'all' ? others : [])];
  return {
    environment,
    filter,
    items: shown.flatMap((id) =>
      inOrder(taken(id)).map((one) => ({
        ...one,
        home: homeOf(id),
        lately: id === ownId ? providerOf(one, failing) : null,
      })),
    ),
    isOwnKnown: ownId !== null,
    elsewhere: others.map((id) => ({ home: homeOf(id), count: taken(id).length })).filter(({ count }) => count > 0),
    inactiveChannels: ownId === null ? [] : inactiveChannels(own),
    channels: channelsOf(inOrder(own)),
    unreadable: listed.unreadable.length,
    unseen: unseenIn(filter, listed),
  };
}

/** Returns none if the store is failing, since the list comes from the service and can be shown anyway. */
async function failingProviders({ environment, store, logger, now }: ListIntegrationsParts): Promise<ProviderNow[]> {
  return store.failingProviders(environment.name, now()).catch((error: unknown) => {
    if (!(error instanceof StoreTroubleError)) throw error;
    logger.warn(
      { trouble: error.trouble },
      'integrations are listed without their failures while the store is in trouble',
    );
    return [];
  });
}

function homeNamed(serviceEnvironmentId: string, environment: Environment | undefined): IntegrationEnvironment {
  return environment === undefined
    ? { is: 'unknown', serviceEnvironmentId }
    : { is: 'known', label: environment.label };
}

interface NewestEventReader {
  listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
}

interface NameEnvironmentsParts extends AskElsewhereParts {
  readonly serviceOf: (environment: string) => NewestEventReader;
}

/** Leaves out an environment that has no events, is slow or can't be asked; the last two are logged. */
async function nameEnvironments(parts: NameEnvironmentsParts): Promise<ReadonlyMap<string, Environment>> {
  const ids = await Promise.all(parts.environments.map(({ name }) => serviceIdOf(name, parts)));
  const named = parts.environments.map((environment, index) => [ids[index] ?? null, environment] as const);
  return new Map(named.flatMap(([id, environment]) => (id === null ? [] : [[id, environment]])));
}

async function serviceIdOf(environment: string, { serviceOf, logger }: NameEnvironmentsParts): Promise<string | null> {
  const page = await askInTime((call) => serviceOf(environment).listEvents({ limit: 1 }, call), environment, logger);
  return page?.items[0]?.serviceEnvironmentId ?? null;
}
