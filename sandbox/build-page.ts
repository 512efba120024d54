import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

/**
 * Builds the sandbox page, unless exactly these sources have been built before.
 *
 * Each build has its own folder, named after its sources, which appears complete: two processes can build at the same time, and neither
 * removes what the other is serving.
 *
 * @param root the repository.
 * @returns the folder to serve. Rejects with Vite's error.
 */
export async function buildPage(root: string): Promise<string> {
  const builds = join(root, '.cache', 'page');
  const folder = join(builds, await fingerprint(root));
  if (await exists(folder)) return folder;
  await mkdir(builds, { recursive: true });
  const unfinished = await mkdtemp(join(builds, 'unfinished-'));
  try {
    await build({
      root: pageFolder(root),
      configFile: false,
      logLevel: 'error',
      // Tests need the page as people see it: Vite would take their NODE_ENV as a request for React's development build.
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { development: false } },
      plugins: [react(), woff2Only],
      build: { outDir: unfinished, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
    });
    await moveIntoPlace(unfinished, folder);
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

const SHARED = [
  'sandbox/build-page.ts',
  'sandbox/slack/page-protocol.ts',
  'sandbox/slack/json.ts',
  'sandbox/slack/block-kit/fields.ts',
  'sandbox/director/protocol.ts',
  'package-lock.json',
];

function pageFolder(root: string): string {
  return join(root, 'sandbox', 'slack', 'page');
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256');
  const inside = await readdir(pageFolder(root), { recursive: true, withFileTypes: true });
  const sources = inside.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const others = SHARED.map((file) => join(root, file));
  for (const file of [...sources.sort(), ...others]) hash.update(file.slice(root.length)).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function moveIntoPlace(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another process finished the same build first, which is just as good.
    if (!(await exists(folder))) throw error;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
