import type { SqlWrite } from '../database/database.ts';

/** Edits are paused all together, posts by the channel or person that they go to. */
export const EDITS = 'edits';

export async function pause(sql: SqlWrite, subject: string, until: Date): Promise<void> {
  await sql.write(
    `INSERT INTO slack_pauses (subject, until) VALUES ($1, $2)
     ON CONFLICT (subject) DO UPDATE SET until = GREATEST(slack_pauses.until, EXCLUDED.until)`,
    [subject, until],
  );
}
