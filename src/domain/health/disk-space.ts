/** The disk of the data folder. */
export interface DiskSpace {
  /** What Notif can still use. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** `low`: people are warned. `critical`: nothing that grows is written, before PostgreSQL runs out of space. */
export type DiskLevel = 'ample' | 'low' | 'critical';

export interface DiskReport extends DiskSpace {
  readonly level: DiskLevel;
}

const MB = 2 ** 20;

const LOW_BYTES = 200 * MB;
const LOW_SHARE = 0.05;
/** On a large disk a twentieth is more than needed. */
const MOST_LOW_BYTES = 2_048 * MB;
/** Four segments of PostgreSQL's log. */
const CRITICAL_BYTES = 64 * MB;
/** Higher than the limit, so that a few bytes don't switch it back and forth. */
const RELAXED_BYTES = 96 * MB;

/** Returns how short of space the disk is, given that it was `before`. */
export function diskLevel(before: DiskLevel, { freeBytes, totalBytes }: DiskSpace): DiskLevel {
  if (freeBytes < (before === 'critical' ? RELAXED_BYTES : CRITICAL_BYTES)) return 'critical';
  const low = Math.max(LOW_BYTES, Math.min(LOW_SHARE * totalBytes, MOST_LOW_BYTES));
  return freeBytes < low ? 'low' : 'ample';
}
