import { addMilliseconds, min as earliest, max as latest, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { DIGEST_ROWS } from '../../domain/alerting/digest.ts';
import type { Success } from '../../domain/failures/successes.ts';
import { EPISODE_MS, type LastEpisode, nextEpisode } from '../../domain/incidents/episode.ts';
import { QUIET_MS } from '../../domain/incidents/incident.ts';
import { CLOCK_TOLERANCE_MS } from '../../domain/polling/clock.ts';
import { checkedMs } from '../../domain/time/coverage.ts';
import { jsonOf, type Sql, type SqlRows, type SqlWrite } from '../database/database.ts';
import { datedAt } from '../database/dated-at.ts';
import { notAfter } from '../database/not-after.ts';
import { Count, State } from '../database/row.ts';
import { type AddedFailure, MOST_TOPICS } from '../failures/added-failures.ts';
import { type OpenEpisode, partSumsOf, sumsOf } from './episode-sums.ts';
import { noteInThreads } from './threads.ts';
import { ALL_CHECKED, checkedSince, type UncheckedTime, uncheckedAfter } from './unchecked-time.ts';

const LastRow = z.object({
  incident_key: z.string(),
  group_keys: z.array(z.string()),
  id: Count.nullable(),
  ends_at: z.date().nullable(),
  last_seen: z.date().nullable(),
  last_recorded_at: z.date().nullable(),
  resolved_by_person_at: z.date().nullable(),
  state: State.nullable(),
  returns: z.number().nullable(),
  checked_to: z.date().nullable(),
  clock_ahead_ms: Count.nullable(),
  after_seq: Count,
});
type LastRow = z.output<typeof LastRow>;

/** The first failure of an episode begins it. An incident that fails again after it ended has relapsed. */
export async function countInEpisodes(sql: Sql, announced: readonly AddedFailure[], now: Date): Promise<void> {
  if (announced.length === 0) return;
  const groupKeys = jsonOf([...new Set(announced.map(({ group }) => group.key))]);
  await sql.write(LOCK_LAST, [groupKeys]);
  const last = await sql.rows(LastRow, LAST_OF_INCIDENTS, [groupKeys]);
  const hasBegun = await beginEpisodes(sql, last, announced, now);
  const open = hasBegun ? await sql.rows(LastRow, LAST_OF_INCIDENTS, [groupKeys]) : last;
  const episodes = open.flatMap(openEpisodeOf);
  const counted = await sql.rows(CountedRow, COUNT, [jsonOf(sumsOf(episodes, announced)), now]);
  await sql.write(COUNT_PARTS, [jsonOf(partSumsOf(episodes, announced))]);
  const relapsed = counted.flatMap(({ id, relapses }) => (relapses ? [id] : []));
  if (relapsed.length > 0) await sql.write(REDRAW_TITLES, [jsonOf(relapsed), now, subMilliseconds(now, EPISODE_MS)]);
  await noteInThreads(sql, relapsed, { what: 'relapsed', at: now }, now);
}

/** A message's title counts what is over, also beyond its rows, whose failures alone don't redraw it. */
const REDRAW_TITLES = `
  UPDATE messages d SET redraw_at = $2
  WHERE d.state = 'posted' AND d.posted_at > $3 AND d.id IN (
    SELECT message_id FROM announcements
    WHERE position > ${DIGEST_ROWS} AND episode_id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)))`;

const CountedRow = z.object({ id: Count, relapses: z.boolean() });

/** Begins the next episode for incidents whose last one is over or that have none. Returns false if all continue. */
async function beginEpisodes(
  sql: SqlRows & SqlWrite,
  last: readonly LastRow[],
  announced: readonly AddedFailure[],
  now: Date,
): Promise<boolean> {
  const unchecked = await uncheckedSinceLast(sql, last, announced, now);
  const begun = last.flatMap((row) => {
    const { incident_key, group_keys } = row;
    const own = announced.filter(({ group }) => group_keys.includes(group.key));
    const episode = nextEpisode(episodeOf(row, unchecked, now), latest(own.map(({ occurredAt }) => occurredAt)), now);
    return episode === null
      ? []
      : [{ incident_key, group_key: group_keys[0], began_as: episode.beganAs, returns: episode.returns }];
  });
  if (begun.length === 0) return false;
  await sql.write(ADD_NEXT, [jsonOf(begun), now, addMilliseconds(now, EPISODE_MS)]);
  return true;
}

/** Returns what wasn't checked since incidents that fire failed last; nothing if that is too short ago to matter. */
async function uncheckedSinceLast(
  sql: SqlRows,
  last: readonly LastRow[],
  announced: readonly AddedFailure[],
  now: Date,
): Promise<UncheckedTime> {
  const since = last.flatMap(({ state, last_recorded_at: at }) => (state === 'firing' && at !== null ? [at] : []));
  const environment = announced[0]?.group.environment;
  const from = new Date(Math.min(...since.map((at) => at.getTime()), now.getTime()));
  if (environment === undefined || now.getTime() - from.getTime() < QUIET_MS) return ALL_CHECKED;
  return uncheckedAfter(sql, environment, subMilliseconds(from, CLOCK_TOLERANCE_MS));
}

function episodeOf(row: LastRow, unchecked: UncheckedTime, now: Date): LastEpisode | null {
  const { ends_at: endsAt, last_seen: lastFailureAt, last_recorded_at: lastRecordedAt, state, checked_to } = row;
  if (endsAt === null || lastFailureAt === null || lastRecordedAt === null || state === null || checked_to === null)
    return null;
  const { resolved_by_person_at: resolvedByPersonAt, returns } = row;
  const checked = checkedSince(lastRecordedAt, { ...row, checked_to }, unchecked);
  const to = earliest([now, checked.checkedTo]);
  return {
    ...{ endsAt, lastFailureAt, lastRecordedAt, resolvedByPersonAt, state, returns: returns ?? 0 },
    checkedMs: checkedMs({ from: lastRecordedAt, to }, checked.unchecked),
  };
}

function openEpisodeOf({ id, group_keys, after_seq }: LastRow): OpenEpisode[] {
  return id === null ? [] : [{ id, groupKeys: new Set(group_keys), afterSeq: after_seq }];
}

/** Waits for what changes an episode's state, such as a person's [Resolve]: `COUNT` decides by the state that it finds when it begins. */
const LOCK_LAST = `
  SELECT 1 FROM episodes WHERE id IN (
    SELECT (SELECT max(id) FROM episodes s WHERE s.incident_key = g.incident_key)
    FROM groups g WHERE g.key IN (SELECT jsonb_array_elements_text($1::jsonb))
  ) ORDER BY id FOR NO KEY UPDATE`;

/** An incident's last episode counts: it holds what came after the last failure of earlier ones; one just begun has no failure yet. */
const LAST_OF_INCIDENTS = `
  SELECT touched.incident_key, touched.group_keys, s.*, coalesce(
    (SELECT max(newest_seq) FROM episodes older WHERE older.incident_key = touched.incident_key AND older.id < s.id), 0) AS after_seq
  FROM (
    SELECT g.incident_key, array_agg(g.key ORDER BY g.key) AS group_keys
    FROM jsonb_array_elements_text($1::jsonb) AS asked (key) JOIN groups g ON g.key = asked.key GROUP BY 1
  ) touched
  LEFT JOIN LATERAL (
    SELECT last.id, last.ends_at, nullif(last.last_seen, '-infinity') AS last_seen, last.last_recorded_at, last.state, last.returns, c.checked_to,
      c.clock_ahead_ms,
      CASE WHEN last.resolved_by IS NOT NULL THEN ${datedAt('last.state_at', 'c')} END AS resolved_by_person_at
    FROM episodes last JOIN groups g ON g.key = last.group_key JOIN environments c ON c.environment = g.environment
    WHERE last.incident_key = touched.incident_key ORDER BY last.id DESC LIMIT 1
  ) s ON true`;

/** Keeps the acknowledgment when the incident continues for another day or was only recovering, but not when it comes back. */
const ADD_NEXT = `
  INSERT INTO episodes (incident_key, group_key, began_as, returns, last_recorded_at, ends_at, newest_seq, state, state_at,
    relapses, acknowledged_by, acknowledged_at, assigned_to, assigned_by, assigned_at)
  SELECT begun.incident_key, begun.group_key, begun.began_as, begun.returns, $2, $3, 0, 'firing', $2,
    CASE begun.began_as WHEN 'goes-on' THEN coalesce(before.relapses, 0) WHEN 'relapsed' THEN coalesce(before.relapses, 0) + 1 ELSE 0 END,
    known.acknowledged_by, known.acknowledged_at, known.assigned_to, known.assigned_by, known.assigned_at
  FROM jsonb_to_recordset($1::jsonb) AS begun (incident_key text, group_key text, began_as text, returns integer)
  LEFT JOIN episodes before ON before.id = (SELECT max(id) FROM episodes s WHERE s.incident_key = begun.incident_key)
  LEFT JOIN episodes known ON known.id = before.id
    AND (begun.began_as = 'goes-on' OR begun.began_as = 'relapsed' AND before.state = 'recovering')`;

const SUM_COLUMNS = `episode_id bigint, group_key text, failures bigint, events bigint, subscribers bigint,
    first_seen timestamptz, last_seen timestamptz, first_event_at timestamptz, last_event_at timestamptz, verdicts text[], severities text[], topics text[], critical boolean,
    newest_seq bigint, event_id text, transaction_id text, subscriber_id text`;

const added = (row: string, sum: string): string => `
    failures = ${row}.failures + ${sum}.failures,
    events = ${row}.events + ${sum}.events,
    subscribers = ${row}.subscribers + ${sum}.subscribers,
    first_seen = LEAST(${row}.first_seen, ${sum}.first_seen),
    last_seen = GREATEST(${row}.last_seen, ${sum}.last_seen),
    verdicts = ARRAY(SELECT DISTINCT unnest(${row}.verdicts || ${sum}.verdicts)),
    severities = ARRAY(SELECT DISTINCT unnest(${row}.severities || ${sum}.severities)),
    topics = (${row}.topics || ARRAY(SELECT topic FROM unnest(${sum}.topics) AS topic WHERE topic <> ALL (${row}.topics)))[1:${MOST_TOPICS}],
    critical = ${row}.critical OR ${sum}.critical,
    event_id = ${sum}.event_id, transaction_id = ${sum}.transaction_id, subscriber_id = ${sum}.subscriber_id`;

/**
 * A late failure that occurred before the known ones, or before somebody resolved the incident, changes no state. A success before the last
 * failure says nothing about the failures after it. A relapse of a resolved incident drops the acknowledgment and the assignment: that
 * person might not be working on it.
 */
const COUNT = `
  UPDATE episodes s SET
    last_recorded_at = GREATEST(s.last_recorded_at, $2),
    newest_seq = sum.newest_seq,
    state = CASE WHEN news.fires THEN 'firing' ELSE s.state END,
    state_at = CASE WHEN news.fires AND s.state <> 'firing' THEN $2 ELSE s.state_at END,
    calm_from = CASE WHEN news.relapses THEN s.last_seen ELSE s.calm_from END,
    relapses = s.relapses + CASE WHEN news.relapses THEN 1 ELSE 0 END,
    relapsed_at = CASE WHEN news.relapses THEN s.relapsed_at || $2::timestamptz ELSE s.relapsed_at END,
    resolved_by = CASE WHEN news.fires THEN NULL ELSE s.resolved_by END,
    acknowledged_by = CASE WHEN news.relapses AND s.state = 'resolved' THEN NULL ELSE s.acknowledged_by END,
    acknowledged_at = CASE WHEN news.relapses AND s.state = 'resolved' THEN NULL ELSE s.acknowledged_at END,
    assigned_to = CASE WHEN news.relapses AND s.state = 'resolved' THEN NULL ELSE s.assigned_to END,
    assigned_by = CASE WHEN news.relapses AND s.state = 'resolved' THEN NULL ELSE s.assigned_by END,
    assigned_at = CASE WHEN news.relapses AND s.state = 'resolved' THEN NULL ELSE s.assigned_at END,
    succeeding_since = CASE WHEN s.succeeding_since > sum.last_seen THEN s.succeeding_since END,
    ${added('s', 'sum')}
  FROM jsonb_to_recordset($1::jsonb) AS sum (${SUM_COLUMNS})
  JOIN episodes known ON known.id = sum.episode_id JOIN groups g ON g.key = known.group_key JOIN environments c ON c.environment = g.environment
  CROSS JOIN LATERAL (
    SELECT sum.last_seen > known.last_seen AND (known.resolved_by IS NULL OR sum.last_seen > ${datedAt('known.state_at', 'c')}) AS fires
  ) later
  CROSS JOIN LATERAL (
    SELECT later.fires, later.fires AND known.state IN ('recovering', 'resolved') AS relapses
  ) news
  WHERE s.id = sum.episode_id
  RETURNING s.id, news.relapses`;

const COUNT_PARTS = `
  INSERT INTO episode_parts AS part (episode_id, group_key, failures, events, subscribers, first_seen, last_seen, first_event_at, last_event_at,
    verdicts, severities, topics, critical, newest_seq, event_id, transaction_id, subscriber_id)
  SELECT episode_id, group_key, failures, events, subscribers, first_seen, last_seen, first_event_at, last_event_at,
    verdicts, severities, topics[1:${MOST_TOPICS}], critical, newest_seq, event_id, transaction_id, subscriber_id
  FROM jsonb_to_recordset($1::jsonb) AS sum (${SUM_COLUMNS})
  ON CONFLICT (episode_id, group_key) DO UPDATE SET
    newest_seq = EXCLUDED.newest_seq,
    first_event_at = LEAST(part.first_event_at, EXCLUDED.first_event_at),
    last_event_at = GREATEST(part.last_event_at, EXCLUDED.last_event_at),
    ${added('part', 'EXCLUDED')}`;

/** A success before an episode's last failure shows nothing. */
export async function noteSuccesses(
  sql: SqlWrite,
  environment: string,
  successes: readonly Success[],
  now: Date,
): Promise<void> {
  if (successes.length === 0) return;
  const seen = successes.map((one) => ({ ...one, from: notAfter(now, one.from), to: notAfter(now, one.to) }));
  await sql.write(NOTE_SUCCESSES, [environment, jsonOf(seen), subMilliseconds(now, EPISODE_MS)]);
}

const NOTE_SUCCESSES = `
  UPDATE episodes s SET succeeding_since = own.since
  FROM (
    SELECT part.episode_id, min(CASE WHEN sent."from" > open.last_seen THEN sent."from" ELSE sent."to" END) AS since
    FROM episodes open JOIN episode_parts part ON part.episode_id = open.id JOIN groups g ON g.key = part.group_key
    JOIN jsonb_to_recordset($2::jsonb) AS sent (workflow text, channel text, provider text, "from" timestamptz, "to" timestamptz)
      ON sent.workflow IS NOT DISTINCT FROM g.workflow AND sent.channel = g.channel
      AND sent.provider IS NOT DISTINCT FROM g.provider
    WHERE g.environment = $1 AND open.last_recorded_at > $3 AND open.succeeding_since IS NULL AND sent."to" > open.last_seen
    GROUP BY part.episode_id
  ) own
  WHERE s.id = own.episode_id`;
