import type { Config } from '../config.ts';
import type { Logger } from '../domain/logger.ts';
import { createRest, type Rest } from '../jobs/rest.ts';
import { createNotificationService, type NotificationService } from '../notification-service/client.ts';
import { createLimiter, type Limiter } from '../notification-service/limits.ts';
import type { Metrics } from '../process/metrics.ts';
import type { ApiKeys } from './api-keys.ts';

/** The client of an environment's service, its rate limiter, and the pause that the service asked for. */
export interface ServiceClient {
  readonly service: NotificationService;
  /** Shared by people's lookups and the poller. */
  readonly limiter: Limiter;
  /** Shared by the jobs that check events. */
  readonly rest: Rest;
}

/** Returns the client for an environment's name. Throws for an unknown one: every route checks names first. */
export type ServiceClients = (environment: string) => ServiceClient;

/** Creates a client for each configured environment. Each request uses the key in use at that time. */
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
