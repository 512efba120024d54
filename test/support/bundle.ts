import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Inside the repository, so that packages that aren't in a bundle are resolved from here. */
const CACHE = join(ROOT, 'node_modules/.cache/notif');

export interface Bundle {
  /** The file, which exists after `make`. */
  file: string;
  make(): Promise<void>;
  remove(): Promise<void>;
}

/** Bundles the bot as `npm start` builds it, without the empty database, which tests provide themselves. */
export async function botBundle(): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'bot-bundle-'));
  const finished = join(folder, 'finished');
  return {
    file: join(finished, 'main.js'),
    make: async () => {
      const unfinished = join(folder, 'unfinished');
      // Imported on demand, because most runs need no bundler.
      const { bundleBot } = await import('../../scripts/build/bundle.ts');
      await bundleBot(ROOT, unfinished);
      // A thread that starts in the meantime finds either no file or a complete one.
      await rename(unfinished, finished);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
