import { withBoundedIds } from '../../domain/failures/failure.ts';
import type { Workflow } from '../../domain/service/event.ts';
import { boundedId, maybeBoundedId } from '../../domain/text/bounded-id.ts';
import type { Reading } from '../../use-cases/polling/record-events.ts';

/** A reading as it is kept: ids become keys and columns of indexes, which take 2,704 bytes a row. */
export function boundedReading(reading: Reading): Reading {
  return {
    ...reading,
    sightings: reading.sightings.map((sighting) => ({
      ...sighting,
      eventKey: boundedId(sighting.eventKey),
      eventId: maybeBoundedId(sighting.eventId),
      workflow: sighting.workflow && boundedWorkflow(sighting.workflow),
      delivered: sighting.delivered.map((one) => ({
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
