import { addMilliseconds, max, subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import type { Storable } from '../lib/text/shown-id.ts';
import { lengthOf, MINUTE_MS } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import { type WaitingEventRow, waitingEvents } from './tables.ts';

/** An event with a step that waits beyond the horizon, until `dueAt`. */
export interface Waiting {
  eventId: Storable;
  dueAt: Date;
}

/** An event is first read once the service had this long to go on after its wait. */
const FIRST_READ_MS = 2 * MINUTE_MS;
/** Right after a wait, "twice as long ago" would be each poll. */
const SHORTEST_PAUSE_MS = 5 * MINUTE_MS;

/** A wait that was known keeps when it's read next, unless it ends at another time by now. */
export async function noteWaiting(tx: Db, environment: string, waiting: readonly Waiting[]): Promise<void> {
  if (waiting.length === 0) return;
  const rows = waiting.map((each) => ({ environment, ...each, readAt: addMilliseconds(each.dueAt, FIRST_READ_MS) }));
  await tx
    .insert(waitingEvents)
    .values(rows)
    .onConflictDoUpdate({
      target: [waitingEvents.environment, waitingEvents.eventId],
      set: { dueAt: sql`excluded.due_at`, readAt: sql`excluded.read_at` },
      setWhere: sql`${waitingEvents.dueAt} <> excluded.due_at`,
    });
}

export async function dueToRead(
  db: Db,
  environment: string,
  serviceNow: Date,
  most: number,
): Promise<WaitingEventRow[]> {
  const isDue = sql`${waitingEvents.environment} = ${environment} AND ${waitingEvents.readAt} <= ${serviceNow}`;
  return db.select().from(waitingEvents).where(isDue).orderBy(waitingEvents.readAt).limit(most);
}

/** The event is read again whenever the end of its wait is twice as long ago, until the horizon. */
export async function noteRead(
  tx: Db,
  { environment, eventId, dueAt }: WaitingEventRow,
  serviceNow: Date,
  horizonMs: number,
): Promise<void> {
  const pauseMs = Math.max(SHORTEST_PAUSE_MS, lengthOf({ from: dueAt, to: serviceNow }));
  const isOver = dueAt < subMilliseconds(serviceNow, horizonMs);
  const row = sql`environment = ${environment} AND event_id = ${eventId}`;
  if (isOver) await tx.write(sql`DELETE FROM waiting_events WHERE ${row}`);
  else {
    const readAt = addMilliseconds(max([dueAt, serviceNow]), pauseMs);
    await tx.write(sql`UPDATE waiting_events SET read_at = ${readAt} WHERE ${row} AND due_at = ${dueAt}`);
  }
}
