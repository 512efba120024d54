import type { Sql } from '../database/database.ts';

/** Edits are paused as a whole, posts by the channel or person that they go to. */
export const EDITS = 'edits';

/** Nothing is sent to `subject` before `until`, by any replica. */
export async function pause(sql: Pick<Sql, 'write'>, subject: string, until: Date): Promise<void> {
  await sql.write(
    `INSERT INTO slack_pauses (subject, until) VALUES ($1, $2)
     ON CONFLICT (subject) DO UPDATE SET until = GREATEST(slack_pauses.until, EXCLUDED.until)`,
    [subject, until],
  );
}
