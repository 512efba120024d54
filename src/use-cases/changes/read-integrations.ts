import type { EnvironmentChange } from '../../domain/changes/change.ts';
import { type IntegrationsReading, stateOf } from '../../domain/changes/integration-readings.ts';
import type { Logger } from '../../domain/logger.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Integration } from '../../domain/service/integration.ts';
import type { Call, EventQuery, Page } from '../../domain/service/query.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

export interface IntegrationsStore {
  /** The service's own id of an environment as of its last reading; null before there is one. */
  serviceEnvironmentId(environment: string): Promise<string | null>;
  /**
   * Compares a reading with the one before, keeps it, and records what has changed; `asked` is from the request to its answer. The first
   * reading of an environment changes nothing, nor does one that is older than the last.
   */
  noteIntegrations(
    environment: string,
    reading: IntegrationsReading & { readonly serviceEnvironmentId: string },
    asked: TimeRange,
  ): Promise<readonly EnvironmentChange[]>;
}

export interface ReadIntegrationsParts {
  readonly store: IntegrationsStore;
  readonly service: {
    listIntegrations(call: Call): Promise<Page<Integration>>;
    listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
  };
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/**
 * Reads an environment's integrations in one request, and records what has changed since the reading before. Returns the changes. Where
 * nobody knows which of the list are the environment's, its newest event is asked. Throws `ServiceError`.
 */
export async function readIntegrations(
  environment: string,
  { store, service, logger, now, signal }: ReadIntegrationsParts,
): Promise<readonly EnvironmentChange[]> {
  const call: Call = { who: 'poller', signal };
  const from = now();
  const { items, unreadable } = await service.listIntegrations(call);
  const asked = { from, to: now() };
  const ids = [...new Set(items.map((item) => item.serviceEnvironmentId))];
  const known = await store.serviceEnvironmentId(environment);
  const serviceEnvironmentId =
    known !== null && ids.includes(known) ? known : await ownIdAmong(ids, () => service.listEvents({ limit: 1 }, call));
  if (serviceEnvironmentId === null) {
    logger.debug({ environment }, 'integrations not compared: no event says which are of this environment');
    return [];
  }
  const integrations = items.filter((item) => item.serviceEnvironmentId === serviceEnvironmentId).map(stateOf);
  const reading = { serviceEnvironmentId, integrations, isWhole: unreadable.length === 0 };
  const changes = await store.noteIntegrations(environment, reading, asked);
  logger.debug({ environment, integrations: integrations.length, changes: changes.length }, 'integrations read');
  for (const { id, what } of changes) logger.info({ environment, id, kind: what.kind }, 'change noticed');
  return changes;
}

/** The service's own id of an environment: the only one that is listed, or that of the newest event. */
async function ownIdAmong(
  ids: readonly string[],
  newestEvent: () => Promise<Page<TriggeredEvent>>,
): Promise<string | null> {
  const [only = null] = ids;
  if (ids.length < 2) return only;
  const { items } = await newestEvent();
  return items[0]?.serviceEnvironmentId ?? null;
}
