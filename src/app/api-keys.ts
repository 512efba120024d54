import type { EnvironmentSettings } from '../config.ts';
import type { Logger } from '../domain/logger.ts';
import { canBeSent } from '../notification-service/client.ts';

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
