import type { Config, EnvironmentSettings } from '../config.ts';
import type { Logger } from '../lib/logger.ts';
import { createPause, type Pause } from '../lib/time/waiting.ts';
import type { Metrics } from '../process/metrics.ts';
import { canBeSent, createNotificationService, type NotificationService } from '../service/client.ts';
import { createLimiter, type Limiter } from '../service/limits.ts';

export interface ApiKeys {
  readonly keyOf: (environment: string) => string;
  readonly replace: (environments: readonly EnvironmentSettings[]) => void;
}

export function createApiKeys(environments: readonly EnvironmentSettings[], logger: Logger): ApiKeys {
  const keys = new Map(environments.map(({ environment, apiKey }) => [environment.name, apiKey]));
  return {
    keyOf: (environment) => keys.get(environment) ?? '',
    replace(next) {
      for (const { environment, apiKey } of next) {
        const current = keys.get(environment.name);
        if (current === undefined || current === apiKey) continue;
        const variable = environment.apiKeyVariable;
        if (!canBeSent(apiKey)) {
          logger.error({ environment: environment.name, variable }, 'A new API key holds a character that no key has');
          continue;
        }
        keys.set(environment.name, apiKey);
        logger.info({ environment: environment.name, variable }, 'The API key was replaced');
      }
    },
  };
}

export interface ServiceClient {
  readonly service: NotificationService;
  readonly limiter: Limiter;
  /** As long as its rate limit asks for. */
  readonly pause: Pause;
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
      return [environment.name, { service, limiter, pause: createPause(clock) }];
    }),
  );
  return (environment) => {
    const client = byName.get(environment);
    if (client === undefined) throw new Error(`there is no environment ${environment}`);
    return client;
  };
}
