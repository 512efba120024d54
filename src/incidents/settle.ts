import { addMilliseconds, min } from 'date-fns';
import { z } from 'zod';
import { FIRST_COVERAGE_MS, type Gap, isWorthReporting, missingIn } from '../coverage/gap.ts';
import { gapsIn } from '../coverage/gaps.ts';
import { joinedRanges, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { byLaggingClock, presentRead } from '../lib/time/service-clock.ts';
import { noteInThreads, redraw } from '../outbox/messages.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { endMutes } from '../watches/mutes.ts';
import { notifyFollowers } from './actions.ts';
import { IS_SUCCESS } from './counts.ts';
import { INCIDENT_STATES, stateBy, successesNeeded } from './state.ts';

const State = z.enum(INCIDENT_STATES);

const EvidenceRow = z.object({
  ...fields(Count, 'id', 'failures', 'successesBefore', 'successesAfter'),
  ...fields(z.date(), 'stateAt', 'lastAt', 'lastRecordedAt', 'coveredFrom', 'checkedTo'),
  state: State,
  ...fields(z.boolean(), 'isProvenByTime', 'isBounced'),
  clockAheadMs: Count.nullable(),
  successesNeeded: Count.nullable(),
});

export async function settleIncidents(db: Db, environment: string, now: Date) {
  const open = await db.rows(EvidenceRow, OPEN, [environment]);
  if (open.length === 0) return;
  // Unconfirmed incidents wait for deliveries alone, some for months.
  const lastFailures = open.filter(({ state }) => state !== 'unconfirmed').map(({ lastAt }) => lastAt);
  const range = { from: min([now, ...lastFailures]), to: now };
  const gaps = await gapsIn(db, environment, range);
  const unchecked = await uncheckedIn(db, environment, range, gaps);
  const changes = open.flatMap((row) => {
    const { lastAt } = row;
    const stateAt = byLaggingClock(row.stateAt, row.clockAheadMs);
    const recordedAt = byLaggingClock(row.lastRecordedAt, row.clockAheadMs);
    const isReadLate =
      lastAt < addMilliseconds(row.coveredFrom, FIRST_COVERAGE_MS) ||
      gaps.some((gap) => isWorthReporting(gap, now) && gap.from < recordedAt && (gap.to === null || lastAt < gap.to));
    const foundAt = isReadLate ? lastAt : recordedAt;
    const state = stateBy({ ...row, stateAt, foundAt, checkedTo: presentRead(row, now), unchecked });
    const needed = state === 'recovering' ? successesNeeded(row) : row.successesNeeded;
    return state === row.state ? [] : [{ id: row.id, was: row.state, state, lastAt, needed }];
  });
  if (changes.length === 0) return;
  await db.transaction(async (tx) => {
    const changed = await tx.rows(ChangedRow, CHANGE, [jsonOf(changes), now]);
    const idsOf = (rows: typeof changed) => rows.map(({ id }) => id);
    await redraw(tx, idsOf(changed), now);
    const resolved = changed.filter(({ state }) => state === 'resolved');
    await endMutes(tx, idsOf(resolved), { why: 'resolved', at: now });
    const over = idsOf(resolved.filter(({ isMoved }) => !isMoved));
    await noteInThreads(tx, over, { what: 'resolved', actor: null, at: now });
    await notifyFollowers(tx, over, 'ended', { actor: null, now });
  });
}

const OPEN = `
  SELECT i.id, i.state, i.state_at, i.last_at, i.last_recorded_at, i.is_recipients OR i.gap_id IS NOT NULL AS is_proven_by_time, 'bounced' = ANY (i.verdicts) AS is_bounced, i.successes_needed,
    c.covered_from, c.checked_to, c.clock_ahead_ms, failed.failures, sent.before AS successes_before, sent.after AS successes_after
  FROM incidents i JOIN environments c ON c.environment = i.environment
  CROSS JOIN LATERAL (SELECT GREATEST(CASE WHEN i.relapses > 1 THEN i.first_at ELSE i.started_at END, i.last_at - interval '1 day') AS at) began
  CROSS JOIN LATERAL (
    SELECT GREATEST(count(*), LEAST(i.failures, 1)) AS failures FROM failures
    WHERE incident_id = i.id AND occurred_at >= began.at AND i.failures > 0
  ) failed
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(s.successes) FILTER (WHERE s.minute <= i.last_at), 0) AS before,
      coalesce(sum(s.successes) FILTER (WHERE s.minute > i.last_at), 0) AS after
    FROM success_counts s WHERE ${IS_SUCCESS} AND s.minute >= date_trunc('minute', began.at, 'UTC')
  ) sent
  WHERE i.environment = $1 AND i.state <> 'resolved'`;

const MinuteRow = z.object({ minute: z.date() });
const UNREADABLE = 'SELECT minute FROM event_counts WHERE environment = $1 AND minute >= $2 AND unreadable > 0';

async function uncheckedIn(db: Db, environment: string, range: TimeRange, gaps: readonly Gap[]) {
  const unreadable = await db.rows(MinuteRow, UNREADABLE, [environment, range.from]);
  const inGaps = gaps.flatMap((gap) => missingIn(gap, range.to));
  const minutes = unreadable.map(({ minute }) => ({ from: minute, to: addMilliseconds(minute, MINUTE_MS) }));
  return joinedRanges([...inGaps, ...minutes]);
}

const ChangedRow = z.object({ id: Count, state: State, isMoved: z.boolean() });

/** `is_moved`: it may count under another cause by now. JSON's times have whole milliseconds only. */
const CHANGE = `
  UPDATE incidents i SET state = changed.state, state_at = $2, resolved_by = NULL, successes_needed = changed.needed
  FROM jsonb_to_recordset($1::jsonb) AS changed (id bigint, was text, state text, "lastAt" timestamptz, needed bigint)
  WHERE i.id = changed.id AND i.state = changed.was AND i.last_at < changed."lastAt" + interval '1 millisecond'
  RETURNING i.id, i.state, i.failures = 0 AND EXISTS (SELECT FROM incidents o WHERE o.environment = i.environment
    AND o.channel = i.channel AND o.id <> i.id AND o.state <> 'resolved' AND o.announcement = i.announcement) AS is_moved`;
