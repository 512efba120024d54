import { z } from 'zod';
import type { WatchFilter } from '../../domain/watches/watch.ts';
import { BY_ITSELF, jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { isOwn, ownValues } from '../incidents/incident-parts.ts';
import { AFTER_SEQ } from '../incidents/neighbours.ts';
import { IS_WITHHELD, type UnsettledMute } from '../watches/watch-mutes.ts';

export interface CoveredParts {
  readonly id: number;
  readonly groupKeys: readonly string[];
  readonly afterSeq: number;
}

const WithheldRow = z.object({ id: Count, count: Count });

/** Those that occurred and were recorded during at least one mute, each once. An episode without any may be missing. */
export async function withheldBy(
  sql: SqlRows,
  mutes: readonly UnsettledMute[],
  episodes: readonly CoveredParts[],
  filter: WatchFilter,
): Promise<ReadonlyMap<number, number>> {
  if (mutes.length === 0 || episodes.length === 0) return new Map();
  const own = await ownValues(sql, jsonOf(episodes.map(({ id }) => id)), filter);
  if (own === null) return new Map();
  const intervals = mutes.map(({ incidentKey, from, until }) => ({ incident_key: incidentKey, muted_at: from, until }));
  const rows = await sql.rows(WithheldRow, WITHHELD, [jsonOf(episodes), jsonOf(intervals), ...own]);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** An episode's failures come after the last failure of its incident's previous episode. */
const WITHHELD = `
  WITH m AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS m (incident_key text, muted_at timestamptz, until timestamptz)
  )
  SELECT s.id, withheld.count
  FROM jsonb_to_recordset($1::jsonb) AS asked (id bigint, "groupKeys" jsonb, "afterSeq" bigint)
  JOIN episodes s ON s.id = asked.id JOIN groups g ON g.key = s.group_key JOIN environments c ON c.environment = g.environment
  CROSS JOIN LATERAL (
    SELECT ${AFTER_SEQ} AS seq
  ) before
  CROSS JOIN LATERAL (
    SELECT count(*) FROM jsonb_array_elements_text(asked."groupKeys") AS part (key) CROSS JOIN LATERAL (
      SELECT FROM failures f
      WHERE f.group_key = part.key AND f.seq <= s.newest_seq AND f.seq > GREATEST(asked."afterSeq", before.seq)
        AND EXISTS (SELECT 1 FROM m WHERE (m.incident_key IS NULL OR m.incident_key = s.incident_key) AND ${IS_WITHHELD})
        AND ${isOwn(3)} ${BY_ITSELF}
    ) f
  ) withheld`;
