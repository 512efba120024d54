import { createLimiter } from '../src/service/limits.ts';
import { createNotificationService, type NotificationService } from '../src/service/operations.ts';

/** Creates a client like the bot's, but without a log. */
export function quietService(url: string, apiKey: string): NotificationService {
  const quiet = () => {};
  return createNotificationService({
    environment: {
      name: 'bench',
      label: 'bench',
      dashboardUrl: null,
      isProtected: false,
      apiHost: 'bench',
      apiUrlVariable: 'NOTIF_API_URL',
      apiKeyVariable: 'NOTIF_API_KEY',
    },
    url,
    apiKey,
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    limiter: createLimiter(),
  });
}
