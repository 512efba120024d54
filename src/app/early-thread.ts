import { type DatabaseThread, startThread } from '../store/database/embedded/thread.ts';

export type { DatabaseThread };

export function startThreadEarly(env: NodeJS.ProcessEnv): DatabaseThread | undefined {
  const { DATABASE_URL: url = '', DATABASE_URL_FILE: file = '' } = env;
  return url === '' && file === '' ? startThread() : undefined;
}
