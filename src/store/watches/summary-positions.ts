import { lastWallClock } from '../../domain/time/wall-clock.ts';
import type { WatchSettings } from '../../domain/watches/watch.ts';
import { jsonOf, type SqlWrite } from '../database/database.ts';
import { newestSeqIn } from './newest-seq.ts';

export interface SummedTo {
  readonly environment: string;
  readonly seq: number;
  readonly events: number;
  readonly unreadable: number;
  readonly failedEvents: number;
}

export async function moveSummaries(sql: SqlWrite, watchId: string, summed: readonly SummedTo[]): Promise<void> {
  await sql.write(
    `UPDATE positions p SET summed_seq = item.seq, summed_events = item.events, summed_unreadable = item.unreadable,
       summed_failed_events = item."failedEvents"
     FROM jsonb_to_recordset($2::jsonb)
       AS item (environment text, seq bigint, events bigint, unreadable bigint, "failedEvents" bigint)
     WHERE p.watch_id = $1 AND p.environment = item.environment`,
    [watchId, jsonOf(summed)],
  );
}

/** The assignments with which position `p` counts from the present of its environment's cursor `c`. */
export const SUMMED_TO_NOW = `
  summed_events = c.events, summed_unreadable = c.unreadable, summed_failed_events = c.failed_events,
  summed_seq = ${newestSeqIn('c')}`;

/** Makes the first summary of a watch start here; it's due the next time that its clock shows `summaryAt`. */
export async function beginSummaries(
  sql: SqlWrite,
  watchId: string,
  { summaryAt, timeZone }: { readonly summaryAt: number } & Pick<WatchSettings, 'timeZone'>,
  now: Date,
): Promise<void> {
  const { day } = lastWallClock(summaryAt, timeZone, now);
  await sql.write('UPDATE watches SET summed_to = $2, last_summary_day = $3 WHERE id = $1', [watchId, now, day]);
  await sql.write(
    `UPDATE positions p SET ${SUMMED_TO_NOW} FROM environments c WHERE p.watch_id = $1 AND c.environment = p.environment`,
    [watchId],
  );
}
