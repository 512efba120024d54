import { z } from 'zod';
import type { Reading } from '../../use-cases/polling/record-events.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';

interface Seen {
  readonly event_key: string;
  readonly is_readable: boolean;
  readonly event_id: string | null;
  readonly created_at: Date;
  readonly next_read_at: Date | null;
  readonly workflow: string;
  readonly is_partial: boolean;
}

/** How many events and unreadable items were new, and the keys of the events newly found settled. */
export interface RecordedTrackedEvents {
  readonly newEvents: number;
  readonly newUnreadable: number;
  readonly settled: ReadonlySet<string>;
}

const SumsRow = z.object({ events: Count, unreadable: Count, settled: z.array(z.string()) }).transform(
  (row): RecordedTrackedEvents => ({
    newEvents: row.events,
    newUnreadable: row.unreadable,
    settled: new Set(row.settled),
  }),
);

const NONE: RecordedTrackedEvents = { newEvents: 0, newUnreadable: 0, settled: new Set() };

/** Records which events were read, and counts the new ones and the new unreadable items by the minute. */
export async function recordTrackedEvents(
  sql: SqlRows,
  environment: string,
  reading: Pick<Reading, 'trackedEvents' | 'unreadable'>,
  now: Date,
): Promise<RecordedTrackedEvents> {
  const seen = seenIn(reading, now);
  if (seen.length === 0) return NONE;
  const [sums] = await sql.rows(SumsRow, RECORD_AND_COUNT, [environment, jsonOf(seen)]);
  return sums ?? NONE;
}

function seenIn({ trackedEvents, unreadable }: Pick<Reading, 'trackedEvents' | 'unreadable'>, now: Date): Seen[] {
  const read = trackedEvents.map((trackedEvent) => ({
    event_key: trackedEvent.eventKey,
    is_readable: true,
    event_id: trackedEvent.eventId,
    created_at: trackedEvent.createdAt ?? now,
    next_read_at: trackedEvent.nextReadAt,
    workflow: trackedEvent.workflow?.identifier ?? '',
    is_partial: trackedEvent.isPartial,
  }));
  const notRead = unreadable.map((item) => ({
    event_key: item.key,
    is_readable: false,
    event_id: null,
    created_at: item.createdAt ?? now,
    next_read_at: null,
    workflow: '',
    is_partial: false,
  }));
  return [...read, ...notRead];
}

/**
 * Updates a known event without counting it again; a response that omits its steps changes nothing. A row that this statement inserted has
 * been read once. An event that an answer has twice counts as the one that is to be read again. An older answer that is recorded late
 * makes a settled event unsettled; when it settles again, it isn't returned as settled a second time.
 */
const RECORD_AND_COUNT = `
  WITH seen AS (
    SELECT DISTINCT ON (event_key, is_readable) *, is_readable AND next_read_at IS NULL AND NOT is_partial AS is_settled
    FROM jsonb_to_recordset($2::jsonb) AS item (event_key text, is_readable boolean, event_id text,
      created_at timestamptz, next_read_at timestamptz, workflow text,
      is_partial boolean)
    ORDER BY event_key, is_readable, next_read_at
  ), written AS (
    INSERT INTO tracked_events (environment, event_key, is_readable, event_id, created_at, next_read_at, reads, settlings)
    SELECT $1, event_key, is_readable, event_id, created_at, next_read_at, 1, is_settled::integer FROM seen
    ON CONFLICT (environment, event_key, is_readable)
    DO UPDATE SET reads = tracked_events.reads + 1, settlings = tracked_events.settlings + EXCLUDED.settlings,
      next_read_at = CASE WHEN EXCLUDED.event_key IN (SELECT event_key FROM seen WHERE is_partial)
        THEN tracked_events.next_read_at ELSE EXCLUDED.next_read_at END,
      misses = CASE WHEN EXCLUDED.event_key IN (SELECT event_key FROM seen WHERE is_partial)
        THEN tracked_events.misses ELSE 0 END
    WHERE tracked_events.next_read_at IS NOT NULL OR EXCLUDED.next_read_at IS NOT NULL
    RETURNING event_key, is_readable, reads, settlings
  ), added AS (
    SELECT date_trunc('minute', created_at, 'UTC') AS minute, workflow,
      count(*) FILTER (WHERE is_readable) AS events, count(*) FILTER (WHERE NOT is_readable) AS unreadable
    FROM seen JOIN written USING (event_key, is_readable)
    WHERE reads = 1
    GROUP BY 1, 2
  ), counted AS (
    INSERT INTO event_counts (environment, minute, workflow, events, unreadable)
    SELECT $1, minute, workflow, events, unreadable FROM added
    ON CONFLICT (environment, workflow, minute)
    DO UPDATE SET events = event_counts.events + EXCLUDED.events,
      unreadable = event_counts.unreadable + EXCLUDED.unreadable
  )
  SELECT coalesce(sum(events), 0) AS events, coalesce(sum(unreadable), 0) AS unreadable, ARRAY(
    SELECT event_key FROM seen JOIN written USING (event_key, is_readable) WHERE is_settled AND settlings = 1
  ) AS settled
  FROM added`;
