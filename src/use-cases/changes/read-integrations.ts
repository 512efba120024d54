import type { EnvironmentChange } from '../../domain/changes/change.ts';
import { type IntegrationsReading, stateOf } from '../../domain/changes/integration-readings.ts';
import type { Logger } from '../../domain/logger.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Integration } from '../../domain/service/integration.ts';
import { ownEnvironmentId } from '../../domain/service/integration.ts';
import type { Call, EventQuery, Page } from '../../domain/service/query.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

export interface IntegrationsStore {
  /** Returns the service's own ID of an environment as of its last reading; null before there is one. */
  serviceEnvironmentId(environment: string): Promise<string | null>;
  /** An environment's first reading, and one older than the last, records no changes. `asked` spans the request to its answer. */
  noteIntegrations(
    environment: string,
    reading: IntegrationsReading & { readonly serviceEnvironmentId: string },
    asked: TimeRange,
  ): Promise<readonly EnvironmentChange[]>;
}

export interface IntegrationReader {
  listIntegrations(call: Call): Promise<Page<Integration>>;
  listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
}

export interface ReadIntegrationsParts {
  readonly store: IntegrationsStore;
  readonly service: IntegrationReader;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** If it isn't known which ones are the environment's, the newest event names it. Throws `ServiceError`. */
export async function readIntegrations(
  environment: string,
  { store, service, logger, now, signal }: ReadIntegrationsParts,
): Promise<readonly EnvironmentChange[]> {
  const call: Call = { who: 'poller', signal };
  const from = now();
  const { items, unreadable } = await service.listIntegrations(call);
  const asked = { from, to: now() };
  const known = await store.serviceEnvironmentId(environment);
  const isListed = items.some((item) => item.serviceEnvironmentId === known);
  const serviceEnvironmentId = isListed ? known : ownEnvironmentId(items, await namedByEvent(service, call));
  if (serviceEnvironmentId === null || items.length === 0) {
    logger.debug(
      { environment },
      'integrations not compared: none is listed, or no event says which are of this environment',
    );
    return [];
  }
  const integrations = items.filter((item) => item.serviceEnvironmentId === serviceEnvironmentId).map(stateOf);
  const reading = { serviceEnvironmentId, integrations, isWhole: unreadable.length === 0 };
  const changes = await store.noteIntegrations(environment, reading, asked);
  logger.debug({ environment, integrations: integrations.length, changes: changes.length }, 'integrations read');
  for (const { id, what } of changes) logger.info({ environment, id, kind: what.kind }, 'change noticed');
  return changes;
}

/** Returns the service's ID of an environment, as its newest event names it; null if it has none. Throws `ServiceError`. */
export async function namedByEvent(service: Pick<IntegrationReader, 'listEvents'>, call: Call): Promise<string | null> {
  const { items } = await service.listEvents({ limit: 1 }, call);
  return items[0]?.serviceEnvironmentId ?? null;
}
