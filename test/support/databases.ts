import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { listenOn } from '../../src/lib/serve.testing.ts';
import type { Engine } from '../../src/store/store.testing.ts';
import { memoryFolder } from './memory-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The URL from which tests request what the whole run shares: `/postgres` returns a server's address by TCP, `/database` the one of a
     * new database with all of the bot's tables, `/dropped/<name>` drops it, `/tables` the folder of an embedded database with them to copy,
     * `/bot` the file that runs the built bot, `/browser` the address of a browser to connect to, `/page` the folder of the sandbox's built
     * page.
     */
    databases: string;
    /** The database of store tests and journeys that don't name one. */
    database: Engine;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Threads inherit the variable.
  const memory = await memoryFolder();
  if (memory !== undefined) process.env.TMPDIR = memory;
  // Modules are loaded on demand: a run of a single file needs few of them.
  const pglite = () => import('./pglite.ts');
  const postgres = once(async () => (await import('./postgres.ts')).startPostgres());
  const compiled = once(async () => (await pglite()).compilePglite());
  const tables = once(async () => {
    await compiled.get();
    return join(await (await pglite()).pgliteWithTables(), 'postgres');
  });
  const bot = once(async () => (await import('./bundle.ts')).buildBot(ROOT));
  const browser = once(async () => (await import('./browser.ts')).serveBrowser());
  const page = once(async () => (await import('../../sandbox/build-page.ts')).buildPage(ROOT));
  const shared: Record<string, (name: string) => Promise<string>> = {
    postgres: async () => (await postgres.get()).url,
    database: async () => (await postgres.get()).newDatabase(),
    dropped: async (name) => (await postgres.get()).dropDatabase(name).then(() => name),
    tables: tables.get,
    bot: bot.get,
    browser: async () => (await browser.get()).wsEndpoint(),
    page: page.get,
  };
  const route = createServer((request, response) => {
    // A kept connection could be closed just as the next request is sent on it.
    response.setHeader('connection', 'close');
    const [, thing = '', name = ''] = (request.url ?? '').split('/');
    const answer = shared[thing]?.(name) ?? Promise.reject(new Error('there is no such thing'));
    answer.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('databases', `http://127.0.0.1:${await listenOn(route)}`);
  return async () => {
    route.closeAllConnections();
    route.close();
    await (await postgres.made())?.stop();
    await (await browser.made())?.close();
    if (memory !== undefined) await rm(memory, { recursive: true, force: true });
  };
}

/** Makes a thing at the first request and returns the same one afterwards. After a failure the next request makes it again. */
function once<Thing>(make: () => Promise<Thing>): { get(): Promise<Thing>; made(): Promise<Thing | undefined> } {
  let thing: Promise<Thing> | undefined;
  return {
    get: () => {
      thing ??= make().catch((error: unknown) => {
        thing = undefined;
        throw error;
      });
      return thing;
    },
    made: async () => thing?.catch(() => undefined),
  };
}
