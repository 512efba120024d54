import { addMilliseconds, min } from 'date-fns';
import { type SeenWorkflow, workflowsWithIds } from '../changes/workflows.ts';
import { addDomains } from '../coverage/environments.ts';
import type { Unread } from '../coverage/gap.ts';
import { MinuteCounts } from '../coverage/minute-counts.ts';
import { countedIn } from '../coverage/minutes.ts';
import type { Waiting } from '../coverage/waiting-events.ts';
import { storedFailures } from '../incidents/failure-rows.ts';
import type { EventReading } from '../incidents/reconcile.ts';
import type { Failure } from '../judging/failure.ts';
import { deliveriesOf, type JudgedEvent, judging } from '../judging/judge.ts';
import { lastSignOf, STUCK_AFTER_MS, waitsUntil } from '../judging/waits.ts';
import { pauses, withPauses } from '../lib/pauses.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { halves, MINUTE_MS, minuteOf, type TimeRange, withoutRanges } from '../lib/time/durations.ts';
import { eventKey, hidesOutcome, type Job, lacksReason, type TriggeredEvent } from '../service/event.ts';
import { PAGE_SIZE, type Page } from '../service/query.ts';
import { withSteps } from '../service/steps.ts';
import { refuseOthers } from './identity.ts';
import { withReasonsOfMessages } from './message-reasons.ts';
import { type OnPage, type Refused, readWindows, type Walked } from './read-windows.ts';
import type { Reading } from './reading.ts';
import { EVENTS_A_SLICE, minutesOf, slices } from './slices.ts';

/** What a page is read for. */
type Reads = 'present' | 'gap' | 'pass';

export interface Purpose {
  reads: Reads;
  /** Events that the list shows without steps are asked for by their IDs. */
  asksForSteps: boolean;
  /** The slices in their order; null: as many as the events take. */
  planned: readonly TimeRange[] | null;
}

type DatedReading = EventReading & Pick<TriggeredEvent, 'createdAt'>;

/** What the pages of a slice showed. */
export interface SliceFindings {
  counts: MinuteCounts;
  /** By event key. */
  readings: Map<string, DatedReading>;
  workflows: SeenWorkflow[];
  /** By the ID of the event, which has a step that waits beyond the horizon. */
  waiting: Map<string, Waiting>;
}

export interface SliceRead {
  findings: SliceFindings;
  /** How much of the slice counts as read; null if nothing does. */
  read: TimeRange | null;
  /** What the service can't show. */
  unread: readonly Unread[];
  /** Its events are counted anew for the time that counts as read. */
  isCounted: boolean;
}

/** A range that stays empty isn't counted. Throws the service's refusal once what was read before it was yielded. */
export async function* readSlices(
  reading: Reading,
  range: TimeRange,
  inGaps: readonly TimeRange[],
  purpose: Purpose,
): AsyncGenerator<SliceRead> {
  const { events, unreadable } = await countedIn(reading.ctx.db, reading.environment, range);
  reading.steps.every = Math.ceil(events / reading.steps.left) || 1;
  const expected = events + unreadable;
  const eventsASlice = reading.keepsMinutes ? PAGE_SIZE : EVENTS_A_SLICE;
  const waiting = [...(purpose.planned ?? slices(range, expected, eventsASlice))];
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    reading.signal.throwIfAborted();
    const { findings, isWhole, walked } = await readSlice(reading, slice, inGaps, purpose);
    if (walked.is === 'too-long') {
      const shorter = reading.keepsMinutes ? null : halves(slice, MINUTE_MS);
      waiting.unshift(...(shorter ?? minutesOf(slice)));
      continue;
    }
    if (walked.is === 'refused') {
      const { error, isBegun } = walked;
      if (isBegun) yield { findings, ...keptOf(reading, slice, walked, purpose) };
      throw error;
    }
    const isCounted = isWhole && expected + findings.counts.events.size > 0;
    yield { findings, read: slice, unread: walked.unread, isCounted };
    reading.slices += 1;
  }
}

/** Returns what counts as read of a slice that the service refused on the way. Its failures are recorded in any case. */
function keptOf(
  reading: Reading,
  slice: TimeRange,
  { error, reached }: Refused,
  { reads }: Purpose,
): Omit<SliceRead, 'findings'> {
  const nothing = { read: null, unread: [], isCounted: false };
  if (!reading.keepsMinutes) return nothing;
  // A pass knows only up to where it has read.
  if (reached !== null && reads !== 'pass') return { ...nothing, read: reached, isCounted: reads === 'present' };
  // The present reads its newest minute before the oldest.
  const slicesBefore = reads === 'present' ? 1 : 0;
  if (reading.slices > slicesBefore) return nothing;
  // The rest becomes a gap: else a minute with more pages than a poll gets would be begun anew forever.
  const cause = error.problem.kind;
  const unread = withoutRanges(slice, reached === null ? [] : [reached]).map((rest) => ({ ...rest, cause }));
  return { ...nothing, read: slice, unread };
}

async function readSlice(
  reading: Reading,
  slice: TimeRange,
  inGaps: readonly TimeRange[],
  { reads, asksForSteps }: Purpose,
): Promise<{ findings: SliceFindings; isWhole: boolean; walked: Walked }> {
  const findings = noFindings(slice);
  let lacksSteps = false;
  // Events of a page's last moment: the next page may show more of that moment, or be refused.
  let heldBack: readonly TriggeredEvent[] = [];
  // What the padding shows of later time is the next slice's.
  const isInSlice = ({ createdAt }: TriggeredEvent) => {
    const at = createdAt ?? slice.from;
    return reading.keepsMinutes ? at >= slice.from && at < slice.to : minuteOf(at) < slice.to;
  };
  const onPage: OnPage = async (page) => {
    lacksSteps ||= page.items.some(({ listsSteps }) => !listsSteps);
    const inSlice = page.items.filter(isInSlice);
    const items = [...heldBack, ...(asksForSteps ? await completedItems(reading, inSlice) : inSlice)];
    const lastAt = page.hasMore ? items.at(-1)?.createdAt?.getTime() : null;
    heldBack = items.filter(({ createdAt }) => createdAt !== null && createdAt.getTime() === lastAt);
    await judgePage(reading, reads, { ...page, items: items.filter((item) => !heldBack.includes(item)) }, findings);
  };
  const walked = await readWindows(reading, withoutRanges(slice, inGaps), onPage);
  // The part that was reached of a refused slice ends before the moment held back: its events are counted with the rest.
  const counts = walked.is === 'whole' ? findings.counts : new MinuteCounts(slice);
  await judgePage(reading, reads, { items: heldBack, unreadable: [], hasMore: false }, { ...findings, counts });
  return { findings, isWhole: asksForSteps || !lacksSteps, walked };
}

/** A step that is explained in the store isn't asked for again. */
async function completedItems(
  { ctx, environment, service, call, steps }: Reading,
  items: readonly TriggeredEvent[],
): Promise<TriggeredEvent[]> {
  const unexplained = items.filter((event) => event.listsSteps && event.jobs.some(lacksReason));
  const stored = unexplained.length === 0 ? [] : await storedFailures(ctx.db, environment, unexplained.map(eventKey));
  const stepKey = (key: string, jobId: string) => JSON.stringify([key, jobId]);
  const reasons = new Set(stored.flatMap((row) => (row.isUnexplained ? [] : stepKey(row.eventKey, row.jobId))));
  const isExplained = (event: TriggeredEvent) => {
    const key = eventKey(event);
    return event.jobs.filter(lacksReason).every(({ id }) => reasons.has(stepKey(key, boundedId(id))));
  };
  const explained = new Set(unexplained.filter(isExplained));
  const others = items.filter((event) => !explained.has(event));
  return [...explained, ...(await withSteps(others, service, call, steps))];
}

/** `range`: an event without a time counts at its beginning. */
export function noFindings(range: TimeRange): SliceFindings {
  return { counts: new MinuteCounts(range), readings: new Map(), workflows: [], waiting: new Map() };
}

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
