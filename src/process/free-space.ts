import { statfs } from 'node:fs/promises';
import type { Logger } from '../lib/logger.ts';

const MB = 2 ** 20;
const LOOK_EVERY_MS = 30_000;
const LOW_BYTES = 200 * MB;
const NEEDED_BYTES = 64 * MB;

export async function watchFreeSpace(
  folder: string | null,
  logger: Logger,
  measure: (folder: string) => Promise<number> = freeBytesOn,
) {
  let bytes: number | null = null;
  let isLow = false;

  async function look(): Promise<void> {
    if (folder === null) return;
    bytes = await measure(folder).catch((err: unknown) => {
      if (bytes !== null) logger.warn({ err }, 'Free space on the disk of the data folder is unknown');
      return null;
    });
    const wasLow = isLow;
    isLow = bytes !== null && bytes < LOW_BYTES;
    if (isLow === wasLow) return;
    const fields = { folder, freeBytes: bytes };
    const full = 'Disk of the data folder is almost full: free up space, or set a shorter NOTIF_RETENTION_DAYS';
    if (isLow) logger.warn(fields, full);
    else logger.info(fields, 'Disk of the data folder has enough space again');
  }

  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return {
    bytes: () => bytes,
    isEnough: () => bytes === null || bytes >= NEEDED_BYTES,
    look,
    stop: () => clearInterval(timer),
  };
}

async function freeBytesOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
