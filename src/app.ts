import type { Config } from './config.ts';
import type { Logger } from './domain/logger.ts';
import { startHealth } from './health.ts';
import { createMetrics } from './metrics.ts';
import type { Runnable } from './run-until-stopped.ts';
import { createSlackConnection } from './slack/connection.ts';

export interface AppParts {
  readonly logger: Logger;
  /** The process can not go on. */
  readonly onFatal: (error: unknown) => void;
}

/** The wiring: builds every part and binds the port. Nothing here decides about the product. */
export async function createApp(config: Config, { logger, onFatal }: AppParts): Promise<Runnable> {
  const metrics = createMetrics();
  const slack = createSlackConnection({
    ...config.slack,
    logger,
    onFatal,
    onAcknowledged: metrics.observeAcknowledgement,
  });
  const health = await startHealth({
    port: config.port,
    isReady: () => ({ slack: slack.isConnected(), store: true }),
    registry: metrics.registry,
    logger,
  });
  logger.info({ port: health.port }, 'Listening for health checks');
  return {
    start: () => slack.start(),
    stop: async () => {
      await slack.stop();
      await health.close();
    },
  };
}
