import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests ask for what the whole run shares: `/postgres` is a server's address, `/pglite` an initialised data folder to copy. */
    readonly databases: string;
  }
}

/** A PostgreSQL server and an embedded database's folder for the whole run, each made when the first test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = once(startPostgres);
  const pglite = once(pgliteFolder);
  const door = createServer((request, response) => {
    const answer = request.url === '/postgres' ? postgres.get().then(({ url }) => url) : pglite.get();
    answer.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('databases', await addressOf(door));
  return async () => {
    door.closeAllConnections();
    door.close();
    await (await postgres.made())?.stop();
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
    // Whoever asked for it was told that it could not be made.
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
 * Initialising takes seconds and 900 MB; opening a copy takes a quarter of a second. It is kept from run to run for as long as the
 * package is installed, whose version its name holds.
 */
async function pgliteFolder(): Promise<string> {
  const installed = dirname(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const folder = join(installed, '../../.cache/notif', `pglite-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  const pglite = await PGlite.create(unfinished);
  await pglite.close();
  await rename(unfinished, folder);
  return folder;
}
