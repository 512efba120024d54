import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { Checkpoints } from './checkpoints.ts';
import type { TransactionEnd } from './protocol.ts';

/** PGlite's transactions, one at a time, entered and left by messages instead of a function. */
export interface Transactions {
  /** Resolves when it is this transaction's turn. */
  enter(id: number): Promise<void>;
  /** Throws if the transaction was not entered or has been left, so that a late statement can't get into the next one. */
  entered(id: number): Transaction;
  /** Resolves once all that the transaction wrote is committed or rolled back. Rejects if it couldn't be committed; then nothing is. */
  leave(id: number, outcome: TransactionEnd): Promise<void>;
}

interface Current {
  readonly id: number;
  readonly transaction: Transaction;
  readonly end: (outcome: TransactionEnd) => void;
  readonly ended: Promise<void>;
}

export function createTransactions(pglite: Pick<PGlite, 'transaction'>, checkpoints: Checkpoints): Transactions {
  let current: Current | undefined;

  function currentOf(id: number): Current {
    if (current?.id !== id) throw new Error(`transaction ${id} is not running`);
    return current;
  }

  return {
    enter: (id) =>
      new Promise((entered, failed) => {
        const ended = pglite.transaction(async (transaction) => {
          await checkpoints.inTransaction(transaction);
          const outcome = await new Promise<TransactionEnd>((end) => {
            current = { id, transaction, end, ended };
            entered();
          });
          if (outcome === 'rollback') await transaction.rollback();
        });
        ended.catch(failed);
      }),
    entered: (id) => currentOf(id).transaction,
    leave(id, outcome) {
      const { end, ended } = currentOf(id);
      current = undefined;
      end(outcome);
      return ended;
    },
  };
}
