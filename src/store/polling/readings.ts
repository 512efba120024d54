import { z } from 'zod';
import { RefusedDataError } from '../../domain/errors.ts';
import type { Traffic } from '../../domain/failures/traffic.ts';
import { askableId } from '../../domain/text/bounded-id.ts';
import { systemCode } from '../../domain/text/system-code.ts';
import type { AnnouncedStore } from '../../use-cases/alerting/announce-all.ts';
import type { GapStore } from '../../use-cases/polling/close-gaps.ts';
import type { Cursor, Missed, Reading, ReadingStore, Recorded } from '../../use-cases/polling/record-events.ts';
import { boundedReading } from '../database/bounded-reading.ts';
import type { Database, Sql } from '../database/database.ts';
import { isAboutData } from '../database/errors.ts';
import { rowWith } from '../database/row.ts';
import { countSuccesses } from '../failures/success-counts.ts';
import { noteSuccesses } from '../incidents/episodes.ts';
import {
  countRead,
  dueForAnnouncing,
  endPast,
  endPresent,
  hasPolledSince,
  lockCursor,
  noteAnnounced,
  noteConcluded,
  noteFailure,
  noteSweepEnded,
  takeCursor,
  takePast,
} from './cursors.ts';
import { countInGap, dueParts, endGaps, openEndlessGap, partsWithin, replacePart, setAside } from './gaps.ts';
import { recordFailures } from './record-failures.ts';
import { recordTrackedEvents } from './tracked-events.ts';
import { recordWorkflows } from './workflows.ts';

export const DueRow = rowWith({
  eventKey: z.string(),
  eventId: z.string().nullable().transform(askableId),
  createdAt: z.date(),
  reads: z.number(),
  misses: z.number(),
});

/** Stores how far each environment has been read, what to reread, and what couldn't be read. */
export function readings(database: Database, traffic: Traffic): ReadingStore & GapStore & AnnouncedStore {
  return {
    sampleTraffic: traffic.add,
    takeCursor: (environment, first) => database.withTransaction((sql) => takeCursor(sql, environment, first)),
    dueForAnnouncing: (notSince, recordingForMs) => dueForAnnouncing(database, notSince, recordingForMs),
    noteAnnounced: (due, now) => noteAnnounced(database, due, now),
    endPresent: (cursor) => endPresent(database, cursor),
    takePast: (environment, now, notSince) => takePast(database, environment, now, notSince),
    endPast: (cursor) => endPast(database, cursor),
    noteSweepEnded: (cursor, outcome, now) => noteSweepEnded(database, cursor, outcome, now),
    record: (cursor, reading, now) =>
      refusing(database.withTransaction((sql) => record(sql, cursor, boundedReading(reading), now))),
    finishPresent: (cursor, present, now) =>
      database.withTransaction(async (sql) => {
        await lockCursor(sql, cursor);
        await noteConcluded(sql, cursor, present, now);
        for (const stretch of present.setAside) await setAside(sql, cursor.environment, stretch, now);
        await endGaps(sql, cursor.environment, present.to, now);
      }),
    noteTrouble: (cursor, problem, now) =>
      database.withTransaction(async (sql) => {
        const failing = await noteFailure(sql, cursor, problem, now);
        await openEndlessGap(sql, { environment: cursor.environment, problem, ...failing }, now);
      }),
    noteMissed: (cursor, missed) => database.withTransaction((sql) => noteMissed(sql, cursor, missed)),
    dueEvents: (environment, now, limit) =>
      database.rows(
        DueRow,
        `SELECT event_key, event_id, created_at, reads, misses FROM tracked_events
         WHERE environment = $1 AND next_read_at <= $2 ORDER BY next_read_at LIMIT $3`,
        [environment, now, limit],
      ),
    gapsWithin: (environment, window) => partsWithin(database, environment, window),
    dueParts: (environment, now, limit) => dueParts(database, environment, now, limit),
    replacePart: (cursor, part, left, now, ifPolled = []) =>
      database.withTransaction(async (sql) => {
        await lockCursor(sql, cursor);
        const isUnsure = ifPolled.length > 0 && (await hasPolledSince(sql, cursor));
        await replacePart(sql, part, isUnsure ? [...left, ...ifPolled] : left, cursor.environment, now);
      }),
  };
}

/** Distinguishes data that the database refuses from a database that fails. */
async function refusing<Result>(recording: Promise<Result>): Promise<Result> {
  try {
    return await recording;
  } catch (error) {
    const code = systemCode(error);
    throw code !== null && isAboutData(code) ? new RefusedDataError(code, error) : error;
  }
}

/** Locks the cursor's row first, so that the recordings of an environment follow each other. */
async function record(sql: Sql, cursor: Cursor, reading: Reading, now: Date): Promise<Recorded> {
  await lockCursor(sql, cursor);
  const { settled, ...seen } = await recordTrackedEvents(sql, cursor.environment, reading, now);
  await recordWorkflows(sql, cursor.environment, reading.trackedEvents, now);
  const failed = await recordFailures(sql, cursor.environment, reading.failures, now);
  await noteSuccesses(sql, cursor.environment, reading.successes, now);
  await countSuccesses(sql, cursor.environment, reading.trackedEvents, settled, now);
  await countRead(sql, cursor.environment, { ...seen, ...failed });
  const { newEvents, newUnreadable } = seen;
  const recorded = { newEvents, newUnreadable, newFailures: failed.newFailures };
  if (reading.gapId !== undefined) await countInGap(sql, reading.gapId, recorded);
  return recorded;
}

async function noteMissed(sql: Sql, cursor: Cursor, { eventKey, nextReadAt }: Missed): Promise<void> {
  await lockCursor(sql, cursor);
  // A person's recheck may have settled it meanwhile.
  const missed = `UPDATE tracked_events SET next_read_at = $3, misses = misses + 1
    WHERE environment = $1 AND is_readable AND event_key = $2 AND next_read_at IS NOT NULL`;
  const isUnsettled = (await sql.write(missed, [cursor.environment, eventKey, nextReadAt])) > 0;
  if (isUnsettled && nextReadAt === null) {
    await sql.write('UPDATE cursors SET given_up = given_up + 1 WHERE environment = $1', [cursor.environment]);
  }
}
