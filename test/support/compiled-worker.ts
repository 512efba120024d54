import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below the repository, so that the packages are found from there. */
const CACHE = join(ROOT, 'node_modules/.cache/notif');

/** A folder in which the embedded database's worker is compiled. */
export interface CompiledWorker {
  /** The file that `EMBEDDED_WORKER` names, which is there after `compile`. */
  readonly file: string;
  compile(): Promise<void>;
  remove(): Promise<void>;
}

/** Compiled once for a run, the embedded database opens in half the CPU time: compiling the worker's sources takes as much as opening. */
export async function workerFolder(): Promise<CompiledWorker> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'worker-'));
  const file = join(folder, 'worker.mjs');
  return {
    file,
    compile: async () => {
      await build({
        root: ROOT,
        configFile: false,
        logLevel: 'error',
        build: {
          ssr: 'src/store/database/embedded/worker.ts',
          outDir: folder,
          emptyOutDir: false,
          minify: false,
          rolldownOptions: { output: { entryFileNames: 'unfinished.mjs' } },
        },
      });
      // A thread that starts meanwhile finds no file, or a whole one.
      await rename(join(folder, 'unfinished.mjs'), file);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
