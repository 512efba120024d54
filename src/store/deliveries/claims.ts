import type { Database } from '../database/database.ts';

export function claims(database: Database) {
  return {
    /**
     * Ends all leases on messages, as those of dead processes, `afterMs` from now by the database's clock. Only for a process that is alone
     * on its store. Notif then searches the channels for posts that were under way.
     */
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
