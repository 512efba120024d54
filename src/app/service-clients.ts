import type { Config } from '../config.ts';
import type { Logger } from '../domain/logger.ts';
import { createRest, type Rest } from '../jobs/rest.ts';
import { createNotificationService, type NotificationService } from '../notification-service/client.ts';
import { createLimiter, type Limiter } from '../notification-service/limits.ts';
import type { Metrics } from '../process/metrics.ts';
import type { ApiKeys } from './api-keys.ts';

export interface ServiceClient {
  readonly service: NotificationService;
  readonly limiter: Limiter;
  readonly rest: Rest;
}

/** Throws for an unknown name: every route checks names first. */
export type ServiceClients = (environment: string) => ServiceClient;

export function createServiceClients(
  { environments }: Config,
  keys: ApiKeys,
  metrics: Metrics,
  logger: Logger,
  now: () => Date,
): ServiceClients {
  const byName = new Map(
    environments.map(({ environment, apiUrl }) => {
      const apiKey = () => keys.keyOf(environment.name);
      const limiter = createLimiter();
      const observe = metrics.observeRequestsTo(environment.name);
      const clock = () => now().getTime();
      const asked = { url: apiUrl, apiKey, logger, limiter, observe, clock };
      const service = createNotificationService({ environment, ...asked });
      return [environment.name, { service, limiter, rest: createRest(now) }];
    }),
  );
  return (environment) => {
    const client = byName.get(environment);
    if (client === undefined) throw new Error(`there is no environment ${environment}`);
    return client;
  };
}
