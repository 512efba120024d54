import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { parsedCatalog } from './parsed-catalog.ts';

/** The packages that aren't bundled. PGlite looks for its files beside its code; pg is loaded only with a server. */
const LEFT_OUT = ['@electric-sql/pglite', 'pg'];

/** Bundles the bot and its packages into `outDir`: from a few files it starts faster and takes less memory than from a thousand. */
export async function bundleBot(root: string, outDir: string, commit = ''): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [parsedCatalog()],
    define: { 'process.env.BUILD_COMMIT': JSON.stringify(commit) },
    resolve: { alias: { express: fileURLToPath(new URL('no-express.ts', import.meta.url)) } },
    ssr: { noExternal: true, external: LEFT_OUT },
    build: {
      ssr: true,
      outDir,
      minify: false,
      rolldownOptions: {
        input: { 'main.js': 'src/main.ts' },
        output: { entryFileNames: '[name]', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  cpSync(join(root, 'src/store/migrations'), join(outDir, 'migrations'), { recursive: true });
}
