import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import PQueue from 'p-queue';
import { StoreTroubleError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { backUpFiles, databaseIn, lockFolder, START_FRESH } from './data-folder.ts';
import type { Connect, Engine, Query } from './db.ts';
import { StoreUnusableError, statementError } from './errors.ts';
import { migrate } from './migrate.ts';

export async function openEmbedded(folder: string, logger: Logger): Promise<Engine> {
  const dataDir = resolve(folder);
  const unlock = await lockFolder(dataDir);
  let files: WatchedFiles | undefined;
  let engine: Engine | undefined;
  try {
    files = new WatchedFiles(await databaseIn(dataDir, logger));
    const pglite = await PGlite.create({ fs: files, startParams: START_PARAMETERS });
    engine = engineOn(pglite, files, dataDir, unlock);
    await migrate(engine, logger);
    return engine;
  } catch (cause) {
    await (engine?.close() ?? unlock());
    if (cause instanceof StoreUnusableError) throw cause;
    const reason = files?.lastWords ?? String(cause);
    throw new StoreUnusableError(`the data folder ${dataDir} could not be opened (${reason}): ${NEXT}`, { cause });
  }
}

const NEXT = `give it 64 MB of free space and to the user who runs Notif, and start Notif again. Only if it is damaged, ${START_FRESH}`;

/** PGlite's own are for a hundred clients: 145 MB of shared memory. */
const SETTINGS =
  'shared_buffers=16MB max_connections=5 max_wal_senders=0 random_page_cost=1.1 default_statistics_target=20';
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.split(' ').flatMap((setting) => ['-c', setting])];

/** PGlite makes no checkpoints: its log would grow, and be replayed after a kill. */
const STATEMENTS_A_CHECKPOINT = 2_000;

/** PGlite and the queue run in microtasks, before anything else of the process. */
const LONGEST_BLOCK_MS = 10;

function engineOn(pglite: PGlite, files: WatchedFiles, dataDir: string, unlock: () => Promise<void>): Engine {
  const turns = new PQueue({ concurrency: 1 });
  let statements = 0;
  let othersAt = 0;
  const lost = () => new StoreTroubleError('damaged', new Error(files.lastWords));

  const query: Query = async (text, values = [], rowMode = 'object') => {
    if (files.isLost) throw lost();
    try {
      const { rows, affectedRows = 0 } = await pglite.query(text, [...values], { rowMode });
      statements += 1;
      if (performance.now() - othersAt > LONGEST_BLOCK_MS) {
        await setImmediate();
        othersAt = performance.now();
      }
      return { rows, affected: affectedRows };
    } catch (error) {
      throw files.isLost ? lost() : statementError(error);
    }
  };

  const connect: Connect = (use) =>
    turns.add(async () => {
      try {
        const result = await use(query);
        if (statements > STATEMENTS_A_CHECKPOINT) {
          await query('CHECKPOINT');
          statements = 0;
        }
        return result;
      } catch (error) {
        if (!files.isLost) await query('ROLLBACK');
        throw error;
      }
    });

  return {
    connect,
    /** No other statement runs meanwhile. */
    backUp: () =>
      connect(async (checkpoint) => {
        await checkpoint('CHECKPOINT');
        return backUpFiles(dataDir);
      }),
    async close() {
      await turns.onIdle();
      if (!files.isLost) await pglite.close();
      await unlock();
    },
  };
}

/** PostgreSQL's last error; it has no values. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

/** If PostgreSQL can't write its log it panics, and PGlite's next statement would spin. */
class WatchedFiles extends NodeFS {
  isLost = false;
  lastWords: string | undefined;

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const printErr = (line: string): void => {
      this.lastWords = PANIC.exec(line)?.[0] ?? this.lastWords;
      emscriptenOpts.printErr?.(line);
    };
    const onAbort = (): void => {
      this.isLost = true;
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr, onAbort } };
  }
}
