import { statfs } from 'node:fs/promises';
import type { Logger } from '../lib/logger.ts';

export async function freeBytesIn(folder: string | null, logger: Logger): Promise<number | null> {
  if (folder === null) return null;
  const unknown = (err: unknown) => logger.warn({ err, folder }, 'Free space on the disk of the data folder unknown');
  const disk = await statfs(folder).catch(unknown);
  return disk ? disk.bavail * disk.bsize : null;
}

export const MB = 2 ** 20;
