import type { PGlite } from '@electric-sql/pglite';
import { z } from 'zod';
import { Count } from '../row.ts';

const BehindRow = z.object({ bytes: Count });

/** The bytes of log written since the last checkpoint; it is not needed before that. */
const BEHIND = 'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) AS bytes FROM pg_control_checkpoint()';

const MOST_BYTES = 64 * 2 ** 20;

/**
 * Makes a checkpoint like a server's background process does; PGlite makes none before it is closed. Without this its log would grow while
 * it is open, and after a kill all of it would be replayed. A checkpoint of this many bytes takes some tens of milliseconds.
 */
export async function checkpointIfBehind(pglite: Pick<PGlite, 'query'>, mostBytes = MOST_BYTES): Promise<void> {
  const { rows } = await pglite.query(BEHIND);
  if (BehindRow.parse(rows[0]).bytes > mostBytes) await pglite.query('CHECKPOINT');
}
