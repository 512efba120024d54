import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type DiskReport, type DiskSpace, diskLevel } from '../../domain/health/disk-space.ts';
import type { Logger } from '../../domain/logger.ts';
import { systemCode } from '../../domain/text/system-code.ts';

/** Measures the space on a folder's disk. */
export type MeasureDisk = (folder: string) => Promise<DiskSpace>;

/** Watches the space on the data folder's disk. */
export interface DiskWatch {
  /** Returns what the last look found; null before the first, and if the system doesn't say. */
  report(): DiskReport | null;
  /** Measures the space and maintains the reserve. Never rejects. */
  look(): Promise<DiskReport | null>;
}

const MB = 2 ** 20;

/** Two segments of PostgreSQL's log: enough to open a database after a crash and write a checkpoint. */
export const RESERVE_BYTES = 32 * MB;
const RESERVE_FROM_BYTES = 4 * RESERVE_BYTES;

/**
 * Watches the space on a data folder's disk. While there is plenty, keeps a reserve file there and removes it when the disk fills up, so
 * that the database can be opened and keep responding.
 */
export function watchDisk(folder: string, logger: Logger, measure: MeasureDisk = measureDisk): DiskWatch {
  let report: DiskReport | null = null;
  let isKnown = true;
  return {
    report: () => report,
    async look() {
      try {
        const space = await measure(folder);
        const before = report?.level ?? 'ample';
        const isOpening = report === null;
        report = { ...space, level: diskLevel(before, space) };
        isKnown = true;
        if (report.level !== before) logLevel(report, logger);
        // Opening the database is quick; the reserve is made after it.
        if (!isOpening) await keepReserve(folder, report);
      } catch (err) {
        if (isKnown) logger.warn({ err }, 'room on the disk of the data folder is unknown');
        isKnown = false;
      }
      return report;
    },
  };
}

function logLevel({ level, freeBytes, totalBytes }: DiskReport, logger: Logger): void {
  const fields = { room: level, freeBytes, totalBytes };
  if (level === 'ample') logger.info(fields, 'disk of the data folder has room again');
  else
    logger.warn(
      fields,
      'disk of the data folder is short of room: free up space, or set a shorter NOTIF_RETENTION_DAYS',
    );
}

/** Creates the reserve only if it doesn't make the disk critical. */
async function keepReserve(folder: string, { freeBytes }: DiskReport): Promise<void> {
  if (freeBytes < RESERVE_BYTES) await releaseReserve(folder);
  else if (freeBytes >= RESERVE_FROM_BYTES) await makeReserve(folder);
}

const reserveIn = (folder: string): string => join(folder, 'reserve');

export async function releaseReserve(folder: string): Promise<void> {
  await rm(reserveIn(folder), { force: true });
}

/** Writes random bytes, since some file systems compress others. */
async function makeReserve(folder: string): Promise<void> {
  const path = reserveIn(folder);
  if ((await sizeOf(path)) === RESERVE_BYTES) return;
  const file = await open(path, 'w');
  try {
    const piece = randomBytes(MB);
    for (let written = 0; written < RESERVE_BYTES; written += MB) await file.write(piece);
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

export async function measureDisk(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
