import type { Failure } from '../judging/failure.ts';
import { type StorableLabels, storableId, storableLabels } from '../judging/filter.ts';
import { boundedId, maybeBoundedId, type StorableRow } from '../lib/text/shown-id.ts';
import type { Addition } from './record.ts';
import type { FailureRow, IncidentRow } from './tables.ts';

/** The columns of a failure that follow what the service says: a filter may match a label that came later. */
export const VALUE_NAMES = [
  'workflow',
  'workflowName',
  'verdict',
  'eventId',
  'transactionId',
  'subscriberId',
  'severity',
  'critical',
  'topics',
  'contexts',
  'tags',
  'domain',
] as const;

export type FailureValues = StorableRow<Pick<FailureRow, (typeof VALUE_NAMES)[number]>>;

/** A failure keeps so many labels of each kind: a filter is compared with each. */
const MOST_LABELS = 500;

/** Labels as they are stored, by the lists that an event has: scrubbing them for each of its failures would be slow. */
export type KnownLabels = Map<string, StorableLabels>;

/** The columns of a failure. Its labels are taken from `known`, or added to it. */
export function failureValues(failure: Failure, known: KnownLabels): FailureValues {
  const { verdict, critical, subscriberId, workflowName } = failure;
  return {
    ...labelsOf(failure, known),
    verdict,
    critical,
    domain: maybeBoundedId(failure.domain),
    eventId: maybeBoundedId(failure.eventId),
    transactionId: boundedId(failure.transactionId),
    workflow: maybeBoundedId(failure.workflow),
    workflowName: workflowName === null ? null : storableId(workflowName),
    severity: maybeBoundedId(failure.severity),
    subscriberId: subscriberId === null ? null : storableId(subscriberId),
  };
}

function labelsOf({ topics, contexts, tags }: Failure, known: KnownLabels): StorableLabels {
  const most = (labels: readonly string[]) => labels.slice(0, MOST_LABELS);
  const lists = { topics: most(topics), contexts: most(contexts), tags: most(tags) };
  const key = JSON.stringify(lists);
  const labels = known.get(key) ?? storableLabels(lists);
  known.set(key, labels);
  return labels;
}

export type NewFailureRow = StorableRow<Omit<FailureRow, 'seq' | 'environment'>> & { environment: string };

/** The rows of failures that are to be added to an incident. */
export function newFailureRows(
  items: readonly Addition[],
  { id: incidentId, environment }: IncidentRow,
  { wordingIds, now }: { wordingIds: ReadonlyMap<string, number>; now: Date },
): NewFailureRow[] {
  const labels: KnownLabels = new Map();
  return items.map(({ failure, wordingKey, asOf, occurredAt, recordedAt }) => ({
    ...failureValues(failure, labels),
    environment,
    incidentId,
    wordingId: wordingIds.get(wordingKey) ?? null,
    eventKey: boundedId(failure.eventKey),
    jobId: boundedId(failure.jobId),
    provider: boundedId(failure.provider ?? ''),
    asOf,
    occurredAt,
    recordedAt: recordedAt ?? now,
    eventCreatedAt: failure.eventCreatedAt ?? occurredAt,
  }));
}
