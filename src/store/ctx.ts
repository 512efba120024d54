import type { Logger } from '../lib/logger.ts';
import type { Db } from './db.ts';

export interface Ctx {
  db: Db;
  logger: Logger;
  now: () => Date;
}
