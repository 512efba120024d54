import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../judging/failure.ts';
import { type VerdictClass, verdictClassOf } from '../judging/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import { type FailureValues, failureValues, type KnownLabels, VALUE_NAMES } from './failure-values.ts';
import type { FailureRow } from './tables.ts';

/** What one answer of the service says of an event. */
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

export interface StoredFailure extends FailureRow {
  /** Its incident's class: a failure of another class is another incident's. */
  verdictClass: VerdictClass;
  isTest: boolean;
  /** The hash of its sentence and place. */
  wordingKey: string;
  /** No reason is stored, or it's stuck: a reason can still come. */
  isUnexplained: boolean;
}

export interface AddedFailure {
  failure: Failure;
  asOf: Date;
  /** The incident that counted it until now; null: it is new. */
  from: number | null;
  /** When it was first recorded. */
  recordedAt: Date | null;
}

export interface UpdatedFailure {
  row: StoredFailure;
  /** What the reading says; null: it knows less than is stored. */
  failure: Failure | null;
  /** The columns that the reading changes. */
  values: Partial<FailureValues>;
  asOf: Date;
  /** Its sentence is another. */
  isReworded: boolean;
}

/** What a reading changes of the stored failures. */
export interface Reconciled {
  added: readonly AddedFailure[];
  updated: readonly UpdatedFailure[];
  removed: readonly StoredFailure[];
}

export type WordingKeyOf = (failure: Failure) => string;

/** An event's failures become those of its newest reading, in any order of readings. */
export function reconcile(
  readings: readonly EventReading[],
  stored: readonly StoredFailure[],
  wordingKeyOf: WordingKeyOf,
): Reconciled {
  const ofEvent = groupBy(stored, ({ eventKey }) => eventKey);
  const changes = readings.flatMap((reading) => {
    const known = ofEvent.get(reading.eventKey) ?? [];
    return known.some(({ asOf }) => asOf > reading.asOf) ? [] : [reconcileEvent(reading, known, wordingKeyOf)];
  });
  return {
    added: changes.flatMap(({ added }) => added),
    updated: changes.flatMap(({ updated }) => updated),
    removed: changes.flatMap(({ removed }) => removed),
  };
}

/** A failure keeps its incident whatever its cause turns out to be: number, people and what was told stay. */
function reconcileEvent(
  { failures, asOf, isWhole, stepsAsOf }: EventReading,
  stored: readonly StoredFailure[],
  wordingKeyOf: WordingKeyOf,
): Reconciled {
  const added: AddedFailure[] = [];
  const kept = new Map<StoredFailure, Failure | null>();
  const replaced = new Set<StoredFailure>();
  const ofStep = groupBy(stored, ({ jobId }) => jobId);
  const byAttempt = new Map(stored.map((row) => [attemptOf(row), row]));
  const labels: KnownLabels = new Map();
  for (const failure of failures) {
    const stepRows = ofStep.get(failure.jobId) ?? [];
    const explained = failure.isUnexplained ? stepRows.filter(({ isUnexplained }) => !isUnexplained) : [];
    if (explained.length > 0) {
      // A list without details leaves out a reason that was read before.
      for (const row of explained) kept.set(row, kept.get(row) ?? null);
      continue;
    }
    const same = byAttempt.get(attemptOf(failure));
    if (same !== undefined && isOfIncident(same, failure)) {
      kept.set(same, failure);
    } else {
      if (same !== undefined) replaced.add(same);
      const { incidentId: from = null, recordedAt = null } = same ?? stepRows[0] ?? {};
      added.push({ failure, asOf, from, recordedAt });
    }
  }
  // A step that is listed as it was before the failure doesn't show it yet.
  const isGone = (row: StoredFailure) => isWhole && (stepsAsOf?.get(row.jobId) ?? row.occurredAt) >= row.occurredAt;
  const removed = stored.filter((row) => !kept.has(row) && (isGone(row) || replaced.has(row)));
  const updated = [...kept].flatMap(([row, failure]): UpdatedFailure[] => {
    const values = failure === null ? {} : changedValues(row, failureValues(failure, labels));
    const isReworded = failure !== null && wordingKeyOf(failure) !== row.wordingKey;
    const isChanged = isReworded || Object.keys(values).length > 0 || row.asOf < asOf;
    return isChanged ? [{ row, failure, values, asOf, isReworded }] : [];
  });
  return { added, updated, removed };
}

const attemptOf = ({ jobId, provider }: { jobId: string; provider: string | null }): string =>
  JSON.stringify([jobId, provider ?? '']);

const isOfIncident = (row: StoredFailure, { verdict, isTest }: Failure): boolean =>
  row.verdictClass === verdictClassOf(verdict) && row.isTest === isTest;

function changedValues(row: FailureRow, values: FailureValues): Partial<FailureValues> {
  const changed = VALUE_NAMES.filter((name) => !isDeepStrictEqual(values[name], row[name]));
  return Object.fromEntries(changed.map((name) => [name, values[name]]));
}
