import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDb } from '../../src/store/open.ts';
import { build } from './build.ts';
import { bundleBot } from './bundle.ts';
import { fingerprintOf } from './fingerprint.ts';

/** `npm run build`: checks types, bundles `src/` with its packages and makes an empty database, into `dist/`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** A change of one of these makes a new build. */
const INPUTS = ['src', 'scripts/build', 'tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json'];
const INPUTS_OF_DATABASE = ['src/store', 'package-lock.json'];
const WORK_FOLDER = join(ROOT, 'node_modules/.cache/notif/builds');
const DATABASE = 'empty-database';

/** An image is built without git's files. */
const commit = process.env.BUILD_COMMIT || (await describeCommit());
const fingerprint = `${await fingerprintOf(ROOT, INPUTS)} ${commit}`;
const outcome = await build({ folder: DIST, workFolder: WORK_FOLDER, fingerprint, make });
console.log(outcome === 'kept' ? 'dist/ is up to date.' : 'Built dist/.');

async function make(folder: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  await run(process.execPath, [compiler, '-p', 'tsconfig.build.json']);
  await bundleBot(ROOT, folder, commit);
  await emptyDatabase(folder);
}

/** Makes an empty database. That takes three seconds, so one that was made from the same sources is copied from the last build. */
async function emptyDatabase(folder: string): Promise<void> {
  const mark = `${DATABASE}.made-from`;
  const madeFrom = await fingerprintOf(ROOT, INPUTS_OF_DATABASE);
  const isMade = existsSync(join(DIST, mark)) && (await readFile(join(DIST, mark), 'utf8')) === madeFrom;
  if (isMade) cpSync(join(DIST, DATABASE), join(folder, DATABASE), { recursive: true });
  else await makeDatabase(join(folder, DATABASE));
  await writeFile(join(folder, mark), madeFrom);
}

async function makeDatabase(folder: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-empty-database-'));
  try {
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    await (await openDb({ kind: 'embedded', folder: dataDir }, { logger })).close();
    cpSync(join(dataDir, 'postgres'), folder, { recursive: true });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function describeCommit(): Promise<string> {
  const describing = promisify(execFile)('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: ROOT });
  return (await describing.catch(() => ({ stdout: '' }))).stdout.trim();
}

async function run(command: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: ROOT });
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) console.error(String(error.stdout));
    throw error;
  }
}
