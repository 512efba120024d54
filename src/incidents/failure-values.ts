import { type StorableLabels, storableId, storableLabels } from '../judging/filter.ts';
import type { Failure } from '../judging/judge.ts';
import { boundedId, maybeBoundedId, type StorableRow } from '../lib/text/shown-id.ts';
import type { FailureRow } from './tables.ts';

/** The columns of a failure that follow what the service says: a filter may match a label that came later. */
type ValueName =
  | ('workflow' | 'workflowName' | 'verdict' | 'eventId' | 'transactionId' | 'subscriberId' | 'severity')
  | ('critical' | 'topics' | 'contexts' | 'tags');

export const VALUE_NAMES: readonly ValueName[] = [
  ...(['workflow', 'workflowName', 'verdict', 'eventId', 'transactionId', 'subscriberId', 'severity'] as const),
  ...(['critical', 'topics', 'contexts', 'tags'] as const),
];

export type FailureValues = StorableRow<Pick<FailureRow, ValueName>>;

const MOST_LABELS = 500;

/** By lists of an event: scrubbing its labels for each of its failures would be slow. */
export type KnownLabels = Map<string, StorableLabels>;

function labelsOf({ topics, contexts, tags }: Failure, known: KnownLabels): StorableLabels {
  const most = (labels: readonly string[]) => labels.slice(0, MOST_LABELS);
  const lists = { topics: most(topics), contexts: most(contexts), tags: most(tags) };
  const key = JSON.stringify(lists);
  const labels = known.get(key) ?? storableLabels(lists);
  known.set(key, labels);
  return labels;
}

/** Adds to `known`. */
export function failureValues(failure: Failure, known: KnownLabels): FailureValues {
  const { verdict, critical, subscriberId, workflowName } = failure;
  return {
    ...labelsOf(failure, known),
    verdict,
    critical,
    eventId: maybeBoundedId(failure.eventId),
    transactionId: boundedId(failure.transactionId),
    workflow: maybeBoundedId(failure.workflow),
    workflowName: workflowName === null ? null : storableId(workflowName),
    severity: maybeBoundedId(failure.severity),
    subscriberId: subscriberId === null ? null : storableId(subscriberId),
  };
}
