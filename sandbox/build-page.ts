import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

/** Builds the sandbox page into a folder named after its sources, unless it is there, and returns the folder. Processes can build at the same time. */
export async function buildPage(root: string): Promise<string> {
  const builds = join(root, '.cache', 'page');
  const folder = join(builds, await fingerprint(root));
  if (existsSync(folder)) return folder;
  await mkdir(builds, { recursive: true });
  const unfinished = await mkdtemp(join(builds, 'unfinished-'));
  try {
    await build({
      root: join(root, 'sandbox', 'slack', 'page'),
      configFile: false,
      logLevel: 'error',
      // Tests need the page as people see it: Vite would take their NODE_ENV as a request for React's development build.
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { development: false } },
      plugins: [react(), woff2Only],
      build: { outDir: unfinished, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
    });
    await rename(unfinished, folder);
  } catch (error) {
    // Another process may have finished the same build first, which is just as good.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** The emoji font's CSS names 8 MB of WOFF beside the WOFF2 that browsers take. */
const woff2Only: Plugin = {
  name: 'woff2-only',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('@fontsource') ? code.replace(/, url\(\S+\.woff\) format\('woff'\)/g, '') : null,
};

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')));
  const inside = await readdir(join(root, 'sandbox'), { recursive: true, withFileTypes: true });
  const built = inside.filter((entry) => entry.isFile() && !/\.test(ing)?\./.test(entry.name));
  const sources = built.map(({ parentPath, name }) => join(parentPath, name));
  for (const file of sources.sort()) hash.update(file.slice(root.length)).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
