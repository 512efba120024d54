import { z } from 'zod';
import { ANNOUNCEMENT_MS } from '../domain/digest.ts';
import { jsonOf, type Sql } from './database.ts';
import { Count } from './row.ts';

/** A failure that was not known before. */
export const AddedRow = z.object({ seq: Count, group_key: z.string(), is_announced: z.boolean() });

/** Counts new failures in the spans of their groups, those that are announced; a group without a span that still counts gets a new one. */
export async function countInSpans(sql: Sql, added: readonly z.output<typeof AddedRow>[], now: Date): Promise<void> {
  const announced = added.filter((failure) => failure.is_announced);
  if (announced.length === 0) return;
  const groupKeys = jsonOf([...new Set(announced.map((failure) => failure.group_key))]);
  await sql.write(OPEN_SPANS, [groupKeys, now, new Date(now.getTime() + ANNOUNCEMENT_MS)]);
  await sql.write(COUNT, [jsonOf(announced.map((failure) => failure.seq)), now]);
}

const OPEN_SPANS = `
  INSERT INTO spans (group_key, ends_at, last_recorded_at)
  SELECT touched.key, $3, $2 FROM jsonb_array_elements_text($1::jsonb) AS touched (key)
  WHERE NOT EXISTS (SELECT 1 FROM spans s WHERE s.group_key = touched.key AND s.ends_at > $2)`;

/** The last span of a group is the one that counts. An event or subscriber counts where its subject was not there before. */
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
    failures = s.failures + sums.failures,
    events = s.events + (SELECT count(*) FROM counted c WHERE c.span_id = s.id AND c.kind = 'event'),
    subscribers = s.subscribers + (SELECT count(*) FROM counted c WHERE c.span_id = s.id AND c.kind = 'subscriber'),
    first_seen = LEAST(s.first_seen, sums.first_seen),
    last_seen = GREATEST(s.last_seen, sums.last_seen),
    verdicts = (SELECT array_agg(DISTINCT one) FROM unnest(s.verdicts || sums.verdicts) AS one),
    severities = (SELECT coalesce(array_agg(DISTINCT one), '{}') FROM unnest(s.severities || sums.severities) AS one),
    critical = s.critical OR sums.critical,
    event_id = newest.event_id, transaction_id = newest.transaction_id, subscriber_id = newest.subscriber_id
  FROM sums JOIN added newest ON newest.seq = sums.newest
  WHERE s.id = sums.span_id`;
