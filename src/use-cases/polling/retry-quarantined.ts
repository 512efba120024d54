import { subMilliseconds } from 'date-fns';
import { ServiceError } from '../../domain/errors.ts';
import { type QuarantinedEvent, quarantineHash, retryBefore } from '../../domain/polling/quarantine.ts';
import { padded } from '../../domain/polling/reading-windows.ts';
import { eventKey } from '../../domain/service/event.ts';
import { PAGE_SIZE } from '../../domain/service/query.ts';
import type { QuarantineStore } from './isolate-refused.ts';
import { troubleBehind } from './read-range.ts';
import { type Cursor, type ReadingParts, type ReadingStore, recordEvents } from './record-events.ts';
import type { Sum } from './sum.ts';

export interface RetryParts extends ReadingParts<ReadingStore & QuarantineStore> {
  /** Notif's own version. A version other than the one that refused an event retries it. */
  readonly version: string;
}

/** How many are tried in one recheck. */
const BATCH = 50;

/**
 * Retries events that could not be recorded: after an upgrade, otherwise once a day. Only their hashes are known, so Notif searches the
 * events of their creation time; if that can't be read, the event waits like one that wasn't found. Returns whether no due event is left.
 * Throws `ServiceError` if the service can't be read at all.
 */
export async function retryQuarantined(cursor: Cursor, parts: RetryParts, sum: Sum, until: Date): Promise<boolean> {
  const { store, version, now, horizonMs, signal } = parts;
  const started = now();
  await store.forgetQuarantine(cursor.environment, subMilliseconds(started, horizonMs));
  const due = await store.dueQuarantine(cursor.environment, { version, triedBefore: retryBefore(started) }, BATCH);
  let failures = 0;
  for (const event of due) {
    if (signal.aborted || now() >= until) return false;
    const triedAt = now();
    const tried = await recordAgain(event, cursor, parts, sum).catch((error: unknown) => errorOfService(error, signal));
    if (tried instanceof ServiceError) {
      const trouble = await troubleBehind(tried, failures, parts);
      if (trouble !== null) throw trouble;
      failures += 1;
    }
    if (tried === true) await store.release(event, triedAt);
    else await store.noteNotFound(event, version, triedAt);
  }
  return due.length < BATCH;
}

/** Returns an error that the service may have caused, and throws others. */
function errorOfService(error: unknown, signal: AbortSignal): ServiceError {
  if (error instanceof ServiceError && !signal.aborted) return error;
  throw error;
}

/** Returns whether the event was found; if it is refused again, its quarantine records that. */
async function recordAgain(event: QuarantinedEvent, cursor: Cursor, parts: RetryParts, sum: Sum): Promise<boolean> {
  const { createdAt, hash, environment } = event;
  if (createdAt === null) return false;
  const { from: after, to: before } = padded({ from: createdAt, to: createdAt });
  for await (const page of parts.service.eventPages(
    { after, before, limit: PAGE_SIZE },
    { who: 'poller', signal: parts.signal },
  )) {
    const items = page.items.filter((one) => quarantineHash(environment, eventKey(one)) === hash);
    if (items.length === 0) continue;
    await recordEvents(cursor, { items, unreadable: [] }, parts, sum);
    return true;
  }
  return false;
}
