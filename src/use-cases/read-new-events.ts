import { catchUpWindows, FIRST_COVERAGE_MS, type ReadingWindow } from '../domain/reading.ts';
import { readAgain } from './read-again.ts';
import { type Cursor, type ReadingParts, type Recorded, recordEvents, type Sum } from './record-events.ts';

export interface ReadingReport extends Recorded {
  readonly unreadable: number;
  readonly readTo: Date;
  readonly caughtUp: boolean;
}

/**
 * Reads what is new in an environment since its cursor, then what was not final yet, and records it page by page. Throws the
 * client's `ServiceError` when the service can't be read: the cursor then stands where the last full window ended.
 */
export async function readNewEvents(environment: string, parts: ReadingParts): Promise<ReadingReport> {
  const started = parts.now();
  const cursor = await parts.store.takeCursor(environment, new Date(started.getTime() - FIRST_COVERAGE_MS));
  const sum = { newEvents: 0, newFailures: 0, unreadable: 0 };
  let readTo = cursor.readTo;
  for (const window of catchUpWindows(cursor, started, parts.horizonMs)) {
    if (!(await readWindow(cursor, window, parts, sum))) return { ...sum, readTo, caughtUp: false };
    readTo = window.to;
  }
  const caughtUp = await readAgain(cursor, parts, sum);
  return { ...sum, readTo, caughtUp };
}

async function readWindow(cursor: Cursor, window: ReadingWindow, parts: ReadingParts, sum: Sum): Promise<boolean> {
  const query = { after: window.from, before: window.to, limit: 50 };
  for await (const page of parts.service.eventPages(query, { who: 'poller', signal: parts.signal })) {
    await recordEvents(cursor, page.items, page.unreadable, parts, sum);
    if (parts.signal.aborted) return false;
  }
  await parts.store.record(
    cursor,
    { sightings: [], failures: [], successes: [], unreadable: [], completed: window },
    parts.now(),
  );
  return true;
}
