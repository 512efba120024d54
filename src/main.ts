import { setFlagsFromString } from 'node:v8';
import { createApp } from './app.ts';
import { type Config, loadConfig, logLevelIn } from './config.ts';
import { ConfigError } from './lib/errors.ts';
import { createLogger } from './process/logger.ts';
import { takeProxy } from './process/proxy.ts';
import { type Runnable, runUntilStopped } from './process/run-until-stopped.ts';
import { SlackRefusedError } from './slack/slack-errors.ts';

/** Docker kills a container after ten seconds. */
const STOP_TIMEOUT_MS = 9_000;

/** `EX_CONFIG` of sysexits.h: a restart would fail, too. */
const WRONG_CONFIGURATION = 78;

// Optimizing PGlite's WebAssembly costs two seconds and 60 MB (Node 24: up to 600); short statements gain nothing.
setFlagsFromString('--liftoff-only');

const { env } = process;
const [, , ...args] = process.argv;
const logger = createLogger({ level: logLevelIn(env) });
const exitCodeOf = (error: unknown) => (error instanceof SlackRefusedError ? WRONG_CONFIGURATION : 1);
if (args.length === 0) runUntilStopped(create, { host: process, logger, stopTimeoutMs: STOP_TIMEOUT_MS, exitCodeOf });
else await command();

async function create(onFatal: (error: unknown) => void): Promise<Runnable> {
  const config = await configured();
  for (const warning of config.warnings) logger.warn(warning, 'A variable may be a mistake');
  return createApp(config, { logger, onFatal });
}

async function command(): Promise<void> {
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine(args, await configured(), logger).catch((err: unknown) => {
    logger.error({ err }, 'The command failed');
    process.exitCode = 1;
  });
}

async function configured(): Promise<Config> {
  try {
    takeProxy(env);
    return await loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map(
      ({ variable, problem, example }) => `  ${variable} ${problem}\n${example && `      for example: ${example}\n`}`,
    );
    process.stderr.write(`Notif can't start: some environment variables are missing or invalid.

${problems.join('')}
docs/configuration.md describes every variable, docs/slack-app.md where the tokens come from.
To try it without Slack or a service: npm run sandbox
`);
    process.exit(WRONG_CONFIGURATION);
  }
}
