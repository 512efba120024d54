import { type Db, jsonOf, rowsOf } from '../store/db.ts';
import type { alerts } from './tables.ts';

/** An alert that a message has already keeps its reason. */
export async function putAlerts(tx: Db, added: readonly (typeof alerts.$inferSelect)[]): Promise<void> {
  await tx.write(PUT, [rowsOf(added)]);
}

const PUT = `
  INSERT INTO alerts AS a SELECT * FROM jsonb_populate_recordset(NULL::alerts, $1::jsonb)
  ON CONFLICT (message_id, incident_id) DO UPDATE SET at = EXCLUDED.at, recorded = EXCLUDED.recorded, seq = EXCLUDED.seq,
    matched = EXCLUDED.matched, relapses = EXCLUDED.relapses, critical = EXCLUDED.critical, missed = NULLIF(coalesce(a.missed, 0) + coalesce(EXCLUDED.missed, 0), 0),
    state_at = EXCLUDED.state_at, escalated = EXCLUDED.escalated, reason = CASE WHEN a.reason = 'single' THEN EXCLUDED.reason ELSE a.reason END`;

export async function copyAlerts(tx: Db, id: number, from: number): Promise<void> {
  await tx.write(COPY, [id, from]);
}

const COPY = `
  INSERT INTO alerts (message_id, incident_id, watch_id, reason, at, recorded, seq, matched, relapses, critical, escalated, state_at)
  SELECT DISTINCT ON (a.watch_id) a.message_id, i.id, a.watch_id, a.reason, a.at, i.recorded, i.newest_seq, i.failures, 0, i.critical, a.escalated, a.state_at
  FROM alerts a, incidents i WHERE a.incident_id = $2 AND i.id = $1 AND a.watch_id IS NOT NULL
  ORDER BY a.watch_id, a.at DESC ON CONFLICT DO NOTHING`;

/** Sets whom a digest mentions: nobody if all its incidents are over, acknowledged or muted. */
export async function noteMention(db: Db, id: string, mention: object | null, now: Date): Promise<void> {
  await db.write(MENTION, [id, jsonOf(mention), now]);
}

const MENTION = `
  UPDATE messages SET content = jsonb_build_object('mention', CASE WHEN EXISTS (
    SELECT FROM alerts a JOIN incidents i ON i.id = a.incident_id
    WHERE a.message_id = $1 AND a.reason <> 'single' AND i.acknowledged_by IS NULL
      AND (i.state = 'firing' OR (a.reason = 'critical' AND i.state <> 'resolved'))
      AND NOT EXISTS (SELECT FROM mutes u WHERE u.watch_id = a.watch_id AND u.incident_id = i.id AND u.until > $3)
  ) THEN $2::jsonb END) WHERE id = $1`;
