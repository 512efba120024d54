import { eraseSubscriber } from './app/erase.ts';
import type { Config } from './config.ts';
import type { Logger } from './lib/logger.ts';
import { HOUR_MS } from './lib/time/durations.ts';
import { hasDatabase, markMoved } from './store/data-folder.ts';
import { StoreUnusableError } from './store/errors.ts';
import { copyRows } from './store/move.ts';
import { type OpenDb, openDb } from './store/open.ts';

const COMMANDS =
  "The commands are: erase --subscriber '<ID>'; move, from NOTIF_DATA_DIR to the server of DATABASE_URL, which has to be set";

export async function runCommandLine(
  args: readonly string[],
  { database, dataDir, horizonHours }: Config,
  logger: Logger,
): Promise<void> {
  const [command, option, subscriber = '', ...more] = args;
  const isErase = command === 'erase' && option === '--subscriber' && subscriber.trim() !== '' && more.length === 0;
  const isMove = command === 'move' && database.kind === 'server';
  if (!isErase && !isMove) throw new Error(COMMANDS);
  const folder = isMove || database.kind === 'embedded' ? dataDir : null;
  if (folder !== null && !hasDatabase(folder))
    throw new StoreUnusableError(`the folder ${folder} has no database of Notif: check NOTIF_DATA_DIR`);
  const store = await openDb(database, { logger });
  const working = isErase ? erase(subscriber, horizonHours * HOUR_MS, store, logger) : move(dataDir, store, logger);
  await working.finally(store.close);
}

async function erase(subscriber: string, horizonMs: number, { db, rewrite }: OpenDb, logger: Logger): Promise<void> {
  const { rows, left } = await eraseSubscriber(db, subscriber, horizonMs, new Date());
  await rewrite();
  const isLeft = Object.keys(left).length > 0;
  if (isLeft) logger.warn({ left }, "The ID is left where it isn't about people, or in other capitals");
  if (rows === 0 && !isLeft)
    return logger.warn({ rows }, 'Nothing of this subscriber found: check the ID, also its capitals');
  logger.info({ rows }, 'Erased: until the horizon, what the service still lists of them is recorded without the ID');
}

async function move(folder: string, { db }: OpenDb, logger: Logger): Promise<void> {
  const from = await openDb({ kind: 'embedded', folder }, { logger });
  const rows = await copyRows(from.db, db).finally(from.close);
  await markMoved(folder);
  logger.info({ rows }, 'Moved: start Notif with DATABASE_URL. The folder was left as it is, and marked as moved');
}
