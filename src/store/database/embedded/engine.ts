import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { makeEmptyDatabase } from '../empty-database.ts';
import { checkpointIfBehind } from './checkpoints.ts';
import { WatchedFiles } from './files.ts';
import { keepOthersOut, OWNER_ALONE } from './owner-alone.ts';
import type { FromThread, ToThread } from './thread.ts';

type Compiled = NonNullable<PGliteOptions['pgliteWasmModule']>;

/** Node's types have it as a type alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<Compiled> };

/** Compiles PGlite as soon as its thread runs: the process has yet to load then, and to find out which database to open. */
async function compilePglite(): Promise<Compiled> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
}

/**
 * PGlite's own settings are for a server with a hundred clients: it zeroes 145 MB of shared memory, while one connection needs 20. What
 * these buffers don't hold is still in the system's file cache; a poll of 20,000 failures takes as much CPU time with 16 MB of buffers as
 * with 128. A plan made for an empty table would be kept for a full one, so each run is planned.
 */
const SETTINGS = [
  ...['shared_buffers=16MB', 'max_connections=5', 'max_wal_senders=0', 'random_page_cost=1.1'],
  'plan_cache_mode=force_custom_plan',
];
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])];

type Post = (message: FromThread) => void;

async function open(dataDir: string, compiled: Compiled, post: Post): Promise<PGlite> {
  const files = new WatchedFiles(await initialised(dataDir), (panic) => post({ panic }));
  return PGlite.create({ pgliteWasmModule: compiled, fs: files, startParams: START_PARAMETERS }).catch(
    (error: unknown) => {
      throw new Error(files.lastWords, { cause: error });
    },
  );
}

/** Returns the folder of the database's files. It gets its name when it's complete, so an interrupted first start is repeated. */
async function initialised(dataDir: string): Promise<string> {
  const files = join(dataDir, 'postgres');
  if (!existsSync(files)) {
    const unfinished = `${files}-unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: OWNER_ALONE });
    await makeEmptyDatabase(unfinished);
    await rename(unfinished, files);
  }
  await keepOthersOut(files);
  return files;
}

/** Answers to queries between two looks at how much log there is. */
const LOOK_EVERY = 200;

/**
 * Serves PostgreSQL's wire protocol on the one connection that PGlite has. What a connection leaves behind, a transaction or prepared
 * statements, ends with it.
 */
export function createEngine(post: Post): (message: ToThread) => void {
  const compiled = compilePglite();
  // The request that opens the database gets the error.
  compiled.catch(() => {});
  let pglite: PGlite | undefined;
  let answers = 0;
  async function answer(message: ToThread): Promise<void> {
    if ('open' in message) {
      pglite = await open(message.open, await compiled, post);
      post({ opened: true });
    } else if (pglite === undefined) throw new Error('the embedded database was not opened');
    else if ('bytes' in message) {
      const bytes = await exchange(pglite, message.bytes);
      post({ connection: message.connection, bytes });
      if (isIdle(bytes) && ++answers % LOOK_EVERY === 0) await checkpointIfBehind(pglite);
    } else if ('end' in message) {
      await pglite.exec('ROLLBACK');
      await pglite.exec('DISCARD ALL');
    } else {
      await pglite.close();
      post({ closed: true });
    }
  }

  let last = Promise.resolve();
  return (message) => {
    last = last
      .then(() => answer(message))
      .catch((error: unknown) => post({ failed: error instanceof Error ? error.message : String(error) }));
  };
}

/** PGlite's other ways keep each answer in memory. */
async function exchange(pglite: PGlite, message: Uint8Array): Promise<Uint8Array> {
  const answered: Uint8Array[] = [];
  // What it hands over is a view of PGlite's own memory.
  const onRawData = (data: Uint8Array): void => void answered.push(data.slice());
  await pglite.execProtocolRawStream(message, { syncToFs: false, onRawData });
  return Buffer.concat(answered);
}

/** Whether an answer ends with ReadyForQuery outside of a transaction. */
function isIdle(answer: Uint8Array): boolean {
  return answer.at(-1) === 'I'.charCodeAt(0) && answer.at(-6) === 'Z'.charCodeAt(0);
}
