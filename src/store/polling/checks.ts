import { z } from 'zod';
import type { PollState } from '../../use-cases/polling/check-now.ts';
import type { RecheckStore } from '../../use-cases/polling/recheck-windows.ts';
import type { Database } from '../database/database.ts';
import { StoredProblem } from '../database/problems.ts';
import { Count, CountRow, rowWith } from '../database/row.ts';
import { currentPast } from './cursors.ts';
import { DueRow } from './readings.ts';

export interface Checks extends Pick<RecheckStore, 'currentPast' | 'eventsWithin' | 'openEvents'> {
  /** Returns the state of an environment's polls; null before the first. */
  pollState(environment: string): Promise<PollState | null>;
}

const StateRow = rowWith({
  version: Count,
  concluded: Count,
  underWayMs: Count.nullable(),
  isFailing: z.boolean(),
  problem: StoredProblem.nullable(),
  lastPollAt: z.date().nullable(),
});

/** Reads what a check for a person's question needs to know of earlier polls. */
export function checks(database: Database): Checks {
  return {
    async pollState(environment) {
      const state = `
        SELECT version, concluded_version AS concluded, failing_since IS NOT NULL AS is_failing, problem, last_poll_at,
          (extract(epoch FROM clock_timestamp() - present_since) * 1000)::bigint AS under_way_ms
        FROM cursors WHERE environment = $1`;
      return (await database.rows(StateRow, state, [environment]))[0] ?? null;
    },
    currentPast: (environment) => currentPast(database, environment),
    async eventsWithin(environment, { from, to }) {
      const [events] = await database.rows(
        CountRow,
        `SELECT coalesce(sum(events + unreadable), 0) AS count FROM event_counts
         WHERE environment = $1 AND minute >= date_trunc('minute', $2::timestamptz, 'UTC') AND minute <= $3`,
        [environment, from, to],
      );
      return events?.count ?? 0;
    },
    openEvents: (environment, { from, to }, limit) =>
      database.rows(
        DueRow,
        `SELECT event_key, event_id, created_at, reads, misses FROM tracked_events
         WHERE environment = $1 AND next_read_at IS NOT NULL AND is_readable AND created_at BETWEEN $2 AND $3
         ORDER BY created_at DESC LIMIT $4`,
        [environment, from, to, limit],
      ),
  };
}
