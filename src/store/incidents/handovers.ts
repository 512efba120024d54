import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { EndingMute } from '../../domain/health/handover.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import type { HandoverStore } from '../../use-cases/health/write-handover.ts';
import { type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { incidentsNow } from './incidents-now.ts';
import { IS_LAST } from './neighbours.ts';

export type Handovers = Pick<HandoverStore, 'incidentsOver' | 'endingMutes'>;

export function handovers(database: Database): Handovers {
  return {
    incidentsOver: (...asked) => incidentsOver(database, ...asked),
    endingMutes: async (environments, { from, to }, limit) => {
      const rows = await database.rows(MuteRow, MUTES, [jsonOf(environments), from, to, limit]);
      return { items: rows.map(muteOf), more: (rows[0]?.total ?? 0) - rows.length };
    },
  };
}

/** Each row has the total. */
const Total = z.object({ total: Count });

const OverRow = Total.extend({ id: Count });

async function incidentsOver(
  sql: SqlRows,
  ...[environments, { from, to }, limit]: Parameters<HandoverStore['incidentsOver']>
): ReturnType<HandoverStore['incidentsOver']> {
  const names = jsonOf(environments);
  const quiet = [from, to].map((time) => subMilliseconds(time, EPISODE_MS));
  const rows = await sql.rows(OverRow, OVER, [names, from, ...quiet, limit]);
  const ids = rows.map(({ id }) => id);
  const known = await incidentsNow(sql, ids, null, to);
  const items = ids.flatMap((id) => known.get(id) ?? []);
  return { items, more: (rows[0]?.total ?? 0) - rows.length };
}

/** The last episodes of incidents of the environments $1 that were resolved since $2, or whose last failure was recorded after $3 and until $4. */
const OVER = `
  SELECT s.id, count(*) OVER () AS total FROM episodes s JOIN groups g ON g.key = s.group_key
  WHERE $1::jsonb ? g.environment AND g.announcement = 'announced'
    AND (s.state = 'resolved' AND s.state_at >= $2 OR s.state <> 'resolved' AND s.last_recorded_at > $3 AND s.last_recorded_at <= $4)
    AND ${IS_LAST}
  ORDER BY coalesce(s.state_at, s.last_recorded_at) DESC, s.id DESC LIMIT $5`;

const MuteRow = Total.extend({
  watch_channel: z.string(),
  muted_by: z.string(),
  until: z.date(),
  environment: z.string().nullable(),
  channel: z.string().nullable(),
  provider: z.string().nullable(),
  watches: Count,
});

function muteOf({ environment, channel, provider, ...row }: z.output<typeof MuteRow>): EndingMute {
  const isWatch = environment === null || channel === null;
  const muted = isWatch ? { watches: row.watches } : { environment, channel, provider };
  return { channel: row.watch_channel, muted, by: row.muted_by, until: row.until };
}

/** The environments that a watch covers, as JSON; an empty list means all of them. */
const COVERED = "coalesce(w.settings #> '{filter,environments}', '[]')";

/** Mutes of incidents of the environments $1, and of watches that cover any of them. */
const MUTES = `
  SELECT w.channel AS watch_channel, m.muted_by, m.until, g.environment, g.channel, g.provider,
    count(*) AS watches, count(*) OVER () AS total
  FROM mutes m JOIN watches w ON w.id = m.watch_id LEFT JOIN groups g ON g.key = m.group_key
  WHERE m.settled_at IS NULL AND m.until > $2 AND m.until <= $3 AND w.ended_at IS NULL
    AND CASE WHEN g.key IS NOT NULL THEN $1::jsonb ? g.environment
      ELSE ${COVERED} = '[]' OR ${COVERED} ?| ARRAY(SELECT jsonb_array_elements_text($1::jsonb)) END
  GROUP BY w.channel, m.muted_by, m.until, g.incident_key, g.environment, g.channel, g.provider
  ORDER BY m.until, min(m.id) LIMIT $4`;
