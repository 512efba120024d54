import { type Integration, ownEnvironmentId } from '../../domain/service/integration.ts';
import type { Call, Page } from '../../domain/service/query.ts';
import type { NewestEventReader } from '../lookups/name-environments.ts';

export interface SuggestIntegrationsReader extends NewestEventReader {
  listIntegrations(call: Call): Promise<Page<Integration>>;
}

/**
 * Returns the integrations of the environment that `service` is for: the service lists those of the whole organization (contract, operation
 * 3) but refuses another environment's. None if nothing says which are its own. Throws `ServiceError`.
 */
export async function suggestIntegrations(
  service: SuggestIntegrationsReader,
  call: Call,
): Promise<readonly Integration[]> {
  const [{ items }, newest] = await Promise.all([
    service.listIntegrations(call),
    service.listEvents({ limit: 1 }, call),
  ]);
  const own = ownEnvironmentId(items, newest.items[0]?.serviceEnvironmentId ?? null);
  return items.filter(({ serviceEnvironmentId }) => serviceEnvironmentId === own);
}
