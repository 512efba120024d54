import { parseArgs } from 'node:util';
import { eraseSubscriber } from './audit/erase.ts';
import { databasesIn } from './config.ts';
import type { Logger } from './lib/logger.ts';
import { copyRows } from './store/move.ts';
import { type DatabasePlace, type OpenDb, openDb } from './store/open.ts';

const USAGE = 'erase --subscriber <ID>, or move (from NOTIF_DATA_DIR to DATABASE_URL, which has to be set)';

/** Returns what was done. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv, logger: Logger): Promise<string> {
  const options = { subscriber: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, ...more] = positionals;
  const { subscriber } = values;
  const { url, folder } = databasesIn(env);
  const embedded: DatabasePlace = { kind: 'embedded', folder };
  const server: DatabasePlace | null = url === undefined ? null : { kind: 'server', url };

  async function using<Result>(place: DatabasePlace, work: (store: OpenDb) => Promise<Result>): Promise<Result> {
    const store = await openDb(place, { logger });
    return work(store).finally(store.close);
  }

  if (command === 'erase' && subscriber && more.length === 0)
    return using(server ?? embedded, async ({ db, vacuum }) => {
      const rows = await eraseSubscriber(db, subscriber, new Date());
      await vacuum();
      return `Erased from ${rows} rows. What the service still has of this subscriber can be recorded again.`;
    });
  if (command === 'move' && server !== null && positionals.length === 1)
    return using(embedded, ({ db: from }) =>
      using(server, async ({ db: to }) => {
        const rows = await copyRows(from, to);
        return `Copied ${rows} rows. Start Notif with DATABASE_URL; ${folder} was left as it is.`;
      }),
    );
  throw new Error(`The commands are: ${USAGE}`);
}
