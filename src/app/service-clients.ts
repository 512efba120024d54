import type { Config } from '../config.ts';
import type { Logger } from '../domain/logger.ts';
import { createNotificationService, type NotificationService } from '../notification-service/client.ts';
import { createLimiter, type Limiter } from '../notification-service/limiter.ts';
import type { Metrics } from '../process/metrics.ts';
import type { ApiKeys } from './api-keys.ts';

/** How an environment is reached. */
export interface ServiceClient {
  readonly service: NotificationService;
  /** People and the poller share it. */
  readonly limiter: Limiter;
}

/** The way to the environment of that name. Throws where there is none: names are checked at every route. */
export type ServiceClients = (environment: string) => ServiceClient;

/** A client for each configured environment, with the key that is in use at each request. */
export function createServiceClients(
  { environments }: Config,
  keys: ApiKeys,
  metrics: Metrics,
  logger: Logger,
): ServiceClients {
  const byName = new Map(
    environments.map(({ environment, apiUrl }) => {
      const apiKey = () => keys.keyOf(environment.name);
      const limiter = createLimiter();
      const observe = metrics.observeRequestsTo(environment.name);
      const countOddField = (operation: string, field: string) =>
        metrics.countOddField(environment.name, operation, field);
      const asked = { url: apiUrl, apiKey, logger, limiter, observe, countOddField };
      const service = createNotificationService({ environment, ...asked });
      return [environment.name, { service, limiter }];
    }),
  );
  return (environment) => {
    const client = byName.get(environment);
    if (client === undefined) throw new Error(`there is no environment ${environment}`);
    return client;
  };
}
