import { silent } from '../../src/lib/logger.testing.ts';
import { type Db, dbOn, type Engine } from '../../src/store/db.ts';

export type Guard = <Result>(step: () => Promise<Result>) => Promise<Result>;

export const unguarded: Guard = (step) => step();

class Death extends Error {
  override readonly name = 'Death';
}

interface Life {
  guard: Guard;
  isOver(): boolean;
  /** Ignores the error that the end of this life has caused; throws any other. */
  mourn(error: unknown): void;
}

/** Creates a life that ends before its `n`th step, which is also after the one before. All later steps throw, too. */
export function mortal(n: number): Life {
  let steps = 0;
  const guard: Guard = async (step) => {
    steps += 1;
    if (steps >= n) throw new Death();
    return step();
  };
  return {
    guard,
    isOver: () => steps >= n,
    mourn: (error) => {
      if (!(error instanceof Death)) throw error;
    },
  };
}

/**
 * A database in which what changes it is a step: a transaction, or a write alone. A death before a read leaves what one before the next
 * step leaves.
 */
export function dbWithGuard({ connect }: Engine, guard: Guard): Db {
  const guarded: Engine['connect'] = (use) =>
    connect((query) => {
      let isInTransaction = false;
      return use((text, ...given) => {
        const isStep = !isInTransaction && !/^\s*SELECT\b/i.test(text);
        // A transaction lasts until the connection is given back.
        isInTransaction ||= text.startsWith('BEGIN');
        return isStep ? guard(() => query(text, ...given)) : query(text, ...given);
      });
    });
  return dbOn(guarded, { logger: silent });
}
