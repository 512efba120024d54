import type { Job, TriggeredEvent } from './entities.ts';

/** Some servers answer from an analytics store, which lacks details and mixes steps up (`Behavior`): each query returns no more rows. */
const MOST_ROWS = 100;

/** The store returns a page's oldest hundred details, without their providers, so most failed steps of a busy page have none. */
export function withOldestDetails(events: readonly TriggeredEvent[]): TriggeredEvent[] {
  const details = events.flatMap(({ jobs }) => jobs.flatMap(({ executionDetails }) => executionDetails));
  const oldest = new Set(details.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)).slice(0, MOST_ROWS));
  return events.map((event) => ({ ...event, jobs: event.jobs.map((job) => withDetails(job, oldest)) }));
}

function withDetails(job: Job, shownDetails: ReadonlySet<Job['executionDetails'][number]>): Job {
  const executionDetails = job.executionDetails.flatMap((detail) => {
    const { providerId: _, ...withoutProvider } = detail;
    return shownDetails.has(detail) ? [withoutProvider] : [];
  });
  return { ...job, executionDetails };
}

/** A retrieved event has up to a hundred steps of its transaction's other events, and its own ones only if there is no other. */
export function withTransactionsSteps(event: TriggeredEvent, transaction: readonly TriggeredEvent[]): TriggeredEvent {
  const others = transaction.filter(({ _id }) => _id !== event._id);
  const jobs = (others.length > 0 ? others : [event]).flatMap((each) => each.jobs).slice(0, MOST_ROWS);
  const [withFewerDetails = event] = withOldestDetails([{ ...event, jobs }]);
  const bare = withFewerDetails.jobs.map((job) => {
    const { _id, _templateId, active, filters } = job.step;
    const step = { _id, _templateId, active, filters };
    return { ...job, step, payload: {}, overrides: {}, scheduleExtensionsCount: 0 };
  });
  return { ...event, jobs: bare };
}
