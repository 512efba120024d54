import { z } from 'zod';
import type { Elsewhere } from '../../domain/alerting/delivery.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { isOwn, ownValues, partsOf, wantedOf } from '../incidents/incident-parts.ts';
import { IS_LAST } from '../incidents/neighbours.ts';
import type { Position } from '../watches/positions.ts';

const AlertedRow = z.object({ episode_id: Count, announced_at: z.date() });
const FailedRow = z.object({ episode_id: Count, failures: Count });

/** What a digest keeps besides its columns; null if nothing failed elsewhere. */
export const DigestDetails = z
  .object({
    elsewhere: z.object({
      failures: z.number(),
      incidents: z.number(),
      announcedAt: z.array(z.coerce.date()).readonly(),
    }),
  })
  .nullable();

/**
 * Returns how often incidents announced to a watch earlier have failed in a range of failures, except those in the message itself
 * (`ownEpisodeIds`), for the workflows that the watch covers. Null if none has.
 */
export async function failedElsewhere(
  sql: SqlRows,
  watch: Watch,
  range: Pick<Position, 'environment' | 'announced_seq' | 'last_seq'>,
  ownEpisodeIds: readonly number[],
): Promise<Elsewhere | null> {
  const { environment, announced_seq: afterSeq, last_seq: toSeq } = range;
  const alerted = await sql.rows(AlertedRow, ALERTED_EARLIER, [watch.id, environment, afterSeq, jsonOf(ownEpisodeIds)]);
  if (alerted.length === 0) return null;
  const episodeIds = alerted.map(({ episode_id }) => episode_id);
  const wanted = await wantedGroups(sql, watch, episodeIds);
  const asked = await ownValues(sql, jsonOf(episodeIds), watch.settings.filter);
  if (asked === null) return null;
  const failed = await sql.rows(FailedRow, FAILED, [jsonOf(wanted), afterSeq, toSeq, ...asked]);
  if (failed.length === 0) return null;
  const ids = new Set(failed.map(({ episode_id }) => episode_id));
  const times = alerted
    .filter(({ episode_id }) => ids.has(episode_id))
    .map(({ announced_at }) => announced_at.getTime());
  return {
    failures: failed.reduce((sum, { failures }) => sum + failures, 0),
    incidents: failed.length,
    announcedAt: [...new Set(times)].toSorted((a, b) => b - a).map((time) => new Date(time)),
  };
}

async function wantedGroups(
  sql: SqlRows,
  { settings: { filter } }: Watch,
  ids: readonly number[],
): Promise<readonly { readonly episode_id: number; readonly group_key: string }[]> {
  const parts = await partsOf(sql, ids, filter);
  return [...parts].flatMap(([episode_id, all]) =>
    wantedOf(all, filter).wanted.map(({ tally }) => ({ episode_id, group_key: tally.group.key })),
  );
}

/**
 * The last episodes of incidents of environment $2 that failed after $3 and to which watch $1 was alerted, except the episodes $4; with when
 * their newest message was posted, or decided upon if it hasn't been.
 */
const ALERTED_EARLIER = `
  SELECT s.id AS episode_id, max(coalesce(m.posted_at, a.announced_at)) AS announced_at
  FROM episodes s JOIN groups g ON g.key = s.group_key AND g.environment = $2
  JOIN announcements a ON a.episode_id = s.id AND a.watch_id = $1 JOIN messages m ON m.id = a.message_id
  WHERE s.newest_seq > $3
    AND s.incident_key NOT IN (SELECT incident_key FROM episodes WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text($4::jsonb)))
    AND ${IS_LAST}
  GROUP BY s.id`;

/** What was recorded after $2 up to $3 in the groups $1 of episodes, limited to what the watch covers. */
const FAILED = `
  SELECT asked.episode_id, count(*) AS failures
  FROM jsonb_to_recordset($1::jsonb) AS asked (episode_id bigint, group_key text)
  JOIN failures f ON f.group_key = asked.group_key AND f.seq > $2 AND f.seq <= $3
  WHERE ${isOwn(4)}
  GROUP BY asked.episode_id`;
