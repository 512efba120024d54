import { z } from 'zod';
import type { Failure } from '../failures/judge.ts';
import type { RecordedVerdict } from '../failures/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import { fields } from '../service/schema.ts';
import { Count } from '../store/db.ts';
import { StoredVerdict } from './incident.ts';

export interface EventReading {
  eventKey: string;
  /** When the service last changed the event. */
  asOf: Date;
  /** All of the event was readable, so a stored failure that it lacks is gone. */
  isWhole: boolean;
  /** When each step last changed: a list can leave out its newest details. */
  stepsAsOf?: ReadonlyMap<string, Date | null>;
  failures: readonly Failure[];
}

export const StoredRow = z.object({
  ...fields(Count, 'seq', 'incidentId'),
  ...fields(z.string(), 'eventKey', 'jobId', 'provider', 'incidentKey'),
  verdict: StoredVerdict,
  ...fields(z.date(), 'asOf', 'occurredAt', 'recordedAt'),
  isUnexplained: z.boolean(), // also if stuck: a reason can still come
});
export type StoredFailure = z.output<typeof StoredRow>;

export interface Reconciled {
  /** `from`: the incident that counted it until now, since `recordedAt`. */
  added: { failure: Failure; asOf: Date; from: number | null; recordedAt: Date | null }[];
  updated: (Pick<StoredFailure, 'seq' | 'incidentId' | 'verdict' | 'asOf'> & { hasNewVerdict: boolean })[];
  removed: StoredFailure[];
}

/** An event's failures become those of its newest reading, in any order of readings. */
export function reconcile(
  readings: readonly EventReading[],
  stored: readonly StoredFailure[],
  keyOf: (failure: Failure) => string,
): Reconciled {
  const byEvent = groupBy(stored, ({ eventKey }) => eventKey);
  const changes = readings.flatMap((reading) => {
    const known = byEvent.get(reading.eventKey) ?? [];
    return known.some(({ asOf }) => asOf > reading.asOf) ? [] : [reconcileEvent(reading, known, keyOf)];
  });
  return {
    added: changes.flatMap(({ added }) => added),
    updated: changes.flatMap(({ updated }) => updated),
    removed: changes.flatMap(({ removed }) => removed),
  };
}

function reconcileEvent(
  { failures, asOf, isWhole, stepsAsOf }: EventReading,
  stored: readonly StoredFailure[],
  keyOf: (failure: Failure) => string,
): Reconciled {
  const added: Reconciled['added'] = [];
  const kept = new Map<StoredFailure, RecordedVerdict>();
  const byStep = groupBy(stored, ({ jobId }) => jobId);
  const byPlace = new Map(stored.map((row) => [placeOf(row), row]));
  for (const failure of failures) {
    const stepRows = byStep.get(failure.jobId) ?? [];
    const explained = failure.isUnexplained ? stepRows.filter(({ isUnexplained }) => !isUnexplained) : [];
    if (explained.length > 0) {
      // A list without details leaves out a reason that was read before.
      for (const row of explained) kept.set(row, kept.get(row) ?? row.verdict);
      continue;
    }
    const same = byPlace.get(placeOf(failure));
    if (same?.incidentKey === keyOf(failure)) {
      kept.set(same, failure.verdict);
    } else {
      const { incidentId: from = null, recordedAt = null } = same ?? stepRows[0] ?? {};
      added.push({ failure, asOf, from, recordedAt });
    }
  }
  const replaced = new Set(added.map(({ failure }) => placeOf(failure)));
  const isGone = (row: StoredFailure) => isWhole && (stepsAsOf?.get(row.jobId) ?? row.occurredAt) >= row.occurredAt;
  const removed = stored.filter((row) => !kept.has(row) && (isGone(row) || replaced.has(placeOf(row))));
  const updated = [...kept].flatMap(([row, verdict]) => {
    const hasNewVerdict = verdict !== row.verdict;
    return hasNewVerdict || row.asOf < asOf ? [{ ...row, verdict, asOf, hasNewVerdict }] : [];
  });
  return { added, updated, removed };
}

const placeOf = ({ jobId, provider }: { jobId: string; provider: string | null }) =>
  JSON.stringify([jobId, provider ?? '']);
