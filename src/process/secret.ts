import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { systemCode } from '../lib/errors.ts';

/** The first process makes the file, for its user alone. */
export async function secretIn(file: string): Promise<string> {
  const made = randomBytes(32).toString('base64url');
  try {
    await writeFile(file, made, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (cause) {
    const next = 'set NOTIF_SECRET_FILE to a file of 43 characters or more that Notif may read, or make';
    const unusable = new Error(`The secret of ${file} can't be read or made. Next: ${next}`, { cause });
    if (systemCode(cause) !== 'EEXIST') throw unusable;
    const secret = (await readFile(file, 'utf8').catch(() => '')).trim();
    // Another replica may be writing it.
    if (secret.length < made.length) throw unusable;
    return secret;
  }
}
