import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

interface BuildPageOptions {
  /** The page's sources, with index.html. */
  readonly pageFolder: string;
  /** What else it is made of: the protocol, the lock file. */
  readonly alsoFrom: readonly string[];
  readonly outFolder: string;
}

/** Builds the workspace's page, unless it is newer than everything it is made of. Rejects with Vite's error. Returns whether it built. */
export async function buildPage({ pageFolder, alsoFrom, outFolder }: BuildPageOptions): Promise<boolean> {
  const [builtAt, changedAt] = [
    await changeOf(join(outFolder, 'index.html')),
    await newestChange(pageFolder, alsoFrom),
  ];
  if (builtAt > changedAt) return false;
  await build({
    root: pageFolder,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: outFolder, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
  });
  return true;
}

async function newestChange(folder: string, files: readonly string[]): Promise<number> {
  const inside = await readdir(folder, { recursive: true });
  const changes = await Promise.all([...inside.map((name) => join(folder, name)), ...files].map(changeOf));
  return Math.max(...changes);
}

/** When a file was last changed, in milliseconds since 1970; 0 where there is none. */
async function changeOf(file: string): Promise<number> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return stats?.mtimeMs ?? 0;
}
