import { type Failure, withBoundedIds } from '../../domain/failures/failure.ts';
import { keptLabels } from '../../domain/failures/failure-filter.ts';
import type { Workflow } from '../../domain/service/event.ts';
import { boundedId, maybeBoundedId } from '../../domain/text/bounded-id.ts';
import { maskedId } from '../../domain/text/shown-id.ts';
import type { Reading } from '../../use-cases/polling/record-events.ts';

/**
 * Bounds the length of a reading's IDs, which become keys and index columns: an index row holds 2,704 bytes. Masks contacts in subscriber IDs,
 * and contacts and secrets in contexts and tags.
 */
export function boundedReading(reading: Reading): Reading {
  const mask = masking();
  return {
    ...reading,
    trackedEvents: reading.trackedEvents.map((trackedEvent) => ({
      ...trackedEvent,
      eventKey: boundedId(trackedEvent.eventKey),
      eventId: maybeBoundedId(trackedEvent.eventId),
      workflow: trackedEvent.workflow && boundedWorkflow(trackedEvent.workflow),
      delivered: trackedEvent.delivered.map((one) => ({
        ...one,
        channel: boundedId(one.channel),
        provider: maybeBoundedId(one.provider),
      })),
    })),
    failures: reading.failures.map((failure) => withBoundedIds(mask(failure))),
    successes: reading.successes.map((success) => ({
      ...success,
      workflow: maybeBoundedId(success.workflow),
      channel: boundedId(success.channel),
      provider: maybeBoundedId(success.provider),
    })),
    unreadable: reading.unreadable.map((item) => ({ ...item, key: boundedId(item.key) })),
  };
}

function boundedWorkflow(workflow: Workflow): Workflow {
  return { ...workflow, id: maybeBoundedId(workflow.id), identifier: boundedId(workflow.identifier) };
}

/** The failures of an event share their lists of labels, so each list is scrubbed once. */
function masking(): (failure: Failure) => Failure {
  const scrubbed = new Map<readonly string[], readonly string[]>();
  const once = (labels: readonly string[]): readonly string[] => {
    const known = scrubbed.get(labels) ?? keptLabels(labels);
    scrubbed.set(labels, known);
    return known;
  };
  return (failure) => ({
    ...failure,
    subscriberId: failure.subscriberId === null ? null : maskedId(failure.subscriberId),
    contexts: once(failure.contexts),
    tags: once(failure.tags),
  });
}
