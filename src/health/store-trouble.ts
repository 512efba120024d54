import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { type StoreTrouble, StoreTroubleError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { inTime } from '../lib/time/waiting.ts';
import type { Db } from '../store/db.ts';

const AcceptsRow = z.object({ isReadOnly: z.boolean() });

/** Read-only: a standby, or `default_transaction_read_only`. */
const ACCEPTS =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only FROM kv WHERE key = 'migrations'";
export const ANSWER_MS = 3_000;

export function storeTrouble(db: Db): Promise<StoreTrouble | null> {
  const answer = db.rows(AcceptsRow, ACCEPTS).then(
    ([row]) => (row?.isReadOnly === true || db.isFull() ? 'read-only' : null),
    (error: unknown): StoreTrouble => (error instanceof StoreTroubleError ? error.trouble : 'refused'),
  );
  return inTime(answer, ANSWER_MS, 'not-answering');
}

/** Returns null without a folder, and if the system doesn't say. */
export async function freeBytesIn(folder: string | null, logger: Logger): Promise<number | null> {
  if (folder === null) return null;
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (err) {
    logger.warn({ err, folder }, 'Free space on the disk of the data folder unknown');
    return null;
  }
}
