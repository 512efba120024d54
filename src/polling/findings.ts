import { addMilliseconds, min } from 'date-fns';
import { type SeenWorkflow, workflowsWithIds } from '../changes/workflows.ts';
import { addDomains } from '../coverage/environments.ts';
import { MinuteCounts } from '../coverage/minute-counts.ts';
import type { Waiting } from '../coverage/waiting-events.ts';
import type { EventReading } from '../incidents/reconcile.ts';
import type { Failure } from '../judging/failure.ts';
import { deliveriesOf, type JudgedEvent, judging } from '../judging/judge.ts';
import { lastSignOf, STUCK_AFTER_MS, waitsUntil } from '../judging/waits.ts';
import { pauses, withPauses } from '../lib/pauses.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { eventKey, hidesOutcome, type Job, type TriggeredEvent } from '../service/event.ts';
import type { Page } from '../service/query.ts';
import { refuseOthers } from './identity.ts';
import { withReasonsOfMessages } from './message-reasons.ts';
import type { Reading } from './reading.ts';

/** What a page is read for. */
export type Reads = 'present' | 'gap' | 'pass';

/** What the pages of a slice showed. */
export interface SliceFindings {
  counts: MinuteCounts;
  /** By event key. */
  readings: Map<string, DatedReading>;
  workflows: SeenWorkflow[];
  /** By the ID of the event, which has a step that waits beyond the horizon. */
  waiting: Map<string, Waiting>;
}

/** `range`: an event without a time counts at its beginning. */
export function noFindings(range: TimeRange): SliceFindings {
  return { counts: new MinuteCounts(range), readings: new Map(), workflows: [], waiting: new Map() };
}

type DatedReading = EventReading & Pick<TriggeredEvent, 'createdAt'>;

/** Adds what a page shows to the findings. An event that can't be judged counts as unreadable. */
export async function judgePage(
  reading: Reading,
  reads: Reads,
  { items, unreadable }: Page<TriggeredEvent>,
  findings: SliceFindings,
): Promise<void> {
  const { ctx, environment } = reading;
  const page = { reads, seenAt: ctx.now() };
  await refuseOthers(reading, items);
  if (reads === 'present') ctx.traffic.add(environment, items);
  await noteDomains(reading);
  for (const item of unreadable) findings.counts.addUnreadable(item);
  const attempt = async (event: TriggeredEvent, act: () => Promise<void> | void) => {
    try {
      await act();
    } catch (err) {
      ctx.logger.error({ environment, err }, "Event couldn't be judged, which is a bug");
      findings.counts.addUnreadableEvent(event);
    }
  };
  const judgedEvents: JudgedEvent[] = [];
  const pause = pauses();
  for (const event of await withDeletedWorkflows(reading, items)) {
    await pause();
    if (hidesOutcome(event)) findings.counts.addUnreadableEvent(event);
    await attempt(event, async () => {
      judgedEvents.push({ event, judgment: await withPauses(judging(event, reading.serviceNow())) });
    });
  }
  for (const judged of await withReasonsOfMessages(reading, judgedEvents))
    await attempt(judged.event, () => addJudged(reading, page, judged, findings));
}

/** A domain of one or two people could name them. */
async function noteDomains({ ctx, environment, domains }: Reading): Promise<void> {
  const added = [...ctx.traffic.commonDomains(environment)].filter((domain) => !domains.has(domain));
  if (added.length === 0) return;
  await addDomains(ctx.db, environment, added);
  for (const domain of added) domains.add(domain);
}

/** Completes events of workflows that were deleted since, of which the service only says the ID. */
async function withDeletedWorkflows(
  { ctx, environment }: Reading,
  events: readonly TriggeredEvent[],
): Promise<TriggeredEvent[]> {
  const deletedIds = events.flatMap(({ deletedWorkflowId }) => deletedWorkflowId ?? []);
  const deleted = await workflowsWithIds(ctx.db, environment, deletedIds);
  return events.map((event) => ({
    ...event,
    workflow: event.workflow ?? deleted.get(event.deletedWorkflowId) ?? null,
  }));
}

function addJudged(
  { ctx, domains }: Reading,
  { reads, seenAt }: { reads: Reads; seenAt: Date },
  { event, judgment }: JudgedEvent,
  { counts, readings, workflows, waiting }: SliceFindings,
): void {
  const atKnownDomain = <Place extends { domain: string | null }>(place: Place): Place =>
    place.domain === null || domains.has(place.domain) ? place : { ...place, domain: null };
  counts.addEvent(event, deliveriesOf(event, judgment).map(atKnownDomain), seenAt);
  const read = readingOf(event, judgment.failures.map(atKnownDomain), seenAt);
  const asOfBefore = readings.get(read.eventKey)?.asOf;
  if (asOfBefore === undefined || asOfBefore <= read.asOf) readings.set(read.eventKey, read);
  const wait = waitBeyond(event, ctx.horizonMs);
  if (wait !== null) waiting.set(wait.eventId, wait);
  const { workflow, createdAt, critical } = event;
  const isDeleted = event.deletedWorkflowId !== null;
  // A pass shows events again whose workflows are recorded.
  if (workflow !== null && (isDeleted || reads !== 'pass'))
    workflows.push({ workflow, createdAt, critical, isDeleted });
}

function readingOf(event: TriggeredEvent, failures: readonly Failure[], seenAt: Date): DatedReading {
  const stepAsOf = (job: Job) => lastSignOf({ createdAt: null, updatedAt: null, jobs: [job] });
  return {
    eventKey: eventKey(event),
    createdAt: event.createdAt,
    // A sign dated ahead would outdate all later readings.
    asOf: min([seenAt, lastSignOf(event) ?? new Date(0)]),
    stepsAsOf: new Map(event.jobs.map((job) => [`${boundedId(job.id)}`, stepAsOf(job)])),
    isWhole: !hidesOutcome(event),
    failures,
  };
}

function waitBeyond(event: TriggeredEvent, horizonMs: number): Waiting | null {
  const { id, createdAt } = event;
  const dueAt = waitsUntil(event);
  if (id === null || createdAt === null || dueAt === null) return null;
  // A step's end is read by then, too.
  const isBeyond = addMilliseconds(dueAt, STUCK_AFTER_MS) > addMilliseconds(createdAt, horizonMs);
  return isBeyond ? { eventId: boundedId(id), dueAt } : null;
}
