import { existsSync, readFileSync } from 'node:fs';

/** Reads Notif's version from the nearest package.json above its code, wherever the build put it. Throws if there is none. */
export function readVersion(folder: URL = new URL('.', import.meta.url)): string {
  const file = new URL('package.json', folder);
  if (existsSync(file)) return String(JSON.parse(readFileSync(file, 'utf8')).version);
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error('there is no package.json above the code of Notif');
  return readVersion(above);
}
