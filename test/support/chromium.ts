import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keptFolder } from './kept-folder.ts';

const PACKAGE = '@sparticuz/chromium';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function unpackChromium(): Promise<string> {
  const installed = join(createRequire(import.meta.url).resolve(PACKAGE), '../../../package.json');
  return join(await keptFolder('chromium', installed, unpackInto), 'chromium');
}

/** Runs in its own process, because the package unpacks into that process's temp folder. */
async function unpackInto(folder: string): Promise<void> {
  const script = `const { default: chromium } = await import('${PACKAGE}'); await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
  });
}
