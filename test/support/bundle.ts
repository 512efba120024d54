import { join } from 'node:path';
import { build } from '../../scripts/build/build.ts';
import { bundleBot } from '../../scripts/build/bundle.ts';
import { fingerprintOf } from '../../scripts/build/fingerprint.ts';

/**
 * Bundles the bot as `npm start` builds it, without the empty database, which tests provide themselves: into a folder named after its
 * sources, unless it is there. Returns the file that runs it.
 */
export async function buildBot(root: string): Promise<string> {
  // Inside the repository, so that packages that aren't in a bundle are resolved from here.
  const workFolder = join(root, 'node_modules/.cache/notif/bots');
  const fingerprint = await fingerprintOf(root, ['src', 'scripts/build', 'package-lock.json']);
  const folder = join(workFolder, fingerprint.slice(0, 16));
  await build({ folder, workFolder, fingerprint, make: (into) => bundleBot(root, into) });
  return join(folder, 'main.js');
}
