import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORKER = 'src/store/database/embedded/worker.ts';
/** Below the repository, so that packages that aren't in a bundle are found from there. */
const CACHE = join(ROOT, 'node_modules/.cache/notif');
/** PGlite looks for its files beside its code, and pg is where test/chaos/killer.js waits for statements. */
const LEFT_OUT = ['@electric-sql/pglite', 'pg', 'pg-boss'];

/** Code in a file of its own, made when it's asked for. */
export interface Bundle {
  /** The file, which is there after `make`. */
  readonly file: string;
  make(): Promise<void>;
  remove(): Promise<void>;
}

/** The embedded database's worker without packages: compiling its sources in each thread takes as much CPU time as opening the database. */
export function workerBundle(): Promise<Bundle> {
  return bundleIn('worker-', 'worker.mjs', (folder) => bundle(folder, { 'worker.mjs': WORKER }, false));
}

/**
 * The bot with the packages it imports: out of two files it starts in a third of the CPU time that it takes out of a thousand. What
 * `npm start` builds is started by src/main.test.ts.
 */
export function botBundle(): Promise<Bundle> {
  return bundleIn('bot-bundle-', 'main.mjs', (folder) =>
    bundle(folder, { 'main.mjs': 'src/main.ts', 'worker.js': WORKER }, true),
  );
}

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

async function bundle(outDir: string, entries: Readonly<Record<string, string>>, withPackages: boolean): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    ssr: withPackages ? { noExternal: true, external: LEFT_OUT } : {},
    build: {
      ssr: true,
      outDir,
      minify: false,
      rolldownOptions: { input: { ...entries }, output: { entryFileNames: '[name]', chunkFileNames: '[name].mjs' } },
    },
  });
}
