import { z } from 'zod';
import type { Failure } from '../failures/failure.ts';
import { all } from '../service/schema.ts';
import { Count } from '../store/db.ts';
import { StoredVerdict } from './incident.ts';

export interface EventReading<Item extends ReadFailure = Failure> {
  eventKey: string;
  /** When the service last changed it. */
  asOf: Date;
  /** Nothing of it was unreadable, so a failure that it lacks is gone. */
  isWhole: boolean;
  /** When each step last changed: a list can leave out its newest details. */
  stepsAsOf?: ReadonlyMap<string, Date | null>;
  failures: readonly Item[];
}

type ReadFailure = Pick<Failure, 'eventKey' | 'jobId' | 'provider' | 'verdict' | 'isUnexplained'>;

export const StoredRow = z.object({
  ...all(Count, 'seq', 'incidentId'),
  ...all(z.string(), 'eventKey', 'jobId', 'provider', 'incidentKey'),
  verdict: StoredVerdict,
  ...all(z.date(), 'asOf', 'occurredAt', 'recordedAt'),
  isUnexplained: z.boolean(), // a step that was stuck fails for a reason of its own
});
export type StoredFailure = z.output<typeof StoredRow>;

export interface Reconciled<Item> {
  /** `from`: the incident that counted it until now, since `recordedAt`. */
  added: { failure: Item; asOf: Date; from: number | null; recordedAt: Date | null }[];
  reworded: Pick<StoredFailure, 'seq' | 'incidentId' | 'verdict' | 'asOf'>[];
  removed: readonly StoredFailure[];
  /** Unchanged, as of a newer reading. */
  touched: readonly Pick<StoredFailure, 'seq' | 'asOf'>[];
}

/** An event's failures become those of its newest reading, in any order of readings. */
export function reconcile<Item extends ReadFailure>(
  readings: readonly EventReading<Item>[],
  stored: readonly StoredFailure[],
  keyOf: (failure: Item) => string,
): Reconciled<Item> {
  const changes = readings.map((reading) => {
    const known = stored.filter(({ eventKey }) => eventKey === reading.eventKey);
    return known.some(({ asOf }) => asOf > reading.asOf) ? NOTHING : reconcileEvent(reading, known, keyOf);
  });
  return {
    added: changes.flatMap(({ added }) => added),
    reworded: changes.flatMap(({ reworded }) => reworded),
    removed: changes.flatMap(({ removed }) => removed),
    touched: changes.flatMap(({ touched }) => touched),
  };
}

const NOTHING = { added: [], reworded: [], removed: [], touched: [] };

function reconcileEvent<Item extends ReadFailure>(
  { failures, asOf, isWhole, stepsAsOf }: EventReading<Item>,
  stored: readonly StoredFailure[],
  keyOf: (failure: Item) => string,
): Reconciled<Item> {
  const added: Reconciled<Item>['added'] = [];
  const reworded: Reconciled<Item>['reworded'] = [];
  const kept = new Set<StoredFailure>();
  for (const failure of failures) {
    const step = stored.filter(({ jobId }) => jobId === failure.jobId);
    const explained = step.filter(({ isUnexplained }) => !isUnexplained);
    if (failure.isUnexplained && explained.length > 0) {
      // A list without details leaves out a reason that was read before.
      for (const row of explained) kept.add(row);
      continue;
    }
    const same = step.find(({ provider }) => provider === (failure.provider ?? ''));
    if (same?.incidentKey !== keyOf(failure)) {
      const { incidentId: from = null, recordedAt = null } = same ?? step[0] ?? {};
      added.push({ failure, asOf, from, recordedAt });
      continue;
    }
    kept.add(same);
    if (same.verdict !== failure.verdict) reworded.push({ ...same, verdict: failure.verdict, asOf });
  }
  const isReplaced = (row: StoredFailure) =>
    added.some(({ failure }) => failure.jobId === row.jobId && (failure.provider ?? '') === row.provider);
  const isGone = (row: StoredFailure) => isWhole && (stepsAsOf?.get(row.jobId) ?? row.occurredAt) >= row.occurredAt;
  const removed = stored.filter((row) => !kept.has(row) && (isGone(row) || isReplaced(row)));
  const touched = [...kept].filter((row) => row.asOf < asOf).map(({ seq }) => ({ seq, asOf }));
  return { added, reworded, removed, touched };
}
