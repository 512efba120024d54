import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { highestSeverity } from '../../domain/failures/failure.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import { countOpen, type Outstanding, openSeverity } from '../../domain/incidents/outstanding.ts';
import type { StatusStore } from '../../use-cases/health/report-status.ts';
import { type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { OPEN } from './open-incidents.ts';

const OpenRow = z.object({
  critical: z.boolean(),
  severities: z.array(z.string().nullable()),
  is_failing: z.boolean(),
  incidents: Count,
});

export function outstanding(database: Database): Pick<StatusStore, 'outstanding'> {
  return {
    outstanding: async (environments, now) => {
      const since = subMilliseconds(now, EPISODE_MS);
      const open = await database.rows(OpenRow, OPEN_PARTS, [jsonOf(environments), since]);
      const counted = open.map(({ critical, severities, is_failing: isFailing, incidents }) => {
        return { severity: openSeverity(critical, highestSeverity(severities)), isFailing, incidents };
      });
      return { open: countOpen(counted), ...(await muted(database, null, now)) };
    },
  };
}

const OPEN_PARTS = `SELECT s.critical, s.severities, s.state = 'firing' AS is_failing, count(*) AS incidents ${OPEN} GROUP BY 1, 2, 3`;

const ChannelRow = z.object({ channel: z.string(), muted: Count, watches: Count, until: z.date() });

const IncidentsRow = z.object({ incidents: Count });

/** Returns what is currently muted in a channel, or in all channels if null. */
export async function muted(
  sql: SqlRows,
  channel: string | null,
  now: Date,
): Promise<Pick<Outstanding, 'mutes' | 'mutedIncidents'>> {
  const mutes = await sql.rows(ChannelRow, MUTED_CHANNELS, [now, channel]);
  const [row] = await sql.rows(IncidentsRow, MUTED_INCIDENTS, [now, channel]);
  return { mutes, mutedIncidents: row?.incidents ?? 0 };
}

const MUTED_CHANNELS = `
  SELECT w.channel, count(m.until) AS muted, count(*) AS watches, min(m.until) AS until
  FROM watches w LEFT JOIN LATERAL (
    SELECT max(until) AS until FROM mutes
    WHERE watch_id = w.id AND group_key IS NULL AND settled_at IS NULL AND until > $1
  ) m ON true
  WHERE w.ended_at IS NULL AND ($2::text IS NULL OR w.channel = $2)
  GROUP BY w.channel HAVING count(m.until) > 0 ORDER BY min(m.until), w.channel`;

const MUTED_INCIDENTS = `
  SELECT count(DISTINCT mg.incident_key) AS incidents
  FROM mutes m JOIN watches w ON w.id = m.watch_id JOIN groups mg ON mg.key = m.group_key
  WHERE m.settled_at IS NULL AND m.until > $1 AND w.ended_at IS NULL
    AND ($2::text IS NULL OR w.channel = $2)`;
