import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite';
import type { StatementResult } from '../database.ts';
import { makeEmptyDatabase } from '../empty-database.ts';
import { createCheckpoints } from './checkpoints.ts';
import { WatchedFiles } from './files.ts';
import { keepOthersOut, OWNER_ALONE } from './owner-alone.ts';
import type { Request } from './protocol.ts';
import { createStatements, type Statements } from './statements.ts';
import { createTransactions, type Transactions } from './transactions.ts';

/** Carries out a request. Rejects with PGlite's errors. */
export type Engine = (request: Request) => Promise<StatementResult>;

interface Opened {
  readonly pglite: PGlite;
  readonly transactions: Transactions;
  readonly statements: Statements;
}

type Compiled = NonNullable<PGliteOptions['pgliteWasmModule']>;

/** Node's types have it as a type alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<Compiled> };

/** Compiles PGlite as soon as its thread runs: the process has yet to load then, and to find out which database to open. */
async function compilePglite(): Promise<Compiled> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
}

const NOTHING: StatementResult = { rows: [], affected: 0 };

/**
 * Runs the embedded PostgreSQL behind requests, in a thread that can block. The first request opens it. `onPanic` gets the reason when
 * PostgreSQL panics: nothing is answered afterwards, and the thread must be ended from outside.
 */
export function createEngine(onPanic: (reason: string) => void): Engine {
  let opened: Opened | undefined;
  const compiled = compilePglite();
  // The request that opens the database gets the error.
  compiled.catch(() => {});

  return async (request) => {
    if (request.kind === 'open') opened = await open(request.dataDir, await compiled, onPanic);
    else if (opened !== undefined) return answer(opened, request);
    else if (request.kind !== 'close') throw new Error('the embedded database was not opened');
    return NOTHING;
  };
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

async function open(dataDir: string, compiled: Compiled, onPanic: (reason: string) => void): Promise<Opened> {
  const files = new WatchedFiles(await initialised(dataDir), onPanic);
  const pglite = await PGlite.create({
    pgliteWasmModule: compiled,
    fs: files,
    startParams: START_PARAMETERS,
  }).catch((error: unknown) => {
    throw new Error(files.lastWords, { cause: error });
  });
  return {
    pglite,
    transactions: createTransactions(pglite, createCheckpoints()),
    statements: createStatements(pglite),
  };
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

async function answer(
  { pglite, transactions, statements }: Opened,
  request: Exclude<Request, { kind: 'open' }>,
): Promise<StatementResult> {
  switch (request.kind) {
    case 'query': {
      const { transaction, text, values } = request;
      if (transaction === null) return statements.alone(text, values);
      transactions.entered(transaction);
      return statements.inTransaction(text, values);
    }
    case 'script': {
      const { transaction, text } = request;
      return transaction === null ? scriptAlone(pglite, text) : script(transactions.entered(transaction), text);
    }
    case 'enter':
      await transactions.enter(request.transaction);
      return NOTHING;
    case 'leave':
      await transactions.leave(request.transaction, request.outcome);
      return NOTHING;
    case 'close':
      await pglite.close();
      return NOTHING;
  }
}

/** Returns the last statement's rows. */
async function script(on: Pick<Transaction, 'exec'>, text: string): Promise<StatementResult> {
  const answers = await on.exec(text);
  return { rows: answers.at(-1)?.rows ?? [], affected: 0 };
}

/**
 * Runs a script inside a transaction. It may have transaction statements of its own, and there is only one connection: this way, a script
 * that fails leaves nothing behind, and other callers wait instead of having their work rolled back.
 */
function scriptAlone(pglite: PGlite, text: string): Promise<StatementResult> {
  return pglite.transaction((transaction) => script(transaction, text));
}
