import { eq, inArray, sql } from 'drizzle-orm';
import type { Failure } from '../judging/failure.ts';
import { storableId } from '../judging/filter.ts';
import { wholeWord } from '../lib/text/whole-word.ts';
import type { Db } from '../store/db.ts';
import { ERASED, erasedAmong } from '../store/erased.ts';
import type { EventReading } from './reconcile.ts';
import { failures } from './tables.ts';

/** Returns the incidents in which only this subscriber has failures. */
export async function incidentsOnlyOf(db: Db, subscriberId: string): Promise<ReadonlySet<number>> {
  const { incidentId } = failures;
  const theirs = db.select({ incidentId }).from(failures).where(eq(failures.subscriberId, subscriberId));
  const isAlone = sql`bool_and(subscriber_id IS NOT DISTINCT FROM ${subscriberId})`;
  const known = db.select({ incidentId }).from(failures).where(inArray(incidentId, theirs));
  const rows = await known.groupBy(incidentId).having(isAlone);
  return new Set(rows.map((row) => row.incidentId));
}

/** Takes a subscriber out of their failures. The rows stay: a re-check would record them again. */
export async function eraseFromFailures(tx: Db, subscriberId: string): Promise<number> {
  return tx.write(sql`
    UPDATE failures
    SET
      subscriber_id = NULL,
      transaction_id = coalesce(event_id, ''),
      topics = '{}',
      contexts = '{}',
      tags = '{}'
    WHERE subscriber_id = ${subscriberId}`);
}

/** Readings without who was erased: what was read can name them still. */
export async function withoutErased(
  tx: Db,
  readings: readonly EventReading[],
  now: Date,
): Promise<readonly EventReading[]> {
  const named = readings.flatMap(({ failures: read }) => read.flatMap(({ subscriberId }) => subscriberId ?? []));
  const storable = new Map([...new Set(named)].map((id) => [id, storableId(id)]));
  const erased = await erasedAmong(tx, [...storable.values()], now);
  if (erased.size === 0) return readings;
  const isErased = ({ subscriberId }: Failure) => erased.has(storable.get(subscriberId ?? '') ?? '');
  return readings.map((reading) => ({
    ...reading,
    failures: reading.failures.map((failure) => (isErased(failure) ? withoutSubscriber(failure) : failure)),
  }));
}

/** What an erasure leaves of a failure. An ID with digits that is in a cause's key is also a code there, since keys have no IDs with digits: the cause stays. */
function withoutSubscriber(failure: Failure): Failure {
  const id = storableId(failure.subscriberId ?? '');
  const word = wholeWord(id);
  const { text, key } = failure.cause;
  const isCode = /\p{N}/u.test(id) && key.search(word) >= 0;
  return {
    ...failure,
    transactionId: failure.eventId ?? '',
    topics: [],
    contexts: [],
    tags: [],
    subscriberId: null,
    cause: isCode ? failure.cause : { text: text.replace(word, ERASED), key: key.replace(word, ERASED) },
  };
}
