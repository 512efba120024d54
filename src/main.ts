import { holdSignals } from './process/early-signals.ts';
import { startThread } from './store/database/embedded/thread.ts';

/** Docker kills what hasn't ended after ten seconds. */
const STOP_TIMEOUT_MS = 9_000;

const { env } = process;
const handOverSignals = holdSignals(process);
// The embedded database takes as long to load and to open as all the rest: it does both meanwhile.
const thread = env.DATABASE_URL || env.DATABASE_URL_FILE ? undefined : startThread();
const { prepare } = await import('./app/prepare.ts');
const { config, opening } = await prepare(env, thread);
const { createApp } = await import('./app.ts');
const { parseConfig } = await import('./config.ts');
const { createLogger } = await import('./process/logger.ts');
const { runUntilStopped } = await import('./process/run-until-stopped.ts');

const logger = createLogger({ level: config.logLevel });
for (const { variable, warning } of config.warnings)
  logger.warn({ variable, warning }, 'A variable may not be meant so');
runUntilStopped(
  (onFatal) =>
    createApp(config, { logger, onFatal, storeParts: { opening }, rereadConfig: async () => parseConfig(env) }),
  { host: process, logger, stopTimeoutMs: STOP_TIMEOUT_MS },
);
handOverSignals();
