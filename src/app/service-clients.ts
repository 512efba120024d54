import type { EnvironmentSettings } from '../config/environments.ts';
import type { Logger } from '../lib/logger.ts';
import { createPause } from '../lib/time/waiting.ts';
import type { Metrics } from '../process/metrics.ts';
import { createNotificationService } from '../service/client.ts';
import { createLimiter } from '../service/limits.ts';

/** `keys` can change. The returned function throws for an unknown name: every route checks names first. */
export function createServiceClients(
  environments: readonly EnvironmentSettings[],
  keys: ReadonlyMap<string, string>,
  metrics: Metrics,
  logger: Logger,
  now: () => Date,
) {
  const clock = () => now().getTime();
  const clients = new Map(
    environments.map(({ environment, apiUrl: url }) => {
      const { name } = environment;
      const limiter = createLimiter();
      const apiKey = () => keys.get(name) ?? '';
      const observe = metrics.observeRequestsTo(name);
      const service = createNotificationService({ environment, url, apiKey, logger, limiter, observe, clock });
      // The pause is as long as its rate limit asks for.
      return [name, { service, limiter, pause: createPause(clock) }];
    }),
  );
  return (environment: string) => {
    const client = clients.get(environment);
    if (client === undefined) throw new Error(`there is no environment ${environment}`);
    return client;
  };
}
