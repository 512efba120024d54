import { type DatabaseThread, startThread } from '../store/database/embedded/thread.ts';

export type { DatabaseThread };

/** Starts the embedded database's thread, which loads at once and opens nothing yet; not where a server is configured. */
export function startThreadEarly(env: NodeJS.ProcessEnv): DatabaseThread | undefined {
  const { DATABASE_URL: url = '', DATABASE_URL_FILE: file = '' } = env;
  return url === '' && file === '' ? startThread() : undefined;
}
