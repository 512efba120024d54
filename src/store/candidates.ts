import { z } from 'zod';
import type { Candidate } from '../domain/news.ts';
import type { Minutes } from '../domain/threshold.ts';
import type { Watch } from '../domain/watch.ts';
import { jsonOf, type Sql } from './database.ts';
import { minutesOf } from './group-counts.ts';
import { Count } from './row.ts';
import { StoredVerdict, TallyColumns, tallyOf } from './tallies.ts';

const StoredHold = z.enum(['quiet', 'mute', 'pace', 'gone']);

const CandidateRow = TallyColumns.extend({
  span_id: Count,
  began_as: z.enum(['new', 'back', 'goes-on']),
  acknowledged_at: z.date().nullable(),
  topics_asked: z.array(z.string()),
  verdicts: z.array(StoredVerdict),
  told_failures: Count.nullable(),
  is_gone: z.boolean().nullable(),
  group_told_at: z.date().nullable(),
  is_muted: z.boolean(),
  missed: Count,
  held_why: StoredHold.nullable(),
  held_since: z.date().nullable(),
});
type CandidateRow = z.output<typeof CandidateRow>;

const NO_MINUTES: Minutes = { failures: new Map(), events: new Map() };

/**
 * The episodes of an environment that a watch may have to be told of: those that counted a failure after `scannedSeq`, and those that
 * were kept for later.
 */
export async function candidates(
  sql: Pick<Sql, 'rows'>,
  watch: Watch,
  environment: string,
  scannedSeq: number,
  now: Date,
): Promise<Candidate[]> {
  const { filter } = watch.settings;
  const topics = jsonOf(filter.topics.map((topic) => topic.toLowerCase()));
  const rows = await sql.rows(CandidateRow, CANDIDATES, [watch.id, environment, scannedSeq, now, topics]);
  const minutes = await minutesFor(sql, watch, rows);
  return rows.map((row) => candidateOf(row, minutes.get(row.span_id) ?? NO_MINUTES));
}

/** Only what has failed often enough, and was not told, is looked at by the minute. */
async function minutesFor(
  sql: Pick<Sql, 'rows'>,
  { settings: { threshold } }: Watch,
  rows: readonly CandidateRow[],
): Promise<ReadonlyMap<number, Minutes>> {
  if (threshold === null) return new Map();
  const doubtful = rows.filter((row) => row.told_failures === null && row.failures >= threshold.failures);
  return minutesOf(
    sql,
    doubtful.map((row) => row.span_id),
    threshold.withinMs,
  );
}

function candidateOf(row: CandidateRow, minutes: Minutes): Candidate {
  return {
    episodeId: row.span_id,
    beganAs: row.began_as,
    tally: tallyOf(row),
    watchable: {
      environment: row.environment,
      workflow: row.workflow,
      workflowName: row.workflow_name,
      channel: row.channel,
      provider: row.provider,
      severities: row.severities,
      verdicts: row.verdicts,
      topics: row.topics_asked,
    },
    isAcknowledged: row.acknowledged_at !== null,
    told: row.told_failures === null ? null : { failures: row.told_failures, isGone: row.is_gone === true },
    groupToldAt: row.group_told_at,
    isMuted: row.is_muted,
    missed: row.missed,
    minutes,
    held: row.held_why && row.held_since && { why: row.held_why, since: row.held_since },
  };
}

/**
 * Of watch $1 in environment $2, after failure $3, at $4; of topics, those among $5. A message that waits to be posted is as good as
 * told now. An episode's failures are those after its predecessor's last.
 */
const CANDIDATES = `
  WITH touched AS (
    SELECT s.id FROM spans s WHERE s.newest_seq > $3
    UNION SELECT h.span_id FROM held_back h WHERE h.watch_id = $1
  ), unsettled AS (
    SELECT group_key, bool_or(until > $4) AS is_running, min(after_seq) FILTER (WHERE until <= $4) AS missed_after
    FROM mutes WHERE watch_id = $1 AND settled_at IS NULL GROUP BY group_key
  )
  SELECT g.*, s.id AS span_id, s.began_as, s.acknowledged_at, s.failures, s.subscribers, s.events, s.first_seen, s.last_seen,
    s.verdicts, s.severities, s.critical, s.event_id, s.transaction_id, s.subscriber_id,
    ARRAY(SELECT topic FROM unnest(s.topics) AS topic WHERE $5::jsonb ? lower(topic)) AS topics_asked,
    last.told_failures, last.is_gone, turn.group_told_at,
    coalesce(muted.is_running, false) AS is_muted,
    CASE WHEN muted.missed_after IS NULL AND all_muted.missed_after IS NULL THEN 0 ELSE (
      SELECT count(*) FROM failures f WHERE f.group_key = s.group_key AND f.seq <= s.newest_seq AND f.seq > GREATEST(
        LEAST(muted.missed_after, all_muted.missed_after), last.to_seq,
        (SELECT max(newest_seq) FROM spans before WHERE before.group_key = s.group_key AND before.id < s.id))
    ) END AS missed,
    held.why AS held_why, held.since AS held_since
  FROM touched
  JOIN spans s ON s.id = touched.id
  JOIN groups g ON g.key = s.group_key AND g.environment = $2
  LEFT JOIN held_back held ON held.watch_id = $1 AND held.span_id = s.id
  LEFT JOIN unsettled muted ON muted.group_key = s.group_key
  LEFT JOIN unsettled all_muted ON all_muted.group_key IS NULL
  LEFT JOIN LATERAL (
    SELECT coalesce(a.told_failures, s.failures) AS told_failures, a.told_to <= s.last_recorded_at AS is_gone, d.to_seq
    FROM announcements a JOIN digests d ON d.id = a.digest_id
    WHERE a.span_id = s.id AND a.watch_id = $1 ORDER BY d.created_at DESC LIMIT 1
  ) last ON true
  LEFT JOIN LATERAL (
    SELECT max(CASE WHEN d.state = 'posted' THEN d.posted_at ELSE $4 END) AS group_told_at
    FROM spans known JOIN announcements a ON a.span_id = known.id AND a.watch_id = $1 JOIN digests d ON d.id = a.digest_id
    WHERE known.group_key = s.group_key AND d.state <> 'gone'
  ) turn ON true`;
