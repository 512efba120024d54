import type { Transaction } from '@electric-sql/pglite';
import { z } from 'zod';
import { Count } from '../row.ts';

/** The embedded PostgreSQL's checkpoints. Its log is not needed before the last one. */
export interface Checkpoints {
  /** Makes a checkpoint now and then; must be called first in each transaction. */
  inTransaction(transaction: Pick<Transaction, 'query'>): Promise<void>;
}

const BehindRow = z.object({ bytes: Count });

/** The bytes of log written since the last checkpoint. */
const BEHIND = 'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) AS bytes FROM pg_control_checkpoint()';

const LOOK_EVERY = 100;
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Makes checkpoints like a server's background process does; PGlite makes none before it is closed. Without this its log would grow while
 * it is open, and after a kill all of it would be replayed. Checking every hundred transactions costs nothing measurable; a checkpoint of
 * this many bytes takes some tens of milliseconds.
 */
export function createCheckpoints(mostBytes = MOST_BYTES): Checkpoints {
  let transactions = 0;
  return {
    async inTransaction(transaction) {
      transactions += 1;
      if (transactions % LOOK_EVERY !== 0) return;
      const { rows } = await transaction.query(BEHIND);
      if (BehindRow.parse(rows[0]).bytes > mostBytes) await transaction.query('CHECKPOINT');
    },
  };
}
