import type { Job, TriggeredEvent } from './entities.ts';

/** What some servers answer from their analytics store, by `Behavior`. */

const MOST_ROWS = 100;

/** One query reads the details of a whole page, the oldest hundred. So most failed steps of a busy page have none. They name no provider. */
export function withOldestDetails(events: readonly TriggeredEvent[]): TriggeredEvent[] {
  const details = events.flatMap(({ jobs }) => jobs.flatMap(({ executionDetails }) => executionDetails));
  const read = new Set(details.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)).slice(0, MOST_ROWS));
  return events.map((event) => ({ ...event, jobs: event.jobs.map((job) => withDetails(job, read)) }));
}

function withDetails(job: Job, read: ReadonlySet<Job['executionDetails'][number]>): Job {
  const executionDetails = job.executionDetails.flatMap((detail) => {
    const { providerId: _, ...shown } = detail;
    return read.has(detail) ? [shown] : [];
  });
  return { ...job, executionDetails };
}

/** One event by its ID has a hundred steps of all recipients of its transaction. Where they are many, none is its own. */
export function withTransactionsSteps(event: TriggeredEvent, transaction: readonly TriggeredEvent[]): TriggeredEvent {
  const others = transaction.filter(({ _id }) => _id !== event._id);
  const jobs = (others.length > 0 ? others : [event]).flatMap((each) => each.jobs).slice(0, MOST_ROWS);
  const [read = event] = withOldestDetails([{ ...event, jobs }]);
  const bare = read.jobs.map((job) => {
    const { _id, _templateId, active, filters } = job.step;
    const step = { _id, _templateId, active, filters };
    return { ...job, step, payload: {}, overrides: {}, scheduleExtensionsCount: 0 };
  });
  return { ...event, jobs: bare };
}
