import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { Checkpoints } from './checkpoints.ts';
import type { Outcome } from './protocol.ts';

/** PGlite's transactions, one at a time, for somebody who enters and leaves them by messages instead of a function. */
export interface Transactions {
  /** Resolves when it is this transaction's turn. */
  enter(id: number): Promise<void>;
  /** Throws where the transaction was not entered, or was left: a statement that comes late must not get into the next one's. */
  entered(id: number): Transaction;
  /** Resolves when all that the transaction wrote is kept, or none of it. Rejects where it could not be kept; then none is. */
  leave(id: number, outcome: Outcome): Promise<void>;
}

interface Current {
  readonly id: number;
  readonly transaction: Transaction;
  readonly end: (outcome: Outcome) => void;
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
          const outcome = await new Promise<Outcome>((end) => {
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
