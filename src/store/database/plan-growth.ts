import type { StatementResult } from './database.ts';

/** Tells when prepared plans are too old: one made for an empty table is poor for a full one. */
export interface PlanGrowth {
  /** Counts the rows that a statement has written. */
  note(text: string, result: StatementResult): void;
  /** Whether a connection is to discard its plans, because the tables have grown since. True once for that growth. */
  areOutdated(connection: object): boolean;
}

/** A server replaces plans by itself once it has analyzed a table, which it does once a minute at most. */
const LEAST_ROWS = 1_000;
const SHARE = 0.1;

export function createPlanGrowth(): PlanGrowth {
  const plannedAt = new WeakMap<object, number>();
  let written = 0;
  return {
    note(text, { rows, affected }) {
      if (WRITES.test(text)) written += Math.max(rows.length, affected);
    },
    areOutdated(connection) {
      const then = plannedAt.get(connection);
      if (then !== undefined && written - then < Math.max(LEAST_ROWS, then * SHARE)) return false;
      plannedAt.set(connection, written);
      return then !== undefined;
    },
  };
}

/** PostgreSQL says of `WITH added AS (INSERT …) SELECT …` only that it selected. */
const WRITES = /\b(?:INSERT|UPDATE|DELETE)\b/;
