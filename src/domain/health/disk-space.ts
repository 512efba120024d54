/** The disk of the data folder. */
export interface DiskSpace {
  /** What Notif may still use. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** `low`: people are warned, and less is kept. `critical`: nothing that grows is written, before PostgreSQL runs out of room and gives up. */
export type DiskLevel = 'ample' | 'low' | 'critical';

export interface DiskReport extends DiskSpace {
  readonly level: DiskLevel;
}

const MB = 2 ** 20;

const LOW_BYTES = 200 * MB;
const LOW_SHARE = 0.05;
/** A twentieth of a large disk is plenty. */
const MOST_LOW_BYTES = 2_048 * MB;
/** Four segments of PostgreSQL's log. */
const CRITICAL_BYTES = 64 * MB;
/** Above the line, so that a few bytes don't switch it back and forth. */
const RELAXED_BYTES = 96 * MB;

/** How short of room the disk is, where it was `before`. */
export function diskLevel(before: DiskLevel, { freeBytes, totalBytes }: DiskSpace): DiskLevel {
  if (freeBytes < (before === 'critical' ? RELAXED_BYTES : CRITICAL_BYTES)) return 'critical';
  const low = Math.max(LOW_BYTES, Math.min(LOW_SHARE * totalBytes, MOST_LOW_BYTES));
  return freeBytes < low ? 'low' : 'ample';
}

/** For how many days records are kept: half as long on a disk that is short of room, but never less than `leastDays`. */
export function daysKeptOn(level: DiskLevel, days: number, leastDays: number): number {
  return level === 'ample' ? days : Math.max(leastDays, Math.ceil(days / 2));
}
