import { createApp } from '../app.ts';
import { parseConfig } from '../config.ts';
import { createLogger } from '../process/logger.ts';
import { runUntilStopped } from '../process/run-until-stopped.ts';
import type { Prepared } from './prepare.ts';

/** Docker kills what hasn't ended after ten seconds. */
const STOP_TIMEOUT_MS = 9_000;

/** `env` is read again when the configuration is. `handOverSignals` is called once signals can stop what runs. */
export async function run(
  env: NodeJS.ProcessEnv,
  { config, opening }: Prepared,
  handOverSignals: () => void,
): Promise<void> {
  const logger = createLogger({ level: config.logLevel });
  for (const { variable, warning } of config.warnings)
    logger.warn({ variable, warning }, 'A variable may not be meant so');
  const storeParts = { opening };
  runUntilStopped(
    (fail) => createApp(config, { logger, onFatal: fail, storeParts, rereadConfig: async () => parseConfig(env) }),
    {
      host: process,
      logger,
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
  );
  handOverSignals();
}
