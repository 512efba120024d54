import { createApp } from '../app.ts';
import { describeProblems } from '../config/describe-problems.ts';
import { type Config, ConfigError, loadConfig, parseConfig } from '../config.ts';
import { createLogger } from '../process/logger.ts';
import { runUntilStopped } from '../process/run-until-stopped.ts';
import { createTracer } from '../process/tracer.ts';
import { readVersion } from '../process/version.ts';
import type { DatabaseThread } from './early-thread.ts';

/** Docker and Kubernetes kill what has not ended after ten and thirty seconds. */
const STOP_TIMEOUT_MS = 20_000;

/** Runs Notif with these variables until it is stopped; with the embedded database in `thread`, where that was started already. */
export async function run(env: NodeJS.ProcessEnv, thread: DatabaseThread | undefined): Promise<void> {
  const config = await configOrExit(env);
  const tracer = await createTracer(config.tracesEndpoint, readVersion());
  const logger = createLogger({ level: config.logLevel, fields: tracer.fields });
  for (const { variable, warning } of config.warnings)
    logger.warn({ variable, warning }, 'A variable may not be meant so');
  const storeParts = thread === undefined ? {} : { startThread: () => thread };
  runUntilStopped(
    (fail) =>
      createApp(config, { logger, tracer, onFatal: fail, storeParts, rereadConfig: async () => parseConfig(env) }),
    {
      host: process,
      logger,
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
  );
}

async function configOrExit(env: NodeJS.ProcessEnv): Promise<Config> {
  try {
    return await loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(describeProblems(error.problems));
    process.exit(1);
  }
}
