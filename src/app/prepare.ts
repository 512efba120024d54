import { describeProblems } from '../config/describe-problems.ts';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { type EmbeddedDatabase, openEmbedded } from '../store/database/embedded.ts';
import type { DatabaseThread } from './early-thread.ts';

/** What is there, or on its way, before the bot is loaded. */
export interface Prepared {
  readonly config: Config;
  /** Only if a thread was started for it. */
  readonly opening: Promise<EmbeddedDatabase> | undefined;
}

/**
 * Parses the configuration, and begins to open the embedded database in `thread`: opening takes as long as loading the bot, so this module
 * must load little itself. Exits with 1 if the configuration has problems, which are printed.
 */
export async function prepare(env: NodeJS.ProcessEnv, thread: DatabaseThread | undefined): Promise<Prepared> {
  const config = await configOrExit(env);
  if (thread === undefined || config.database.kind === 'server') return { config, opening: undefined };
  const opening = openEmbedded(config.database.folder, { start: () => thread });
  // `openStore` gets the error, but doesn't wait for it until the bot is loaded.
  opening.catch(() => {});
  return { config, opening };
}

async function configOrExit(env: NodeJS.ProcessEnv): Promise<Config> {
  try {
    return await loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(describeProblems(error));
    process.exit(1);
  }
}
