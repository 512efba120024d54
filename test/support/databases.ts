import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import PgBoss from 'pg-boss';
import type { TestProject } from 'vitest/node';
import { ANNOUNCE } from '../../src/jobs/announce.ts';
import { DELIVER } from '../../src/jobs/deliver.ts';
import { pollJobName } from '../../src/jobs/poll.ts';
import { recheckName } from '../../src/jobs/recheck.ts';
import { copyFolder } from '../../src/store/copy-folder.testing.ts';
import type { Engine } from '../../src/store/store.testing.ts';
import { openStore } from '../../src/store/store.ts';
import { buildBot } from './built-bot.ts';
import { botBundle, workerBundle } from './bundle.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Where tests ask for what the whole run shares: `/postgres` is a server's address, `/pglite` an initialized database's folder to
     * copy, `/tables` one in which all the tables of the bot have been made, `/template` a server's database with them; `/built-bot` is the file
     * that runs the bot as it is built, `/bot` one that starts quicker,
     * `/browser` the address of a browser to connect to, `/page` the folder of the sandbox's built page.
     */
    readonly databases: string;
    /** On which database the store's tests and the journeys run that do not name one. */
    readonly database: Engine;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A PostgreSQL server, an embedded database's folders, a built bot, a browser and a built page for the whole run, each made when the first test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = once(startPostgres);
  const worker = await workerBundle();
  // Threads inherit it.
  process.env.EMBEDDED_WORKER = worker.file;
  const prepared = once(() => Promise.all([worker.make(), compilePglite()]));
  const pglite = once(async () => {
    await prepared.get();
    return pgliteFolder();
  });
  const tables = once(async () => makeTables(await pglite.get()));
  const template = once(async () => makeTemplate((await postgres.get()).url));
  const built = once(buildBot);
  const bot = once(async () => {
    const bundle = await botBundle();
    await bundle.make();
    return bundle;
  });
  // Loaded on demand: most runs open no page.
  const browser = once(async () => (await import('./browser.ts')).serveBrowser());
  const page = once(async () => (await import('../../sandbox/build-page.ts')).buildPage(ROOT));
  const shared: Record<string, () => Promise<string>> = {
    '/postgres': async () => (await postgres.get()).url,
    '/template': template.get,
    '/pglite': pglite.get,
    '/tables': tables.get,
    '/bot': async () => (await bot.get()).file,
    '/built-bot': async () => (await built.get()).main,
    '/browser': async () => (await browser.get()).wsEndpoint(),
    '/page': page.get,
  };
  const route = createServer((request, response) => {
    const answer = shared[request.url ?? '']?.() ?? Promise.reject(new Error('there is no such thing'));
    answer.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('databases', await addressOf(route));
  return async () => {
    route.closeAllConnections();
    route.close();
    await (await postgres.made())?.stop();
    await (await bot.made())?.remove();
    await (await built.made())?.remove();
    await worker.remove();
    await (await browser.made())?.close();
    const folder = await tables.made();
    if (folder !== undefined) await rm(dirname(folder), { recursive: true, force: true });
  };
}

/** Makes a thing when it is first asked for, and hands out that one from then on. */
function once<Thing>(make: () => Promise<Thing>): { get(): Promise<Thing>; made(): Promise<Thing | undefined> } {
  let thing: Promise<Thing> | undefined;
  return {
    get: () => {
      thing = thing ?? make();
      return thing;
    },
    // The person who asked for it was told that it could not be made.
    made: async () => thing?.catch(() => undefined),
  };
}

function addressOf(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(`http://127.0.0.1:${address.port}`);
      else reject(new Error('the door of the databases listens nowhere'));
    });
  });
}

/**
 * Initializing takes seconds and 900 MB; opening a copy takes a quarter of a second. It is kept from run to run for as long as the
 * package is installed, whose version its name holds. Two thirds of its files are the databases that PostgreSQL makes others after:
 * nobody makes any here, and each file costs a copy a millisecond.
 */
async function pgliteFolder(): Promise<string> {
  const installed = dirname(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const folder = join(installed, '../../.cache/notif', `pglite-alone-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  const pglite = await PGlite.create(unfinished);
  await pglite.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`);
  await pglite.close();
  await rename(unfinished, folder);
  return folder;
}

/**
 * V8 compiles the same WebAssembly once for all the threads of a process, for as long as one of them holds on to it. The tests of a run
 * open one embedded database after the other, each in a thread of its own: with what the caller keeps of this, PGlite is compiled for the
 * first one alone, and the others open with half the CPU time.
 */
async function compilePglite(): Promise<unknown> {
  const installed = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(installed), 'pglite.wasm')));
}

/** Node's types have it as a type alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };

/** The tables cost as much as opening the database: a bot that finds them starts in half the time. */
async function makeTables(initialised: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-tables-'));
  const folder = join(dataDir, 'postgres');
  copyFolder(initialised, folder);
  await (await openStore({ dataDir, logger: silent })).close();
  return folder;
}

/**
 * What each bot of the tests has a queue for. pg-boss makes a table for each, which takes as much as the rest of a bot's start; those of
 * other environments, and those of src/jobs/queue.test.ts, are made by the bot.
 */
const QUEUES = [ANNOUNCE, DELIVER, pollJobName('production'), recheckName('production')].concat(
  ...['creators', 'heartbeat', 'homes', 'prune', 'resume-triggers', 'summaries'],
);

/** Returns the name of a database on the server that others are made after, with the tables of the job queue. */
async function makeTemplate(server: string): Promise<string> {
  const name = 'notif_template';
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const store = await openStore({ databaseUrl: server.replace(/[^/]*$/, name), dataDir: '', logger: silent });
  const boss = new PgBoss({ db: { executeSql: store.executeSql }, schedule: false });
  await boss.start();
  for (const queue of QUEUES) await boss.createQueue(queue, { name: queue, policy: 'short' });
  await boss.stop({ graceful: false });
  await store.close();
  return name;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
