import { z } from 'zod';
import { type GroupNow, TREND_LENGTH } from '../domain/delivery.ts';
import type { Acknowledgement, Mute, Phase } from '../domain/episode.ts';
import { type Share, shareOf } from '../domain/share.ts';
import { jsonOf, type Sql } from './database.ts';
import { Count } from './row.ts';
import { TallyColumns, tallyOf } from './tallies.ts';

const EpisodeRow = TallyColumns.extend({
  id: Count,
  phase: z.enum(['failing', 'quiet', 'recovered']),
  sending_since: z.date().nullable(),
  acknowledged_by: z.string().nullable(),
  acknowledged_at: z.date().nullable(),
  taken_back_by: z.string().nullable(),
  taken_back_at: z.date().nullable(),
  first_event_at: z.date().nullable(),
  last_event_at: z.date().nullable(),
  muted_by: z.string().nullable(),
  muted_at: z.date().nullable(),
  muted_until: z.date().nullable(),
});
type EpisodeRow = z.output<typeof EpisodeRow>;

const EventsRow = z.object({ events: Count });
const StretchRow = z.object({ stretches: Count, stretch: Count, failures: Count });

/** Some episodes, by their ids, with all that a row shows of them at `now`, among it whether they are muted in a watch ('': in none). */
export async function groupsNow(
  sql: Pick<Sql, 'rows'>,
  episodeIds: readonly number[],
  watchId: string,
  now: Date,
): Promise<ReadonlyMap<number, GroupNow>> {
  const rows = await sql.rows(EpisodeRow, EPISODES, [jsonOf(episodeIds), watchId, now]);
  const shares = await sharesOf(sql, rows);
  const trends = await trendsOf(sql, episodeIds);
  return new Map(
    rows.map((row) => {
      const state = { episodeId: row.id, tally: tallyOf(row), phase: phaseOf(row), mute: muteOf(row) };
      const acknowledged = byAt(row.acknowledged_by, row.acknowledged_at);
      const takenBack = acknowledged === null ? byAt(row.taken_back_by, row.taken_back_at) : null;
      const numbers = {
        share: shares.get(row.id) ?? null,
        trend: trends.get(row.id) ?? [],
      };
      return [row.id, { ...state, acknowledged, takenBack, ...numbers }];
    }),
  );
}

const EPISODES = `
  SELECT g.*, s.*, m.muted_by, m.muted_at, m.until AS muted_until
  FROM spans s JOIN groups g ON g.key = s.group_key
  LEFT JOIN LATERAL (
    SELECT muted_by, muted_at, until FROM mutes
    WHERE watch_id = $2 AND group_key = s.group_key AND settled_at IS NULL AND until > $3
    ORDER BY muted_at DESC LIMIT 1
  ) m ON true
  WHERE s.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb))`;

/** As it was settled in the last round (`settleEpisodes`), so that a message says the same whenever it is drawn. */
function phaseOf({ phase, last_seen, sending_since }: EpisodeRow): Phase {
  switch (phase) {
    case 'failing':
      return { phase };
    case 'quiet':
      return { phase, since: last_seen };
    case 'recovered':
      return { phase, since: sending_since ?? last_seen };
  }
}

function byAt(by: string | null, at: Date | null): Acknowledgement | null {
  return by !== null && at !== null ? { by, at } : null;
}

function muteOf({ muted_by: by, muted_at: from, muted_until: until }: EpisodeRow): Mute | null {
  return by !== null && from !== null && until !== null ? { by, from, until } : null;
}

/** Episode by episode: a workflow has a row a minute, and what is summed up in one statement holds up all others. */
async function sharesOf(
  sql: Pick<Sql, 'rows'>,
  rows: readonly EpisodeRow[],
): Promise<ReadonlyMap<number, Share | null>> {
  const shares = new Map<number, Share | null>();
  for (const { id, environment, workflow, events, first_event_at: from, last_event_at: to } of rows) {
    if (from === null || to === null) continue;
    const [sum] = await sql.rows(EventsRow, WORKFLOW_EVENTS, [environment, workflow ?? '', from, to]);
    shares.set(id, shareOf(events, sum?.events ?? 0, { from, to }));
  }
  return shares;
}

const WORKFLOW_EVENTS = `
  SELECT coalesce(sum(events), 0) AS events FROM event_counts
  WHERE environment = $1 AND workflow = $2 AND minute >= date_trunc('minute', $3::timestamptz, 'UTC') AND minute <= $4`;

/** Episode by episode, for the same reason. */
async function trendsOf(
  sql: Pick<Sql, 'rows'>,
  episodeIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const trends = new Map<number, number[]>();
  for (const episodeId of new Set(episodeIds)) {
    const stretches = await sql.rows(StretchRow, TREND, [episodeId]);
    const trend = Array.from({ length: stretches[0]?.stretches ?? 0 }, () => 0);
    for (const { stretch, failures } of stretches) trend[stretch] = failures;
    trends.set(episodeId, trend);
  }
  return trends;
}

/** Stretches of as many whole minutes as it takes to need no more than `TREND_LENGTH`; one alone is no trend. */
const TREND = `
  WITH asked AS MATERIALIZED (
    SELECT group_key, first_minute, last_minute,
      ceil((extract(epoch FROM last_minute - first_minute) / 60 + 1) / ${TREND_LENGTH}) * interval '1 minute' AS length
    FROM spans CROSS JOIN LATERAL (
      SELECT date_trunc('minute', first_seen, 'UTC') AS first_minute, date_trunc('minute', last_seen, 'UTC') AS last_minute
    ) seen
    WHERE id = $1 AND last_minute > first_minute
  )
  SELECT extract(epoch FROM last_minute - first_minute)::bigint / extract(epoch FROM length)::bigint + 1 AS stretches,
    extract(epoch FROM begins_at - first_minute)::bigint / extract(epoch FROM length)::bigint AS stretch, failures
  FROM asked CROSS JOIN LATERAL (
    SELECT date_bin(length, c.minute, first_minute) AS begins_at, sum(c.failures) AS failures FROM group_counts c
    WHERE c.group_key = asked.group_key AND c.minute BETWEEN first_minute AND last_minute GROUP BY 1
  ) counted`;
