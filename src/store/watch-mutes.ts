import { z } from 'zod';
import type { Mute } from '../domain/episode.ts';
import { jsonOf, type Sql } from './database.ts';
import { Count } from './row.ts';

/** A mute of a group by its key, or of a whole watch, that runs or whose end has not been told. */
export interface UnsettledMute extends Mute {
  readonly groupKey: string | null;
  /** What it keeps from the watch are the failures after this one. */
  readonly afterSeq: number;
}

const MuteRow = z
  .object({
    group_key: z.string().nullable(),
    muted_by: z.string(),
    muted_at: z.date(),
    until: z.date(),
    after_seq: Count,
  })
  .transform(
    (row): UnsettledMute => ({
      groupKey: row.group_key,
      by: row.muted_by,
      from: row.muted_at,
      until: row.until,
      afterSeq: row.after_seq,
    }),
  );

/** The mutes of a watch that are not settled, the one that runs longest first. */
export function unsettledMutes(sql: Pick<Sql, 'rows'>, watchId: string): Promise<UnsettledMute[]> {
  const mutes = `SELECT group_key, muted_by, muted_at, until, after_seq FROM mutes
    WHERE watch_id = $1 AND settled_at IS NULL ORDER BY until DESC`;
  return sql.rows(MuteRow, mutes, [watchId]);
}

/** The mute of the whole watch: the one that runs or, where none does, the last that has ended. */
export function ofWholeWatch(mutes: readonly UnsettledMute[]): Mute | null {
  return mutes.find(({ groupKey }) => groupKey === null) ?? null;
}

const MissedRow = z.object({ id: Count, count: Count });

/** Counts for each of some episodes its failures after `afterSeq`. They begin after the last of the group's episode before. */
export async function failuresAfter(
  sql: Pick<Sql, 'rows'>,
  episodes: readonly { readonly id: number; readonly afterSeq: number }[],
): Promise<ReadonlyMap<number, number>> {
  if (episodes.length === 0) return new Map();
  const rows = await sql.rows(MissedRow, FAILURES_AFTER, [jsonOf(episodes)]);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const FAILURES_AFTER = `
  SELECT s.id, missed.count
  FROM jsonb_to_recordset($1::jsonb) AS asked (id bigint, "afterSeq" bigint)
  JOIN spans s ON s.id = asked.id
  CROSS JOIN LATERAL (
    SELECT max(newest_seq) AS seq FROM spans older WHERE older.group_key = s.group_key AND older.id < s.id
  ) before
  CROSS JOIN LATERAL (
    SELECT count(*) FROM failures f
    WHERE f.group_key = s.group_key AND f.seq <= s.newest_seq AND f.seq > GREATEST(asked."afterSeq", before.seq)
  ) missed`;

/** A mute that has ended is settled once nothing is kept any more that it had kept from the watch, in whatever environment. */
export async function settleMutes(sql: Pick<Sql, 'write'>, watchId: string, now: Date): Promise<void> {
  await sql.write(
    `UPDATE mutes m SET settled_at = $2
     WHERE m.watch_id = $1 AND m.settled_at IS NULL AND m.until <= $2 AND NOT EXISTS (
       SELECT 1 FROM held_back h JOIN spans s ON s.id = h.span_id
       WHERE h.watch_id = m.watch_id AND h.why = 'mute' AND s.group_key = coalesce(m.group_key, s.group_key)
     )`,
    [watchId, now],
  );
}
