import { describeProblems } from '../config/problem.ts';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import type { DatabaseThread } from '../store/database/embedded/thread.ts';
import { type EmbeddedDatabase, openEmbedded } from '../store/database/embedded.ts';

export interface Prepared {
  readonly config: Config;
  readonly opening: Promise<EmbeddedDatabase> | undefined;
}

/** Opening the database takes as long as loading the bot, so this module must load little itself. Exits with 1 if the configuration has problems. */
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
