import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite, types } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import PQueue from 'p-queue';
import { StoreTroubleError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { backUpFiles, databaseIn, lockFolder, START_FRESH } from './data-folder.ts';
import { type Connect, type Engine, parseJson, type Query } from './db.ts';
import { statementError, unusable } from './errors.ts';
import { migrate } from './migrate.ts';

/** PGlite's own settings are for a hundred clients: 145 MB of shared memory. */
const SETTINGS =
  'shared_buffers=16MB max_connections=5 max_wal_senders=0 random_page_cost=1.1 default_statistics_target=20';
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.split(' ').flatMap((setting) => ['-c', setting])];

/** PGlite makes no checkpoint itself: its log would grow, and be replayed after a kill. */
const STATEMENTS_A_CHECKPOINT = 2_000;

const PARSERS = { [types.JSONB]: parseJson };

/** PGlite and the queue run in microtasks, before anything else of the process. */
const LONGEST_BLOCK_MS = 10;

/** Such a line has no values of rows. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

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
    const reason = files?.lastWords ?? String(cause);
    throw unusable(`the data folder ${dataDir} could not be opened (${reason}): ${remedyOf(reason)}`, cause);
  }
}

function remedyOf(reason: string): string {
  if (/no space left on device|ENOSPC|quota exceeded|EDQUOT/i.test(reason))
    return 'free up at least 64 MB there, then start Notif again: nothing that was recorded is lost';
  if (/permission denied|EACCES|EPERM/i.test(reason)) return 'give it to the user who runs Notif, with chown -R';
  return /read-only file system|EROFS/i.test(reason) ? 'mount it so that Notif can write to it' : START_FRESH;
}

function engineOn(pglite: PGlite, files: WatchedFiles, dataDir: string, unlock: () => Promise<void>): Engine {
  const turns = new PQueue({ concurrency: 1 });
  let statements = 0;
  let yieldedAt = 0;
  const lost = () => new StoreTroubleError('damaged', new Error(files.lastWords));

  const query: Query = async (text, values = [], rowMode = 'object') => {
    if (files.isLost) throw lost();
    try {
      const { rows, affectedRows = 0 } = await pglite.query(text, [...values], { rowMode, parsers: PARSERS });
      statements += 1;
      if (performance.now() - yieldedAt > LONGEST_BLOCK_MS) {
        await setImmediate();
        yieldedAt = performance.now();
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
    backUp: () =>
      connect(async (query) => {
        await query('CHECKPOINT');
        return backUpFiles(dataDir);
      }),
    async close() {
      await turns.onIdle();
      if (!files.isLost) await pglite.close();
      await unlock();
    },
  };
}

/** If PostgreSQL can't write its log it panics, and PGlite's next statement would spin. */
class WatchedFiles extends NodeFS {
  isLost = false;
  lastWords: string | undefined;

  override async init(...given: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...given);
    const printErr = (line: string) => {
      this.lastWords = PANIC.exec(line)?.[0] ?? this.lastWords;
      emscriptenOpts.printErr?.(line);
    };
    const onAbort = () => {
      this.isLost = true;
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr, onAbort } };
  }
}
