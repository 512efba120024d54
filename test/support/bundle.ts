import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below the repository, so that packages that aren't in a bundle are found from there. */
const CACHE = join(ROOT, 'node_modules/.cache/notif');

/** Code in a file of its own, made when it's asked for. */
export interface Bundle {
  /** The file, which is there after `make`. */
  readonly file: string;
  make(): Promise<void>;
  remove(): Promise<void>;
}

/** The embedded database's worker without packages: compiling its sources in each thread takes as much CPU time as opening the database. */
export function workerBundle(): Promise<Bundle> {
  return bundleIn('worker-', 'worker.mjs', async (folder) => (await bundling()).bundleWorker(ROOT, folder));
}

/** The bot as `npm start` builds it, without the empty database: tests bring one of their own. */
export function botBundle(): Promise<Bundle> {
  return bundleIn('bot-bundle-', 'main.js', async (folder) => (await bundling()).bundleBot(ROOT, folder));
}

/** Most runs need no bundler. */
const bundling = () => import('../../scripts/build/bundle.ts');

async function bundleIn(prefix: string, name: string, make: (folder: string) => Promise<void>): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, prefix));
  const finished = join(folder, 'finished');
  return {
    file: join(finished, name),
    make: async () => {
      const unfinished = join(folder, 'unfinished');
      await make(unfinished);
      // A thread that starts meanwhile finds no file, or a whole one.
      await rename(unfinished, finished);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
