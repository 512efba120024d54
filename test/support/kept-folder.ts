import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/notif', import.meta.url));
const Installed = z.object({ version: z.string() });

/** A folder that is reused between runs: `make` fills it once for each version of the package, whose package.json is named. */
export async function keptFolder(
  name: string,
  packageFile: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const { version } = Installed.parse(JSON.parse(await readFile(packageFile, 'utf8')));
  const folder = join(CACHE, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, `${name}-unfinished-`));
  await make(unfinished);
  await moveIntoPlace(unfinished, folder);
  return folder;
}

const MIGRATIONS = fileURLToPath(new URL('../../src/store/migrations', import.meta.url));

/** Returns the name with a hash of the migrations: of a folder that has to be made again once they change. */
export function withTables(name: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'));
  for (const file of files.sort()) hash.update(readFileSync(join(MIGRATIONS, file)));
  return `${name}-${hash.digest('hex').slice(0, 12)}`;
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
