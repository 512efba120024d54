import { chmod } from 'node:fs/promises';

/** The permissions of a folder that only its owner can enter. */
export const OWNER_ALONE = 0o700;

/**
 * Keeps other users of the machine out of a folder of ours: PGlite lets everybody write to the files it creates. Where the system refuses
 * (a file system without permissions, a folder of another owner) the folder keeps its permissions.
 */
export async function keepOthersOut(folder: string): Promise<void> {
  await chmod(folder, OWNER_ALONE).catch(() => {});
}
