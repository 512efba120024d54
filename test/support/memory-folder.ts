import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux has a file system in memory. Containers often give it 64 MB. */
const IN_MEMORY = '/dev/shm';

/** Several times the room that a run's databases take at the same time. */
const ROOM_BYTES = 4 * 1024 ** 3;

const NAME = /^notif-tests-(\d+)$/;

/**
 * Creates a folder in memory for this process's temporary files: there a database is copied in a tenth of the time that a disk takes.
 * Deletes the folders of runs that were killed. Returns undefined where there is no file system in memory, or too little room. The caller
 * deletes the folder.
 */
export async function memoryFolder(): Promise<string | undefined> {
  try {
    await deleteAbandoned();
    const { bavail, bsize } = await statfs(IN_MEMORY);
    if (bavail * bsize < ROOM_BYTES) return undefined;
    const folder = join(IN_MEMORY, `notif-tests-${process.pid}`);
    await mkdir(folder);
    return folder;
  } catch {
    // Other systems than Linux have no such folder, and a container may not let us write to it.
    return undefined;
  }
}

async function deleteAbandoned(): Promise<void> {
  const abandoned = (await readdir(IN_MEMORY)).filter((name) => {
    const [, pid] = NAME.exec(name) ?? [];
    return pid !== undefined && !isRunning(Number(pid));
  });
  for (const name of abandoned) await rm(join(IN_MEMORY, name), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process runs, but isn't ours.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
