import { readFileSync } from 'node:fs';

/** Notif's version, from the package.json one folder up: beside `src/` and `dist/` alike. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return String(version);
}
