import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import { type Evidence, type IncidentState, RECOVERING_MS, stateBy } from '../../domain/incidents/incident.ts';
import { datedAheadMs } from '../../domain/polling/clock.ts';
import { type Database, jsonOf, type Sql } from '../database/database.ts';
import { Count, State } from '../database/row.ts';
import { IS_LAST, OUTAGE_MESSAGES } from './neighbours.ts';
import { noteInThreads } from './threads.ts';
import { checkedSince, type UncheckedTime, uncheckedAfter } from './unchecked-time.ts';

const EvidenceRow = z.object({
  id: Count,
  state: State,
  last_seen: z.date(),
  last_recorded_at: z.date(),
  checked_to: z.date(),
  clock_ahead_ms: Count.nullable(),
  failures: Count,
  successes_meanwhile: Count,
  successes_since: Count,
  has_own_success: z.boolean(),
});
type EvidenceRow = z.output<typeof EvidenceRow>;

/** Redraws their messages, including one just being posted. An incident that fails meanwhile keeps the state from that. */
export async function settleIncidents(database: Database, environment: string, now: Date): Promise<void> {
  const provable = subMilliseconds(now, PROVABLE_MS);
  const open = await database.rows(EvidenceRow, OPEN, [environment, subMilliseconds(now, RECOVERING_MS), provable]);
  if (open.length === 0) return;
  const since = new Date(Math.min(...open.map(({ last_seen }) => last_seen.getTime())));
  const unchecked = await uncheckedAfter(database, environment, since);
  const changed = open.flatMap((row) => {
    const proven = stateBy(evidenceOf(row, unchecked), now);
    const state = row.last_recorded_at > provable ? proven : withoutProof(row.state, proven);
    return mayFollow(row.state, state) ? [{ id: row.id, state, last_seen: row.last_seen }] : [];
  });
  if (changed.length > 0) await database.withTransaction((sql) => change(sql, changed, now));
}

/** Successes are counted for so long; after it nobody can say whether they would have been enough. */
const PROVABLE_MS = 2 * EPISODE_MS;

function withoutProof(before: IncidentState, proven: IncidentState): IncidentState {
  if (proven === 'firing') return proven;
  return before === 'recovering' ? 'resolved' : 'quiet';
}

function evidenceOf(row: EvidenceRow, unchecked: UncheckedTime): Evidence {
  const lastFailureAt = subMilliseconds(row.last_seen, datedAheadMs(row.clock_ahead_ms));
  return {
    ...{ lastFailureAt, lastRecordedAt: row.last_recorded_at },
    ...checkedSince(lastFailureAt, row, unchecked),
    failures: row.failures,
    successesMeanwhile: row.successes_meanwhile,
    successesSince: row.successes_since,
    hasOwnSuccess: row.has_own_success,
  };
}

/** A recovered incident stays so until it fails again, which is recorded with the failure. */
function mayFollow(before: IncidentState, after: IncidentState): boolean {
  if (before === 'recovering') return after === 'resolved';
  return after !== before && after !== 'firing';
}

/** The first failure of the only relapse of `s`; pages come newest first, so an older failure may be recorded later. */
const RELAPSED_AT = `
  CASE WHEN s.relapses = 1 AND s.calm_from IS NOT NULL THEN (
    SELECT min(f.occurred_at) FROM episode_parts part JOIN failures f ON f.group_key = part.group_key
    WHERE part.episode_id = s.id AND f.occurred_at > s.calm_from
  ) END`;

/**
 * The last, unresolved episodes of environment $1 whose last failure is dated before $2; a quiet one only if it was recorded after $3.
 * Episodes without a success of their own have nothing to add up. All failures of the incident in that time count: a late one may be older than the last one of the
 * episode before. In the minute of the last failure, only the minute's last success is known to have come after it.
 */
const OPEN = `
  SELECT s.id, s.state, s.last_seen, s.last_recorded_at, c.checked_to AS checked_to, c.clock_ahead_ms, s.succeeding_since IS NOT NULL AS has_own_success,
    coalesce(failed.failures, 0) AS failures, coalesce(meanwhile.successes, 0) AS successes_meanwhile,
    coalesce(since.successes, 0) AS successes_since
  FROM episodes s JOIN groups g ON g.key = s.group_key JOIN environments c ON c.environment = g.environment
  CROSS JOIN LATERAL (SELECT coalesce(${RELAPSED_AT}, s.first_seen) AS began_at) asked
  LEFT JOIN LATERAL (
    SELECT sum(n.failures) AS failures FROM groups part JOIN group_counts n ON n.group_key = part.key
    WHERE part.incident_key = s.incident_key AND n.minute BETWEEN date_trunc('minute', asked.began_at, 'UTC') AND s.last_seen
  ) failed ON s.succeeding_since IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT sum(n.successes - CASE WHEN n.last_at > s.last_seen THEN 1 ELSE 0 END) AS successes FROM success_counts n
    WHERE n.environment = g.environment AND n.channel = g.channel AND n.provider = coalesce(g.provider, '')
      AND n.minute BETWEEN date_trunc('minute', asked.began_at, 'UTC') AND s.last_seen
  ) meanwhile ON s.succeeding_since IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT sum(CASE WHEN n.minute > s.last_seen THEN n.successes ELSE 1 END) AS successes FROM success_counts n
    WHERE n.environment = g.environment AND n.channel = g.channel AND n.provider = coalesce(g.provider, '')
      AND n.minute >= date_trunc('minute', s.last_seen, 'UTC') AND n.last_at > s.last_seen
  ) since ON s.succeeding_since IS NOT NULL
  WHERE g.environment = $1 AND s.state <> 'resolved' AND s.last_seen <= $2 AND (s.state <> 'quiet' OR s.last_recorded_at > $3)
    AND (s.succeeding_since IS NOT NULL OR s.state = 'firing')
    AND ${IS_LAST}`;

type Change = { readonly id: number; readonly state: IncidentState; readonly last_seen: Date };

async function change(sql: Sql, changed: readonly Change[], now: Date): Promise<void> {
  const settled = await sql.rows(SettledRow, CHANGE, [jsonOf(changed), now]);
  const redraw = settled.map(({ id }) => id);
  await sql.write(REDRAW, [jsonOf(redraw), now, subMilliseconds(now, EPISODE_MS)]);
  const resolved = settled.flatMap(({ id, state }) => (state === 'resolved' ? [id] : []));
  await noteInThreads(sql, resolved, { what: 'resolved', by: null, at: now }, now);
}

/** The states in which an incident has ended (`isOverIn`). */
const OVER = `'recovering', 'resolved'`;

/** When the incident of episode `s` has ended so far, if it's over from a time on (a parameter of the statement). */
export function endedAt(time: string): string {
  return `CASE WHEN s.state IN (${OVER}) THEN s.ended_at ELSE s.ended_at || ${time}::timestamptz END`;
}

const SettledRow = z.object({ id: Count, state: State });

const CHANGE = `
  UPDATE episodes s SET state = changed.state, state_at = $2, resolved_by = NULL,
    ended_at = CASE WHEN changed.state IN (${OVER}) THEN ${endedAt('$2')} ELSE s.ended_at END
  FROM jsonb_to_recordset($1::jsonb) AS changed (id bigint, state text, last_seen timestamptz)
  WHERE s.id = changed.id AND s.state <> 'resolved' AND s.last_seen < changed.last_seen + interval '1 millisecond'
  RETURNING s.id, s.state`;

const REDRAW = `
  UPDATE messages d SET redraw_at = $2
  WHERE d.state <> 'gone' AND coalesce(d.posted_at, $2) > $3
    AND d.id = ANY (${OUTAGE_MESSAGES})`;
