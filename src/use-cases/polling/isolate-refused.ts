import { createHash } from 'node:crypto';
import { RefusedDataError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Cursor, Reading, ReadingStore, Recorded, RefusedEvent } from './record-events.ts';

/**
 * Wraps a store so that an event that can't be recorded affects no other: a refused page is recorded event by event, and what is refused
 * then is counted as unreadable and logged. Errors that aren't about the data (a lost connection, a timeout, a fence) are rethrown.
 */
export function isolateRefused<Store extends Pick<ReadingStore, 'record'>>(store: Store, logger: Logger): Store {
  async function record(
    cursor: Cursor,
    { refused: notJudged = [], ...reading }: Reading,
    now: Date,
  ): Promise<Recorded> {
    const recorded: Recorded[] = [];
    const refused: RefusedEvent[] = [...notJudged];
    const whole = await attempt(store.record(cursor, reading, now));
    if (!(whole instanceof RefusedDataError)) recorded.push(whole);
    for (const piece of whole instanceof RefusedDataError ? piecesOf(reading) : []) {
      const one = await attempt(store.record(cursor, piece.reading, now));
      if (!(one instanceof RefusedDataError)) recorded.push(one);
      else if (piece.eventKey === null)
        logger.warn({ environment: cursor.environment, code: one.code }, 'Successful deliveries could not be recorded');
      else refused.push({ eventKey: piece.eventKey, createdAt: piece.createdAt, code: one.code });
    }
    for (const event of refused) recorded.push(await countAsUnreadable(cursor, event, reading, now));
    const notRecorded = refused.map(({ eventKey }) => eventKey);
    return { ...sumOf(recorded), ...(notRecorded.length > 0 && { notRecorded }) };
  }

  /** Under a hash: the key itself may be what the database refuses. It is counted and logged once, however often it's read. */
  async function countAsUnreadable(
    cursor: Cursor,
    { eventKey, createdAt, code }: RefusedEvent,
    page: Reading,
    now: Date,
  ): Promise<Recorded> {
    const key = `refused ${createHash('sha256').update(eventKey).digest('hex')}`;
    const counted = await store.record(cursor, { ...nothingOf(page), unreadable: [{ key, createdAt }] }, now);
    const { environment } = cursor;
    if (counted.newUnreadable > 0) logger.error({ environment, createdAt, code }, 'Event could not be recorded');
    return counted;
  }

  return { ...store, record };
}

async function attempt(recording: Promise<Recorded>): Promise<Recorded | RefusedDataError> {
  try {
    return await recording;
  } catch (error) {
    if (error instanceof RefusedDataError) return error;
    throw error;
  }
}

/** What a page adds for one event; without a key, for no event in particular. */
interface Piece {
  readonly eventKey: string | null;
  readonly createdAt: Date | null;
  readonly reading: Reading;
}

function piecesOf(page: Reading): Piece[] {
  const { trackedEvents, failures, successes, unreadable } = page;
  const none = nothingOf(page);
  const keys = new Set([...trackedEvents, ...failures].map(({ eventKey }) => eventKey));
  const events = [...keys].map((eventKey): Piece => {
    const own = <Of extends { readonly eventKey: string }>(all: readonly Of[]) =>
      all.filter((one) => one.eventKey === eventKey);
    const [trackedEvent] = own(trackedEvents);
    const [failure] = own(failures);
    const createdAt = trackedEvent?.createdAt ?? failure?.eventCreatedAt ?? null;
    return { eventKey, createdAt, reading: { ...none, trackedEvents: own(trackedEvents), failures: own(failures) } };
  });
  const items = unreadable.map((item): Piece => {
    return { eventKey: item.key, createdAt: item.createdAt, reading: { ...none, unreadable: [item] } };
  });
  return [...events, ...items, { eventKey: null, createdAt: null, reading: { ...none, successes } }];
}

function nothingOf({ gapId }: Reading): Reading {
  return { trackedEvents: [], failures: [], successes: [], unreadable: [], ...(gapId !== undefined && { gapId }) };
}

function sumOf(recorded: readonly Recorded[]): Recorded {
  return {
    newEvents: recorded.reduce((sum, { newEvents }) => sum + newEvents, 0),
    newFailures: recorded.reduce((sum, { newFailures }) => sum + newFailures, 0),
    newUnreadable: recorded.reduce((sum, { newUnreadable }) => sum + newUnreadable, 0),
  };
}
