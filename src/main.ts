import { createApp } from './app.ts';
import { describeProblems } from './config/problem.ts';
import { type Config, ConfigError, loadConfig, parseConfig } from './config.ts';
import { holdSignals } from './process/early-signals.ts';
import { createLogger } from './process/logger.ts';
import { runUntilStopped } from './process/run-until-stopped.ts';

/** Docker kills what hasn't ended after ten seconds. */
const STOP_TIMEOUT_MS = 9_000;

const { env } = process;
const handOverSignals = holdSignals(process);
const config = await configOrExit();
const logger = createLogger({ level: config.logLevel });
for (const { variable, warning } of config.warnings)
  logger.warn({ variable, warning }, 'A variable may not be meant so');
runUntilStopped((onFatal) => createApp(config, { logger, onFatal, rereadConfig: async () => parseConfig(env) }), {
  host: process,
  logger,
  stopTimeoutMs: STOP_TIMEOUT_MS,
});
handOverSignals();

async function configOrExit(): Promise<Config> {
  try {
    return await loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(describeProblems(error));
    process.exit(1);
  }
}
