import type { Transaction } from '@electric-sql/pglite';
import { z } from 'zod';
import { Count } from '../row.ts';

/** The embedded PostgreSQL's checkpoints: up to each of them its log is no longer needed. */
export interface Checkpoints {
  /** To be called in each transaction, before all else; makes a checkpoint now and then. */
  inTransaction(transaction: Pick<Transaction, 'query'>): Promise<void>;
}

const BehindRow = z.object({ bytes: Count });

/** What was written since the last checkpoint, in bytes of the log. */
const BEHIND = 'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) AS bytes FROM pg_control_checkpoint()';

const LOOK_EVERY = 100;
const MOST_BYTES = 64 * 2 ** 20;

/**
 * A server has a process that makes checkpoints; PGlite makes none before it is closed. Without this its log would grow for as long as
 * it is open, and after a kill all of it would be read again. A look every hundred transactions costs nothing that could be measured; a
 * checkpoint of so many bytes takes some tens of milliseconds.
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
