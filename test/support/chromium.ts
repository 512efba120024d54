import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const PACKAGE = '@sparticuz/chromium';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/notif');
const Installed = z.object({ version: z.string() });

/**
 * Unpacks Chromium from its npm package, which takes two seconds and 200 MB. The folder is reused between runs; its name has the version of
 * the installed package.
 *
 * @returns the program's path. Rejects if the package can't unpack it.
 */
export async function unpackChromium(): Promise<string> {
  const installed = join(createRequire(import.meta.url).resolve(PACKAGE), '../../../package.json');
  const { version } = Installed.parse(JSON.parse(await readFile(installed, 'utf8')));
  const folder = join(CACHE, `chromium-${version}`);
  const program = join(folder, 'chromium');
  if (existsSync(program)) return program;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'chromium-unfinished-'));
  await unpackInto(unfinished);
  await moveIntoPlace(unfinished, folder);
  return program;
}

/** Moves the folder in one step, because other processes may be looking for it. If one of them was faster, uses theirs. */
async function moveIntoPlace(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    await rm(unfinished, { recursive: true });
  }
}

/** Runs in its own process, because the package unpacks into that process's temp folder. */
async function unpackInto(folder: string): Promise<void> {
  const script = `const { default: chromium } = await import('${PACKAGE}'); await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
  });
}
