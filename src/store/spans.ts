import { z } from 'zod';
import { EPISODE_MS, nextEpisode } from '../domain/episode.ts';
import type { Success } from '../domain/reading.ts';
import { jsonOf, type Sql } from './database.ts';
import { Count } from './row.ts';

/** A failure that was not known before. */
export const AddedRow = z.object({ seq: Count, group_key: z.string(), is_announced: z.boolean() });

const LastRow = z.object({
  key: z.string(),
  id: Count.nullable(),
  ends_at: z.date().nullable(),
  last_recorded_at: z.date().nullable(),
  returns: z.number().nullable(),
});

/** A group is known by so many of its topics, and no more: their number has no bound. */
export const MOST_TOPICS = 500;

/** Counts new failures, of groups that are announced, in the episodes that they belong to; the first of an episode begins it. */
export async function countInSpans(
  sql: Sql,
  announced: readonly z.output<typeof AddedRow>[],
  now: Date,
): Promise<void> {
  await beginEpisodes(sql, [...new Set(announced.map((failure) => failure.group_key))], now);
  await sql.write(COUNT, [jsonOf(announced.map((failure) => failure.seq)), now]);
}

async function beginEpisodes(sql: Sql, groupKeys: readonly string[], now: Date): Promise<void> {
  const last = await sql.rows(LastRow, LAST_OF_GROUPS, [jsonOf(groupKeys)]);
  const begun = last.flatMap((row) => {
    const episode = nextEpisode(episodeOf(row), now);
    return episode === null ? [] : [{ group_key: row.key, began_as: episode.beganAs, returns: episode.returns }];
  });
  if (begun.length === 0) return;
  await sql.write(OPEN, [jsonOf(begun), now, new Date(now.getTime() + EPISODE_MS)]);
}

function episodeOf({
  ends_at,
  last_recorded_at,
  returns,
}: z.output<typeof LastRow>): Parameters<typeof nextEpisode>[0] {
  if (ends_at === null || last_recorded_at === null) return null;
  return { endsAt: ends_at, lastRecordedAt: last_recorded_at, returns: returns ?? 0 };
}

const LAST_OF_GROUPS = `
  SELECT touched.key, s.* FROM jsonb_array_elements_text($1::jsonb) AS touched (key)
  LEFT JOIN LATERAL (
    SELECT id, ends_at, last_recorded_at, returns FROM spans WHERE group_key = touched.key ORDER BY id DESC LIMIT 1
  ) s ON true`;

/** Whoever is at it is still at it when the group goes on for another day; when it comes back, nobody knows. */
const OPEN = `
  INSERT INTO spans (group_key, began_as, returns, last_recorded_at, ends_at, newest_seq, acknowledged_by, acknowledged_at)
  SELECT begun.group_key, begun.began_as, begun.returns, $2, $3, 0, before.acknowledged_by, before.acknowledged_at
  FROM jsonb_to_recordset($1::jsonb) AS begun (group_key text, began_as text, returns integer)
  LEFT JOIN spans before ON begun.began_as = 'goes-on'
    AND before.id = (SELECT max(id) FROM spans s WHERE s.group_key = begun.group_key)`;

/**
 * The last episode of a group is the one that counts. An event or subscriber counts where its subject was not there before. A success
 * before the last failure says nothing about the failures after it.
 */
const COUNT = `
  WITH added AS (
    SELECT f.*, (SELECT max(id) FROM spans s WHERE s.group_key = f.group_key) AS span_id
    FROM failures f WHERE f.seq IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb))
  ), counted AS (
    INSERT INTO span_subjects (span_id, kind, subject)
    SELECT span_id, 'event', event_key FROM added
    UNION SELECT span_id, 'subscriber', subscriber_id FROM added WHERE subscriber_id IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING span_id, kind
  ), sums AS (
    SELECT span_id, count(*) AS failures, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen,
      array_agg(verdict) AS verdicts, array_agg(severity) FILTER (WHERE severity IS NOT NULL) AS severities,
      bool_or(critical) AS critical, max(seq) AS newest
    FROM added GROUP BY span_id
  )
  UPDATE spans s SET
    last_recorded_at = GREATEST(s.last_recorded_at, $2),
    newest_seq = sums.newest,
    phase = 'failing',
    sending_since = CASE WHEN s.sending_since > sums.last_seen THEN s.sending_since END,
    failures = s.failures + sums.failures,
    events = s.events + (SELECT count(*) FROM counted c WHERE c.span_id = s.id AND c.kind = 'event'),
    subscribers = s.subscribers + (SELECT count(*) FROM counted c WHERE c.span_id = s.id AND c.kind = 'subscriber'),
    first_seen = LEAST(s.first_seen, sums.first_seen),
    last_seen = GREATEST(s.last_seen, sums.last_seen),
    verdicts = (SELECT array_agg(DISTINCT one) FROM unnest(s.verdicts || sums.verdicts) AS one),
    severities = (SELECT coalesce(array_agg(DISTINCT one), '{}') FROM unnest(s.severities || sums.severities) AS one),
    topics = (s.topics || ARRAY(
      SELECT DISTINCT topic FROM added a CROSS JOIN unnest(a.topics) AS topic
      WHERE a.span_id = s.id AND topic <> ALL (s.topics)
    ))[1:${MOST_TOPICS}],
    critical = s.critical OR sums.critical,
    event_id = newest.event_id, transaction_id = newest.transaction_id, subscriber_id = newest.subscriber_id
  FROM sums JOIN added newest ON newest.seq = sums.newest
  WHERE s.id = sums.span_id`;

/**
 * Notes for the episodes of the last day since when their workflow, channel and provider have been sending again. What succeeded
 * before an episode's last failure shows nothing.
 */
export async function noteSuccesses(
  sql: Pick<Sql, 'write'>,
  environment: string,
  successes: readonly Success[],
  now: Date,
): Promise<void> {
  if (successes.length === 0) return;
  await sql.write(NOTE_SUCCESSES, [environment, jsonOf(successes), new Date(now.getTime() - EPISODE_MS)]);
}

const NOTE_SUCCESSES = `
  UPDATE spans s SET sending_since = CASE WHEN sent."from" > s.last_seen THEN sent."from" ELSE sent."to" END
  FROM groups g
  JOIN jsonb_to_recordset($2::jsonb) AS sent (workflow text, channel text, provider text, "from" timestamptz, "to" timestamptz)
    ON sent.workflow IS NOT DISTINCT FROM g.workflow AND sent.channel = g.channel
    AND sent.provider IS NOT DISTINCT FROM g.provider
  WHERE g.key = s.group_key AND g.environment = $1 AND s.last_recorded_at > $3
    AND s.sending_since IS NULL AND sent."to" > s.last_seen`;
