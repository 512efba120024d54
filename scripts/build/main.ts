import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { packEmptyDatabase } from '../../src/store/database/empty-database.ts';
import { build } from './build.ts';
import { fingerprintOf } from './fingerprint.ts';

/** `npm run build`, also before `npm start`: compiles `src/` and packs an empty database, into `dist/`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** What a build depends on: the sources, how they are compiled, and by which versions of the packages. */
const INPUTS = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const WORK_FOLDER = join(ROOT, 'node_modules/.cache/notif/builds');
const ARCHIVE = 'store/database/empty-database.tgz';

const fingerprint = await fingerprintOf(ROOT, INPUTS);
const outcome = await build({ folder: DIST, workFolder: WORK_FOLDER, fingerprint, make });
console.log(outcome === 'kept' ? 'dist/ is up to date.' : 'Built dist/.');

async function make(folder: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  await run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder]);
  // To pack one takes three seconds, and it depends on PGlite alone.
  const packed = join(DIST, ARCHIVE);
  if (existsSync(packed)) await cp(packed, join(folder, ARCHIVE), { preserveTimestamps: true });
  await packEmptyDatabase(pathToFileURL(join(folder, ARCHIVE)));
}

/** What the compiler has to say goes where the build's own words go. */
async function run(command: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: ROOT });
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) console.error(String(error.stdout));
    throw error;
  }
}
