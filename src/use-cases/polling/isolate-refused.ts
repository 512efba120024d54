import { RefusedDataError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import {
  type QuarantinedEvent,
  quarantineHash,
  type RefusedEvent,
  retryBefore,
} from '../../domain/polling/quarantine.ts';
import type { Cursor, Reading, ReadingStore, Recorded } from './record-events.ts';

/** What is due to be tried again: what another version than this tried last, or was last tried before a time. */
export interface DueForRetry {
  readonly version: string;
  readonly triedBefore: Date;
}

export interface QuarantineStore {
  /** Keeps refused events by their hashes. One that is there already counts one more attempt. */
  quarantine(cursor: Cursor, refused: readonly RefusedEvent[], version: string, now: Date): Promise<void>;
  /** Those of some hashes that are in quarantine and not due. */
  restingAmong(environment: string, hashes: readonly string[], due: DueForRetry): Promise<readonly string[]>;
  dueQuarantine(environment: string, due: DueForRetry, limit: number): Promise<readonly QuarantinedEvent[]>;
  noteNotFound(event: QuarantinedEvent, version: string, now: Date): Promise<void>;
  /** Lets an event go that was not refused again since `triedAt`. Returns whether it did. */
  release(event: QuarantinedEvent, triedAt: Date): Promise<boolean>;
  forgetQuarantine(environment: string, createdBefore: Date): Promise<void>;
  /** The events of an environment in quarantine, the newest first. */
  quarantined(environment: string, limit: number): Promise<readonly QuarantinedEvent[]>;
}

type Isolated = Pick<ReadingStore, 'record'> & Pick<QuarantineStore, 'quarantine' | 'restingAmong'>;

/**
 * The same store, in which an event that can't be recorded harms nothing but itself: a page that is refused is recorded event by event,
 * and what is refused then is put in quarantine and counted among the events that couldn't be read. Errors that say nothing of the data
 * (a lost connection, a timeout, a fence) are thrown on.
 */
export function isolateRefused<Store extends Isolated>(store: Store, version: string, logger: Logger): Store {
  async function record(
    cursor: Cursor,
    { refused: notJudged = [], ...reading }: Reading,
    now: Date,
  ): Promise<Recorded> {
    const whole = await attempt(cursor, reading, now);
    const recorded: Recorded[] = typeof whole === 'object' ? [whole] : [];
    const pieces = typeof whole === 'object' ? [] : await withoutResting(cursor, piecesOf(reading), now);
    const refused = [...notJudged];
    for (const piece of pieces) {
      const outcome = await attempt(cursor, piece.reading, now);
      if (typeof outcome === 'object') recorded.push(outcome);
      else if (piece.eventKey === null) logger.warn({ environment: cursor.environment, code: outcome }, NOT_NOTED);
      else refused.push({ eventKey: piece.eventKey, createdAt: piece.createdAt, code: outcome });
    }
    if (refused.length > 0) recorded.push(await setApart(cursor, reading, refused, now));
    return sumOf(recorded);
  }

  /** The code with which the data was refused, in place of what was recorded. */
  async function attempt(cursor: Cursor, reading: Reading, now: Date): Promise<Recorded | string> {
    try {
      return await store.record(cursor, reading, now);
    } catch (error) {
      if (error instanceof RefusedDataError) return error.code;
      throw error;
    }
  }

  async function withoutResting(cursor: Cursor, pieces: readonly Piece[], now: Date): Promise<readonly Piece[]> {
    const { environment } = cursor;
    const hashOf = ({ eventKey }: Piece) => (eventKey === null ? '' : quarantineHash(environment, eventKey));
    const due = { version, triedBefore: retryBefore(now) };
    const resting = new Set(await store.restingAmong(environment, pieces.map(hashOf), due));
    return pieces.filter((piece) => !resting.has(hashOf(piece)));
  }

  async function setApart(
    cursor: Cursor,
    { gapId }: Reading,
    refused: readonly RefusedEvent[],
    now: Date,
  ): Promise<Recorded> {
    const { environment } = cursor;
    await store.quarantine(cursor, refused, version, now);
    for (const { eventKey, code } of refused) {
      logger.error({ environment, hash: quarantineHash(environment, eventKey), code }, 'event could not be recorded');
    }
    const unreadable = refused.map(({ eventKey, createdAt }) => {
      return { key: `refused ${quarantineHash(environment, eventKey)}`, createdAt };
    });
    const counted = {
      trackedEvents: [],
      failures: [],
      successes: [],
      unreadable,
      ...(gapId !== undefined && { gapId }),
    };
    return store.record(cursor, counted, now);
  }

  return { ...store, record };
}

const NOT_NOTED = 'deliveries that succeeded could not be noted: their groups may recover later';

/** What a page adds of one event; without a key: of no event in particular. */
interface Piece {
  readonly eventKey: string | null;
  readonly createdAt: Date | null;
  readonly reading: Reading;
}

function piecesOf({ trackedEvents, failures, successes, unreadable, gapId }: Reading): Piece[] {
  const inGap = gapId === undefined ? {} : { gapId };
  const none: Reading = { trackedEvents: [], failures: [], successes: [], unreadable: [], ...inGap };
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

function sumOf(recorded: readonly Recorded[]): Recorded {
  return {
    newEvents: recorded.reduce((sum, { newEvents }) => sum + newEvents, 0),
    newFailures: recorded.reduce((sum, { newFailures }) => sum + newFailures, 0),
  };
}
