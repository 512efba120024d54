import { setImmediate } from 'node:timers/promises';
import { min } from 'date-fns';
import { z } from 'zod';
import { recordWorkflows, type SeenWorkflow } from '../changes/workflows.ts';
import { deliveriesOf, type JudgedEvent, judge, lastSignOf } from '../failures/judge.ts';
import { isAnnounced } from '../failures/verdict.ts';
import type { EventReading } from '../incidents/reconcile.ts';
import { changesIn, recordChanges } from '../incidents/record.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import { eventKey, hidesOutcome, type TriggeredEvent } from '../service/event.ts';
import type { Page } from '../service/query.ts';
import { Count } from '../store/db.ts';
import { StatementError } from '../store/errors.ts';
import type { PollingCtx } from './ctx.ts';
import { noteNews } from './environments.ts';
import type { MinuteCounts } from './minutes.ts';

export interface PageOrigin {
  environment: string;
  clockAheadMs: number | null;
  reads: 'present' | 'gap' | 'pass';
}

/** Idempotent. What can't be judged or recorded counts as unreadable. Returns how many failures are new that are announced. */
export async function recordPage(
  ctx: PollingCtx,
  { environment, clockAheadMs, reads }: PageOrigin,
  page: Page<TriggeredEvent>,
  counts: MinuteCounts,
): Promise<number> {
  const now = ctx.now();
  const judged: JudgedEvent[] = [];
  for (const event of page.items) {
    // Others get a turn: to scrub what providers answered takes milliseconds.
    await setImmediate();
    try {
      judged.push({ event, judgement: judge(event, byServiceClock(now, clockAheadMs)) });
    } catch (err) {
      ctx.logger.error({ environment, err }, "Event couldn't be judged, which is a bug");
      counts.addUnreadableEvent(event);
    }
  }
  if (reads === 'present') ctx.traffic.add(environment, page.items);
  for (const { event, judgement } of judged) counts.addEvent(event, deliveriesOf(event, judgement), now);
  for (const item of page.unreadable) counts.addUnreadable(item);
  for (const event of page.items.filter((item) => item.mayHideFailures)) counts.addUnreadableEvent(event);
  return recordJudged(ctx, environment, judged, reads, now, counts);
}

async function recordJudged(
  ctx: PollingCtx,
  environment: string,
  judged: readonly JudgedEvent[],
  reads: PageOrigin['reads'],
  now: Date,
  counts: MinuteCounts,
): Promise<number> {
  const readings = judged.map((each) => readingOf(each, now));
  const workflows = reads === 'pass' ? [] : judged.flatMap(({ event }) => workflowOf(event));
  try {
    return await recordFound(ctx, environment, { readings, workflows }, now);
  } catch (error) {
    if (!(error instanceof StatementError && error.isAboutData)) throw error;
    const [alone] = judged;
    if (judged.length === 1 && alone !== undefined) {
      ctx.logger.error(
        { environment, createdAt: alone.event.createdAt, code: error.code },
        "Event couldn't be recorded",
      );
      counts.addUnreadableEvent(alone.event);
      return 0;
    }
    let recorded = 0;
    for (const single of judged) recorded += await recordJudged(ctx, environment, [single], reads, now, counts);
    return recorded;
  }
}

/** A sign that is dated ahead would outdate all later readings. */
function readingOf({ event, judgement: { failures } }: JudgedEvent, now: Date): EventReading {
  const asOf = min([now, lastSignOf(event) ?? new Date(0)]);
  return { eventKey: eventKey(event), asOf, isWhole: !hidesOutcome(event), failures };
}

/** Returns how many failures are new that are announced. */
export async function recordFound(
  { db, explainCause }: Pick<PollingCtx, 'db' | 'explainCause'>,
  environment: string,
  { readings, workflows }: { readings: readonly EventReading[]; workflows: readonly SeenWorkflow[] },
  now: Date,
): Promise<number> {
  if (!isAny(await changesIn(db, environment, readings)) && workflows.length === 0) return 0;
  return db.transaction(async (tx) => {
    // So that an environment's failures are numbered in the order of their commits.
    const [locked] = await tx.rows(ClockRow, LOCK, [environment]);
    await recordWorkflows(tx, environment, workflows, now);
    const changes = await changesIn(tx, environment, readings);
    if (!isAny(changes)) return 0;
    await recordChanges(tx, environment, changes, { now, explainCause, clockAheadMs: locked?.clockAheadMs ?? null });
    if (isNews(changes)) await noteNews(tx, environment);
    return changes.added.filter(({ failure, from }) => from === null && isAnnounced(failure.verdict)).length;
  });
}

type Changes = Awaited<ReturnType<typeof changesIn>>;

function isNews({ added, reworded, removed }: Changes): boolean {
  return added.length + reworded.length + removed.length > 0;
}

function isAny(changes: Changes): boolean {
  return isNews(changes) || changes.touched.length > 0;
}

const ClockRow = z.object({ clockAheadMs: Count.nullable() });
const LOCK = 'SELECT clock_ahead_ms FROM environments WHERE environment = $1 FOR UPDATE';

function workflowOf({ workflow, createdAt }: TriggeredEvent): SeenWorkflow[] {
  return workflow === null ? [] : [{ workflow, createdAt }];
}
