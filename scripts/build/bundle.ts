import { build } from 'vite';

const WORKER = 'src/store/database/embedded/worker.ts';
/** What is started by its name: the process, and its threads as the code that starts them names them. */
export const ENTRIES = {
  'main.js': 'src/main.ts',
  'database-thread.js': WORKER,
  'chart-thread.js': 'src/chart/worker.ts',
};
/**
 * PGlite looks for its files beside its code; pg and pg-boss are loaded only where there is a server; opentype.js has a file for bundlers
 * that exports something else than the one for Node.
 */
const LEFT_OUT = ['@electric-sql/pglite', 'pg', 'pg-boss', 'opentype.js'];

/**
 * Writes the bot with the packages that it imports into `folder`: out of a few files it starts with a second of CPU time less than out of
 * a thousand, and takes 30 MB less. Names and lines stay readable: a stack trace names functions.
 */
export function bundleBot(root: string, folder: string): Promise<void> {
  return bundle(root, folder, ENTRIES, true);
}

/** Writes `worker.mjs`, the embedded database's thread without packages, into `folder`. */
export function bundleWorker(root: string, folder: string): Promise<void> {
  return bundle(root, folder, { 'worker.mjs': WORKER }, false);
}

async function bundle(
  root: string,
  outDir: string,
  entries: Readonly<Record<string, string>>,
  withPackages: boolean,
): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: withPackages ? { noExternal: true, external: LEFT_OUT } : {},
    build: {
      ssr: true,
      outDir,
      minify: false,
      rolldownOptions: {
        input: { ...entries },
        output: { entryFileNames: '[name]', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
