import { RefusedDataError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import {
  type QuarantinedEvent,
  quarantineHash,
  type RefusedEvent,
  retryBefore,
} from '../../domain/polling/quarantine.ts';
import type { Cursor, Reading, ReadingStore, Recorded } from './record-events.ts';

/** What is due for a retry: events last tried by another version, or last tried before the given time. */
export interface DueForRetry {
  readonly version: string;
  readonly triedBefore: Date;
}

export interface QuarantineStore {
  /** Quarantines refused events by their hashes. One already there counts another attempt. */
  quarantine(cursor: Cursor, refused: readonly RefusedEvent[], version: string, now: Date): Promise<void>;
  /** Returns those hashes that are in quarantine and not due. */
  restingAmong(environment: string, hashes: readonly string[], due: DueForRetry): Promise<readonly string[]>;
  dueQuarantine(environment: string, due: DueForRetry, limit: number): Promise<readonly QuarantinedEvent[]>;
  noteNotFound(event: QuarantinedEvent, version: string, now: Date): Promise<void>;
  /** Releases an event that wasn't refused again since `triedAt`. Returns whether it did. */
  release(event: QuarantinedEvent, triedAt: Date): Promise<boolean>;
  forgetQuarantine(environment: string, createdBefore: Date): Promise<void>;
  /** Returns the quarantined events of an environment, the newest first. */
  quarantined(environment: string, limit: number): Promise<readonly QuarantinedEvent[]>;
}

type Isolated = Pick<ReadingStore, 'record'> & Pick<QuarantineStore, 'quarantine' | 'restingAmong'>;

/**
 * Wraps a store so that an event that can't be recorded affects no other: a refused page is recorded event by event, and events refused
 * then are quarantined and counted as unreadable. Errors that aren't about the data (a lost connection, a timeout, a fence) are rethrown.
 */
export function isolateRefused<Store extends Isolated>(store: Store, version: string, logger: Logger): Store {
  async function record(
    cursor: Cursor,
    { refused: notJudged = [], ...reading }: Reading,
    now: Date,
  ): Promise<Recorded> {
    const whole = await attempt(store, cursor, reading, now);
    const pieces = whole.is === 'refused' ? await recordPieces(cursor, piecesOf(reading), now) : NO_PIECES;
    const recorded = whole.is === 'recorded' ? [whole.recorded] : pieces.recorded;
    const refused = [...notJudged, ...pieces.refused];
    const apart = refused.length > 0 ? [await setApart(cursor, reading, refused, now)] : [];
    const notRecorded = [...pieces.resting, ...refused].flatMap(({ eventKey }) => eventKey ?? []);
    return { ...sumOf([...recorded, ...apart]), ...(notRecorded.length > 0 && { notRecorded }) };
  }

  /** Records each piece on its own, except those that are in quarantine. */
  async function recordPieces(cursor: Cursor, pieces: readonly Piece[], now: Date): Promise<PiecesRecorded> {
    const resting = await restingAmong(cursor, pieces, now);
    const recorded: Recorded[] = [];
    const refused: RefusedEvent[] = [];
    for (const piece of pieces.filter((one) => !resting.has(one))) {
      const outcome = await attempt(store, cursor, piece.reading, now);
      if (outcome.is === 'recorded') recorded.push(outcome.recorded);
      else if (piece.eventKey === null) logger.warn({ environment: cursor.environment, code: outcome.code }, NOT_NOTED);
      else refused.push({ eventKey: piece.eventKey, createdAt: piece.createdAt, code: outcome.code });
    }
    return { recorded, refused, resting: [...resting] };
  }

  async function restingAmong(cursor: Cursor, pieces: readonly Piece[], now: Date): Promise<ReadonlySet<Piece>> {
    const { environment } = cursor;
    const hashOf = ({ eventKey }: Piece) => (eventKey === null ? '' : quarantineHash(environment, eventKey));
    const due = { version, triedBefore: retryBefore(now) };
    const resting = new Set(await store.restingAmong(environment, pieces.map(hashOf), due));
    return new Set(pieces.filter((piece) => resting.has(hashOf(piece))));
  }

  /** Counts before it quarantines: what is in quarantine isn't tried again soon, so it would never be counted. */
  async function setApart(
    cursor: Cursor,
    { gapId }: Reading,
    refused: readonly RefusedEvent[],
    now: Date,
  ): Promise<Recorded> {
    const { environment } = cursor;
    const recorded = await store.record(cursor, countedAsUnreadable(environment, refused, gapId), now);
    await store.quarantine(cursor, refused, version, now);
    for (const { eventKey, code } of refused) {
      logger.error({ environment, hash: quarantineHash(environment, eventKey), code }, 'event could not be recorded');
    }
    return recorded;
  }

  return { ...store, record };
}

const NOT_NOTED = 'deliveries that succeeded could not be noted: their incidents may recover later';

type Attempt =
  | { readonly is: 'recorded'; readonly recorded: Recorded }
  /** The data was refused, with the database's code. */
  | { readonly is: 'refused'; readonly code: string };

async function attempt(
  store: Pick<ReadingStore, 'record'>,
  cursor: Cursor,
  reading: Reading,
  now: Date,
): Promise<Attempt> {
  try {
    return { is: 'recorded', recorded: await store.record(cursor, reading, now) };
  } catch (error) {
    if (error instanceof RefusedDataError) return { is: 'refused', code: error.code };
    throw error;
  }
}

/** Returns a reading that counts refused events as unreadable in their environment. */
function countedAsUnreadable(
  environment: string,
  refused: readonly RefusedEvent[],
  gapId: string | undefined,
): Reading {
  const unreadable = refused.map(({ eventKey, createdAt }) => {
    return { key: `refused ${quarantineHash(environment, eventKey)}`, createdAt };
  });
  return { ...NOTHING, unreadable, ...(gapId !== undefined && { gapId }) };
}

const NOTHING: Reading = { trackedEvents: [], failures: [], successes: [], unreadable: [] };

/** How the pieces of a refused page were recorded; `resting` were not tried. */
interface PiecesRecorded {
  readonly recorded: readonly Recorded[];
  readonly refused: readonly RefusedEvent[];
  readonly resting: readonly Piece[];
}

const NO_PIECES: PiecesRecorded = { recorded: [], refused: [], resting: [] };

/** What a page adds for one event; without a key, for no event in particular. */
interface Piece {
  readonly eventKey: string | null;
  readonly createdAt: Date | null;
  readonly reading: Reading;
}

function piecesOf({ trackedEvents, failures, successes, unreadable, gapId }: Reading): Piece[] {
  const none: Reading = { ...NOTHING, ...(gapId !== undefined && { gapId }) };
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
    newUnreadable: recorded.reduce((sum, { newUnreadable }) => sum + newUnreadable, 0),
  };
}
