import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Environment } from '../../domain/environment.ts';
import type { HomePublisher, Published } from '../../use-cases/health/refresh-homes.ts';
import { homeView } from './message.ts';

export interface HomePublisherParts {
  readonly client: WebClient;
  readonly environments: readonly Environment[];
}

/** Publishes Home tabs (views.publish). */
export function createHomePublisher({ client, environments }: HomePublisherParts): HomePublisher {
  return {
    publish: async (userId, home, upon) => {
      const view = homeView(home, environments);
      try {
        const hash = upon === null ? {} : { hash: upon };
        const published = await client.views.publish({ user_id: userId, view, ...hash });
        return { is: 'published', hash: published.view?.hash ?? null };
      } catch (error) {
        const outcome = error instanceof WebAPIPlatformError ? outcomeOf(error.data.error) : null;
        if (outcome === null) throw error;
        return outcome;
      }
    },
  };
}

/** Classifies Slack's error code for the tab ("views.publish"). Null if a retry may help. */
function outcomeOf(word: string): Published | null {
  if (word === 'hash_conflict') return { is: 'changed' };
  return word === 'not_enabled' || word === 'user_not_found' ? { is: 'gone', reason: word } : null;
}
