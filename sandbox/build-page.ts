import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build as bundle, type Plugin } from 'vite';
import { build } from '../scripts/build/build.ts';
import { fingerprintOf } from '../scripts/build/fingerprint.ts';

/** Builds the page into a folder named after its sources, unless it's there, and returns it. Processes can build at the same time. */
export async function buildPage(root: string): Promise<string> {
  const workFolder = join(root, '.cache', 'page');
  const fingerprint = await fingerprintOf(root, ['package-lock.json', 'sandbox']);
  const folder = join(workFolder, fingerprint.slice(0, 16));
  const make = async (outDir: string) =>
    void (await bundle({
      root: join(root, 'sandbox', 'slack', 'page'),
      configFile: false,
      logLevel: 'error',
      // Tests need the page as people see it: Vite would take their NODE_ENV as a request for React's development build.
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { development: false } },
      plugins: [react(), woff2Only],
      build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
    }));
  await build({ folder, workFolder, fingerprint, make });
  return folder;
}

/** The emoji font's CSS names 8 MB of WOFF beside the WOFF2 that browsers take. */
const woff2Only: Plugin = {
  name: 'woff2-only',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('@fontsource') ? code.replace(/, url\(\S+\.woff\) format\('woff'\)/g, '') : null,
};
