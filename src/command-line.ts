import { parseArgs } from 'node:util';
import { eraseSubscriber } from './audit/erase.ts';
import type { Config } from './config.ts';
import type { Logger } from './lib/logger.ts';
import { copyRows } from './store/move.ts';
import { openDb } from './store/open.ts';

const COMMANDS = 'The commands are: erase --subscriber <ID>; move, from NOTIF_DATA_DIR to DATABASE_URL';

export async function runCommand(args: string[], { database, dataDir }: Config, logger: Logger): Promise<void> {
  const options = { subscriber: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
  const [command] = positionals;
  const isMove = command === 'move' && database.kind === 'server';
  if (!isMove && (command !== 'erase' || !values.subscriber)) throw new Error(COMMANDS);
  const { db, vacuum, close } = await openDb(database, { logger });
  try {
    if (isMove) {
      const from = await openDb({ kind: 'embedded', folder: dataDir }, { logger });
      const rows = await copyRows(from.db, db).finally(from.close);
      logger.info({ rows }, 'Moved: start Notif with DATABASE_URL. The folder was left as it is');
    } else {
      const rows = await eraseSubscriber(db, `${values.subscriber}`, new Date());
      await vacuum();
      logger.info({ rows }, 'Erased: what the service still lists of this subscriber can be recorded again');
    }
  } finally {
    await close();
  }
}
