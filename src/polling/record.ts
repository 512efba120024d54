import { addMilliseconds, min } from 'date-fns';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { recordWorkflows, type SeenWorkflow, workflowsWithIds } from '../changes/workflows.ts';
import { lockEnvironment } from '../coverage/environment-lock.ts';
import { addDomains } from '../coverage/environments.ts';
import type { NewCounts } from '../coverage/gaps.ts';
import { type MinuteCounts, replaceMinutes } from '../coverage/minutes.ts';
import { noteWaiting, type Waiting } from '../coverage/waiting.ts';
import { renameWorkflows } from '../incidents/names.ts';
import type { EventReading } from '../incidents/reconcile.ts';
import { recordReadings } from '../incidents/record.ts';
import { deliveriesOf, type JudgedEvent, judging } from '../judging/judge.ts';
import { isAnnounced } from '../judging/verdict.ts';
import { lastSignOf, STUCK_AFTER_MS, waitsUntil } from '../judging/waits.ts';
import { inPieces, pauses, withPauses } from '../lib/pauses.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { eventKey, hidesOutcome, type Job, type TriggeredEvent } from '../service/event.ts';
import type { Page } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import { StatementError } from '../store/errors.ts';
import { refuseOthers } from './identity.ts';
import { withReasonsOfMessages } from './message-reasons.ts';
import type { Purpose } from './read-slices.ts';
import type { Reading } from './reading.ts';

/** `readings` are by event key. */
export interface SliceFindings {
  counts: MinuteCounts;
  readings: Map<string, EventReading & Pick<TriggeredEvent, 'createdAt'>>;
  workflows: SeenWorkflow[];
  /** What waits beyond the horizon. */
  waiting: Waiting[];
}

export async function judgePage(
  reading: Reading,
  reads: Purpose['reads'],
  { items, unreadable }: Page<TriggeredEvent>,
  { counts, readings, workflows, waiting }: SliceFindings,
): Promise<void> {
  const { ctx, environment } = reading;
  const now = ctx.now();
  await refuseOthers(reading, items);
  if (reads === 'present') ctx.traffic.add(environment, items);
  await noteDomains(reading);
  for (const item of unreadable) counts.addUnreadable(item);
  const attempt = async (event: TriggeredEvent, act: () => Promise<void> | void) => {
    try {
      await act();
    } catch (err) {
      ctx.logger.error({ environment, err }, "Event couldn't be judged, which is a bug");
      counts.addUnreadableEvent(event);
    }
  };
  const deletedIds = items.flatMap(({ deletedWorkflowId }) => deletedWorkflowId ?? []);
  const deleted = await workflowsWithIds(ctx.db, environment, deletedIds);
  const atKnownDomain = <Place extends { domain: string | null }>(place: Place): Place =>
    place.domain === null || reading.domains.has(place.domain) ? place : { ...place, domain: null };
  const judgedEvents: JudgedEvent[] = [];
  const pause = pauses();
  for (const item of items) {
    const event = { ...item, workflow: item.workflow ?? deleted.get(item.deletedWorkflowId) ?? null };
    await pause();
    if (hidesOutcome(event)) counts.addUnreadableEvent(event);
    await attempt(event, async () => {
      judgedEvents.push({ event, judgment: await withPauses(judging(event, reading.serviceNow())) });
    });
  }
  for (const { event, judgment } of await withReasonsOfMessages(reading, judgedEvents)) {
    await attempt(event, () => {
      counts.addEvent(event, deliveriesOf(event, judgment).map(atKnownDomain), now);
      const judged = { ...readingOf(event, now), failures: judgment.failures.map(atKnownDomain) };
      const { eventKey: key, asOf } = judged;
      if ((readings.get(key)?.asOf ?? asOf) <= asOf) readings.set(key, judged);
      waiting.push(...waitingBeyond(event, ctx.horizonMs));
      const { workflow, createdAt, critical } = event;
      const isDeleted = event.deletedWorkflowId !== null;
      if (workflow !== null && (isDeleted || reads !== 'pass'))
        workflows.push({ workflow, createdAt, critical, isDeleted });
    });
  }
}

/** A domain of one or two people could name them. */
async function noteDomains({ ctx, environment, domains }: Reading): Promise<void> {
  const added = [...ctx.traffic.commonDomains(environment)].filter((domain) => !domains.has(domain));
  if (added.length === 0) return;
  await addDomains(ctx.db, environment, added);
  for (const domain of added) domains.add(domain);
}

function waitingBeyond(event: TriggeredEvent, horizonMs: number): Waiting[] {
  const { id, createdAt } = event;
  const dueAt = waitsUntil(event);
  if (id === null || createdAt === null || dueAt === null) return [];
  // A step's end is read by then, too.
  const isBeyond = addMilliseconds(dueAt, STUCK_AFTER_MS) > addMilliseconds(createdAt, horizonMs);
  return isBeyond ? [{ eventId: boundedId(id), dueAt }] : [];
}

function readingOf(event: TriggeredEvent, now: Date) {
  const stepAsOf = (job: Job) => lastSignOf({ createdAt: null, updatedAt: null, jobs: [job] });
  return {
    eventKey: eventKey(event),
    createdAt: event.createdAt,
    // A sign dated ahead would outdate all later readings.
    asOf: min([now, lastSignOf(event) ?? new Date(0)]),
    stepsAsOf: new Map(event.jobs.map((job) => [`${boundedId(job.id)}`, stepAsOf(job)])),
    isWhole: !hidesOutcome(event),
  };
}

type WriteFindings = (pieces: readonly TimeRange[], count?: typeof replaceMinutes) => Promise<NewCounts>;

/** An event that the database refuses counts as unreadable. */
export async function recordSlice(
  { ctx, environment, added: total }: Reading,
  { counts, readings, workflows, waiting }: SliceFindings,
  commit: (tx: Db, write: WriteFindings) => Promise<NewCounts>,
): Promise<void> {
  const { db, logger } = ctx;
  const recording = { now: ctx.now(), explainCause: ctx.explainCause };
  const attempt = () =>
    db.transaction((tx) =>
      commit(tx, async (pieces, count = replaceMinutes) => {
        const findings = { readings: [...readings.values()], workflows, waiting };
        const newFailures = await recordFindings(tx, environment, findings, recording);
        const added = { newEvents: 0, newFailures, newUnreadable: 0 };
        for (const piece of pieces) {
          const { newEvents, newUnreadable } = await count(tx, environment, piece, counts);
          added.newEvents += newEvents;
          added.newUnreadable += newUnreadable;
        }
        return added;
      }),
    );
  const added = await attempt().catch(async (error: unknown) => {
    dataErrorOrThrow(error);
    for (const [key, eventReading] of readings) {
      const alone = { readings: [eventReading], workflows: [], waiting: [] };
      total.newFailures += await db
        .transaction((tx) => recordFindings(tx, environment, alone, recording))
        .catch((refusal: unknown) => {
          const { createdAt } = eventReading;
          logger.error({ environment, createdAt, code: dataErrorOrThrow(refusal).code }, "Event couldn't be recorded");
          readings.delete(key);
          counts.addUnreadable({ key, createdAt });
          return 0;
        });
    }
    return attempt();
  });
  for (const kind of ['newEvents', 'newFailures', 'newUnreadable'] as const) total[kind] += added[kind];
}

function dataErrorOrThrow(error: unknown) {
  if (error instanceof StatementError && error.isAboutData) return error;
  throw error;
}

const FAILING_A_TURN = 100;
/** What didn't fail only asks for what is stored of it. */
const OTHERS_A_TURN = 400;

interface Findings {
  readings: readonly EventReading[];
  workflows: readonly SeenWorkflow[];
  waiting: readonly Waiting[];
}

/** Returns how many announced failures are new. */
export async function recordFindings(
  tx: Db,
  environment: string,
  { readings, workflows, waiting }: Findings,
  { now, explainCause }: { now: Date; explainCause: ExplainCause },
): Promise<number> {
  if (readings.length + workflows.length === 0) return 0;
  // The lock numbers an environment's failures in commit order.
  const locked = await lockEnvironment(tx, environment);
  // A plan that the connection made while an incident had few failures reads all of them for each new one.
  await tx.write('SET LOCAL plan_cache_mode = force_custom_plan');
  await noteWaiting(tx, environment, waiting);
  await renameWorkflows(tx, environment, await recordWorkflows(tx, environment, workflows, now));
  const recording = { now, explainCause, clockAheadMs: locked?.clockAheadMs ?? null };
  let newFailures = 0;
  const failing = readings.filter(({ failures }) => failures.length > 0);
  for await (const batch of inPieces(failing, FAILING_A_TURN)) {
    const { added } = await recordReadings(tx, environment, batch, recording);
    newFailures += added.filter(({ failure, from }) => from === null && isAnnounced(failure.verdict)).length;
  }
  const others = readings.filter(({ failures }) => failures.length === 0);
  for await (const batch of inPieces(others, OTHERS_A_TURN)) await recordReadings(tx, environment, batch, recording);
  return newFailures;
}
