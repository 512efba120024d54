import { anEnvironment } from '../src/lib/environment.testing.ts';
import { silent } from '../src/lib/logger.testing.ts';
import { createNotificationService, type NotificationService } from '../src/service/operations.ts';

/** Creates a client like the bot's, but without a log. */
export function quietService(url: string, apiKey: string): NotificationService {
  const environment = anEnvironment({ name: 'bench' });
  return createNotificationService({ environment, url, apiKey, logger: silent });
}
