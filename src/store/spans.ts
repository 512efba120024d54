import { z } from 'zod';
import { EPISODE_MS, nextEpisode } from '../domain/episode.ts';
import type { Success } from '../domain/reading.ts';
import type { AddedFailure } from './added-failures.ts';
import { jsonOf, type Sql } from './database.ts';
import { notAfter } from './not-after.ts';
import { Count } from './row.ts';
import { type OpenSpan, sumsOf } from './span-sums.ts';

const LastRow = z.object({
  key: z.string(),
  id: Count.nullable(),
  ends_at: z.date().nullable(),
  last_recorded_at: z.date().nullable(),
  returns: z.number().nullable(),
  after_seq: Count,
});
type LastRow = z.output<typeof LastRow>;

/** A group is known by so many of its topics, and no more: their number has no bound. */
export const MOST_TOPICS = 500;

/** Counts new failures, of groups that are announced, in the episodes that they belong to; the first of an episode begins it. */
export async function countInSpans(sql: Sql, announced: readonly AddedFailure[], now: Date): Promise<void> {
  if (announced.length === 0) return;
  const groupKeys = jsonOf([...new Set(announced.map(({ group }) => group.key))]);
  const last = await sql.rows(LastRow, LAST_OF_GROUPS, [groupKeys]);
  const hasBegun = await beginEpisodes(sql, last, now);
  const open = hasBegun ? await sql.rows(LastRow, LAST_OF_GROUPS, [groupKeys]) : last;
  await sql.write(COUNT, [jsonOf(sumsOf(open.flatMap(openSpanOf), announced)), now]);
}

/** Where the last episodes of some groups are over, or where there is none, begins the next. False where all go on. */
async function beginEpisodes(sql: Pick<Sql, 'write'>, last: readonly LastRow[], now: Date): Promise<boolean> {
  const begun = last.flatMap((row) => {
    const episode = nextEpisode(episodeOf(row), now);
    return episode === null ? [] : [{ group_key: row.key, began_as: episode.beganAs, returns: episode.returns }];
  });
  if (begun.length === 0) return false;
  await sql.write(ADD_NEXT, [jsonOf(begun), now, new Date(now.getTime() + EPISODE_MS)]);
  return true;
}

function episodeOf({ ends_at, last_recorded_at, returns }: LastRow): Parameters<typeof nextEpisode>[0] {
  if (ends_at === null || last_recorded_at === null) return null;
  return { endsAt: ends_at, lastRecordedAt: last_recorded_at, returns: returns ?? 0 };
}

function openSpanOf({ id, key, after_seq }: LastRow): OpenSpan[] {
  return id === null ? [] : [{ id, groupKey: key, afterSeq: after_seq }];
}

/** The last episode of a group is the one that counts: what came after the last failure of those before it. */
const LAST_OF_GROUPS = `
  SELECT touched.key, s.*, coalesce(
    (SELECT max(newest_seq) FROM spans older WHERE older.group_key = touched.key AND older.id < s.id), 0) AS after_seq
  FROM jsonb_array_elements_text($1::jsonb) AS touched (key)
  LEFT JOIN LATERAL (
    SELECT id, ends_at, last_recorded_at, returns FROM spans WHERE group_key = touched.key ORDER BY id DESC LIMIT 1
  ) s ON true`;

/** Whoever is at it is still at it when the group goes on for another day; when it comes back, nobody knows. */
const ADD_NEXT = `
  INSERT INTO spans (group_key, began_as, returns, last_recorded_at, ends_at, newest_seq, acknowledged_by, acknowledged_at)
  SELECT begun.group_key, begun.began_as, begun.returns, $2, $3, 0, before.acknowledged_by, before.acknowledged_at
  FROM jsonb_to_recordset($1::jsonb) AS begun (group_key text, began_as text, returns integer)
  LEFT JOIN spans before ON begun.began_as = 'goes-on'
    AND before.id = (SELECT max(id) FROM spans s WHERE s.group_key = begun.group_key)`;

/** A success before the last failure says nothing about the failures after it. */
const COUNT = `
  UPDATE spans s SET
    last_recorded_at = GREATEST(s.last_recorded_at, $2),
    newest_seq = sum.newest_seq,
    phase = 'failing',
    sending_since = CASE WHEN s.sending_since > sum.last_seen THEN s.sending_since END,
    failures = s.failures + sum.failures,
    events = s.events + sum.events,
    subscribers = s.subscribers + sum.subscribers,
    first_seen = LEAST(s.first_seen, sum.first_seen),
    last_seen = GREATEST(s.last_seen, sum.last_seen),
    first_event_at = LEAST(s.first_event_at, sum.first_event_at),
    last_event_at = GREATEST(s.last_event_at, sum.last_event_at),
    verdicts = ARRAY(SELECT DISTINCT unnest(s.verdicts || sum.verdicts)),
    severities = ARRAY(SELECT DISTINCT unnest(s.severities || sum.severities)),
    topics = (s.topics || ARRAY(SELECT topic FROM unnest(sum.topics) AS topic WHERE topic <> ALL (s.topics)))[1:${MOST_TOPICS}],
    critical = s.critical OR sum.critical,
    event_id = sum.event_id, transaction_id = sum.transaction_id, subscriber_id = sum.subscriber_id
  FROM jsonb_to_recordset($1::jsonb) AS sum (span_id bigint, failures bigint, events bigint, subscribers bigint,
    first_seen timestamptz, last_seen timestamptz, first_event_at timestamptz, last_event_at timestamptz, verdicts text[], severities text[], topics text[], critical boolean,
    newest_seq bigint, event_id text, transaction_id text, subscriber_id text)
  WHERE s.id = sum.span_id`;

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
  const seen = successes.map((one) => ({ ...one, from: notAfter(now, one.from), to: notAfter(now, one.to) }));
  await sql.write(NOTE_SUCCESSES, [environment, jsonOf(seen), new Date(now.getTime() - EPISODE_MS)]);
}

const NOTE_SUCCESSES = `
  UPDATE spans s SET sending_since = CASE WHEN sent."from" > s.last_seen THEN sent."from" ELSE sent."to" END
  FROM groups g
  JOIN jsonb_to_recordset($2::jsonb) AS sent (workflow text, channel text, provider text, "from" timestamptz, "to" timestamptz)
    ON sent.workflow IS NOT DISTINCT FROM g.workflow AND sent.channel = g.channel
    AND sent.provider IS NOT DISTINCT FROM g.provider
  WHERE g.key = s.group_key AND g.environment = $1 AND s.last_recorded_at > $3
    AND s.sending_since IS NULL AND sent."to" > s.last_seen`;
