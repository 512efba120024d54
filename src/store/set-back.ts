import { addMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Db } from './db.ts';

/** Replicas' clocks differ by less. */
const APART_MS = MINUTE_MS;

export function isSetBack(now: Date, noted: Date | null): boolean {
  return noted !== null && noted > addMilliseconds(now, APART_MS);
}

/** Times in the future become now, so that nothing waits for them. */
export async function moveBack(db: Db, now: Date): Promise<void> {
  for (const [table, columns] of Object.entries(STAMPS))
    for (const column of columns.split(' ').map(sql.raw))
      await db.write(sql`UPDATE ${sql.raw(table)} SET ${column} = ${now} WHERE ${column} > ${now}`);
  await db.write(mutesSetBack(now));
}

const STAMPS = {
  environments: 'announced_at last_poll_at last_success_at failing_since past_failing_since lag_at too_slow_since',
  gaps: 'opened_at closed_at',
  failures: 'recorded_at',
  incidents: 'state_at last_recorded_at',
  outbreaks: 'ended_at ended_at_service critical_since acknowledged_at unacknowledged_since',
  wordings: 'at',
  followers: 'since',
  triggers: 'claimed_at',
  sendings: 'started_at',
  watches: 'created_at edited_at summed_to refused_at',
  slack_messages: 'created_at posted_at drawn_at unresolved_since next_at',
  watch_alerts: 'line_at posted_at rang_at escalated_at below_many_since owed_since due_at',
  alert_cursors: 'last_posted_at last_notified_at',
};

/** A mute keeps its length, and a planned one its distance. */
const mutesSetBack = (now: Date): SQL => sql`
  UPDATE mutes
  SET
    until = until - (coalesce(made_at, begins_at) - ${now}::timestamptz),
    begins_at = begins_at - (coalesce(made_at, begins_at) - ${now}::timestamptz),
    made_at = ${now}
  WHERE coalesce(made_at, begins_at) > ${now}`;
