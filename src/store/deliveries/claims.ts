import type { Database } from '../database/database.ts';

export interface Claims {
  /**
   * Ends all claims of messages, as of processes that are gone, `afterMs` from now by the database's clock: only for a process that is
   * alone on its store. What was being posted is looked for in its channel then.
   */
  releaseClaims(afterMs: number): Promise<void>;
}

export function claims(database: Database): Claims {
  return {
    releaseClaims: (afterMs) =>
      database.withTransaction(async (sql) => {
        await sql.write(
          `UPDATE messages SET leased_until = LEAST(leased_until, clock_timestamp() + $1 * interval '1 millisecond')
           WHERE state = 'posting'`,
          [afterMs],
        );
        await sql.write('UPDATE messages SET edit_leased_until = clock_timestamp() WHERE drawing_to IS NOT NULL');
      }),
  };
}
