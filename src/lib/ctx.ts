import type { Db } from '../store/db.ts';
import type { Logger } from './logger.ts';

export interface Ctx {
  db: Db;
  logger: Logger;
  now: () => Date;
}
