import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import { TRY_EDIT_EVERY_MS } from '../../domain/alerting/pace.ts';
import type { EditRefusedIn } from '../../domain/health/status.ts';
import type { EditRefusal } from '../../use-cases/alerting/deliver-messages.ts';
import type { Database, SqlWrite } from '../database/database.ts';

const RefusalRow = z.object({ channel: z.string(), reason: z.string() });

/** The condition that the channel of `edit_refusals` has a watch, whose messages are edited. */
export const HAS_EDITS =
  'EXISTS (SELECT 1 FROM watches w WHERE w.channel = edit_refusals.channel AND w.ended_at IS NULL)';

export function editRefusals(database: Database) {
  return {
    editRefusals: (): Promise<readonly EditRefusedIn[]> =>
      database.rows(RefusalRow, `SELECT channel, reason FROM edit_refusals WHERE ${HAS_EDITS} ORDER BY channel`),
  };
}

/** Records that Slack refused an edit in a channel. Returns when to try one there again; null if only the message was refused. */
export async function noteRefusal(
  sql: SqlWrite,
  channel: string,
  { reason, scope }: EditRefusal,
  now: Date,
): Promise<Date | null> {
  const retryAt = scope === 'channel' ? inHalfAnHour(now) : null;
  await sql.write(
    `INSERT INTO edit_refusals (channel, reason, since, retry_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (channel) DO UPDATE SET reason = EXCLUDED.reason,
       retry_at = coalesce(EXCLUDED.retry_at, edit_refusals.retry_at)`,
    [channel, reason, now, retryAt],
  );
  return retryAt;
}

/** Records an attempted edit in a channel. Where edits were refused, the next one is due half an hour later. */
export async function noteTry(sql: SqlWrite, channel: string, now: Date): Promise<void> {
  await sql.write('UPDATE edit_refusals SET retry_at = $2 WHERE channel = $1 AND retry_at IS NOT NULL', [
    channel,
    inHalfAnHour(now),
  ]);
}

export async function noteEditable(sql: SqlWrite, channel: string): Promise<void> {
  await sql.write('DELETE FROM edit_refusals WHERE channel = $1', [channel]);
}

function inHalfAnHour(now: Date): Date {
  return addMilliseconds(now, TRY_EDIT_EVERY_MS);
}
