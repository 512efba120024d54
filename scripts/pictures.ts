import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { savePicture } from './pictures/save.ts';
import { openSet } from './pictures/set.ts';
import { story } from './pictures/story.ts';

/** The folder of the README's pictures. */
const FOLDER = fileURLToPath(new URL('../docs/pictures', import.meta.url));

await mkdir(FOLDER, { recursive: true });
const set = await openSet();
try {
  await story(set, (name, png) => savePicture(join(FOLDER, `${name}.png`), png));
} finally {
  await set.close();
}
