import { z } from 'zod';
import type { Mute } from '../../domain/incidents/episode.ts';
import { BY_ITSELF, type SqlRows, type SqlWrite } from '../database/database.ts';
import { datedAt } from '../database/dated-at.ts';

export interface UnsettledMute extends Mute {
  readonly incidentKey: string | null;
}

const MuteRow = z
  .object({ incident_key: z.string().nullable(), muted_by: z.string(), muted_at: z.date(), until: z.date() })
  .transform(
    (row): UnsettledMute => ({ incidentKey: row.incident_key, by: row.muted_by, from: row.muted_at, until: row.until }),
  );

export function unsettledMutes(sql: SqlRows, watchId: string): Promise<UnsettledMute[]> {
  const mutes = `SELECT g.incident_key, m.muted_by, m.muted_at, m.until FROM mutes m LEFT JOIN groups g ON g.key = m.group_key
    WHERE m.watch_id = $1 AND m.settled_at IS NULL ORDER BY m.until DESC`;
  return sql.rows(MuteRow, mutes, [watchId]);
}

/** Returns the whole-watch mute: the active one, or the last that ended. */
export function ofWholeWatch(mutes: readonly UnsettledMute[]): Mute | null {
  return mutes.find(({ incidentKey }) => incidentKey === null) ?? null;
}

/** The condition that mute `m` withheld failure `f` of the environment of cursor `c`, if it covers its incident. */
export const IS_WITHHELD = `f.occurred_at >= ${datedAt('m.muted_at', 'c')} AND f.recorded_at >= m.muted_at AND f.recorded_at < m.until`;

/** No environment has a failure left that was recorded before the end but not looked at, nor one of a held episode. */
export async function settleMutes(sql: SqlWrite, watchId: string, now: Date): Promise<void> {
  await sql.write(SETTLE, [watchId, now]);
}

/** An unsettled mute costs reading a row in each poll; it never makes fresh failures look withheld. */
const SETTLE = `
  UPDATE mutes m SET settled_at = $2
  WHERE m.watch_id = $1 AND m.settled_at IS NULL AND m.until <= $2
    AND NOT EXISTS (
      SELECT 1 FROM positions p CROSS JOIN LATERAL (
        SELECT recorded_at FROM failures WHERE environment = p.environment AND seq > p.scanned_seq ORDER BY seq ${BY_ITSELF}
      ) f
      WHERE p.watch_id = m.watch_id AND f.recorded_at < m.until
    ) AND NOT EXISTS (
      SELECT 1 FROM held_back h JOIN episodes s ON s.id = h.episode_id
      JOIN groups g ON g.key = s.group_key JOIN environments c ON c.environment = g.environment
      JOIN episode_parts part ON part.episode_id = s.id JOIN failures f ON f.group_key = part.group_key AND f.seq <= s.newest_seq
      WHERE h.watch_id = m.watch_id AND ${IS_WITHHELD}
        AND (m.group_key IS NULL OR s.incident_key = (SELECT incident_key FROM groups WHERE key = m.group_key))
    )`;
