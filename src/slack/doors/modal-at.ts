import type { WebClient } from '@slack/web-api';
import { WebAPIPlatformError } from '@slack/web-api';
import type { Modal } from './gesture.ts';

/** The modal of an id. Slack answers `not_found` for one that is closed (its page on `views.update`). */
export function modalAt(viewId: string, client: WebClient): Modal {
  return {
    update: async (view) => {
      try {
        await client.views.update({ view_id: viewId, view });
        return 'shown';
      } catch (error) {
        if (error instanceof WebAPIPlatformError && error.data.error === 'not_found') return 'closed';
        throw error;
      }
    },
  };
}
