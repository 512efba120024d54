import { withBoundedIds } from '../../domain/failures/failure.ts';
import type { Workflow } from '../../domain/service/event.ts';
import { boundedId, maybeBoundedId } from '../../domain/text/bounded-id.ts';
import type { Reading } from '../../use-cases/polling/record-events.ts';

/** Bounds the length of a reading's IDs, which become keys and index columns: an index row holds 2,704 bytes. */
export function boundedReading(reading: Reading): Reading {
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
    failures: reading.failures.map(withBoundedIds),
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
