import type { Database } from '../database/database.ts';

export function claims(database: Database) {
  return {
    /** Only for a process that is alone on its store: these leases are those of dead processes. They end `afterMs` from now. */
    releaseClaims: (afterMs: number): Promise<void> =>
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
