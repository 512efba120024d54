import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, encode } from 'fast-png';
import { openSet } from './pictures/set.ts';
import { story } from './pictures/story.ts';

/** The folder of the README's pictures. */
const FOLDER = fileURLToPath(new URL('../docs/pictures', import.meta.url));

await mkdir(FOLDER, { recursive: true });
const set = await openSet();
try {
  // Encoding again makes the browser's PNG a quarter smaller.
  const smaller = (png: Uint8Array) => encode(decode(png), { zlib: { level: 9 } });
  await story(set, (name, png) => writeFile(join(FOLDER, `${name}.png`), smaller(png)));
} finally {
  await set.close();
}
