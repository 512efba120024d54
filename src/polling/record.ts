import { setImmediate } from 'node:timers/promises';
import { min } from 'date-fns';
import { z } from 'zod';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { recordWorkflows, type SeenWorkflow } from '../changes/workflows.ts';
import { noteNews } from '../coverage/environments.ts';
import type { Found } from '../coverage/gaps.ts';
import { type MinuteCounts, replaceMinutes } from '../coverage/minutes.ts';
import { deliveriesOf, type JudgedEvent, judge, lastSignOf } from '../failures/judge.ts';
import { isAnnounced } from '../failures/verdict.ts';
import type { EventReading } from '../incidents/reconcile.ts';
import { changesIn, recordChanges } from '../incidents/record.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { eventKey, hidesOutcome, type TriggeredEvent } from '../service/event.ts';
import type { Page } from '../service/query.ts';
import { Count, type Db } from '../store/db.ts';
import { StatementError } from '../store/errors.ts';
import type { PollingCtx } from './ctx.ts';

export interface PageOrigin {
  environment: string;
  clockAheadMs: number | null;
  reads: 'present' | 'gap' | 'pass';
}

/** What a slice showed, to be recorded with its counts: a share is of what is counted. Readings are by their event. */
export interface Finds {
  counts: MinuteCounts;
  readings: Map<string, SliceReading>;
  workflows: SeenWorkflow[];
}

type SliceReading = EventReading & Pick<TriggeredEvent, 'createdAt'>;

/** What can't be judged counts as unreadable. */
export async function judgePage(
  ctx: PollingCtx,
  { environment, clockAheadMs, reads }: PageOrigin,
  page: Page<TriggeredEvent>,
  { counts, readings, workflows }: Finds,
): Promise<void> {
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
  if (reads !== 'pass') workflows.push(...judged.flatMap(({ event }) => workflowOf(event)));
  for (const { event, judgement } of judged) counts.addEvent(event, deliveriesOf(event, judgement), now);
  for (const item of page.unreadable) counts.addUnreadable(item);
  for (const event of page.items.filter((item) => item.mayHideFailures)) counts.addUnreadableEvent(event);
  for (const each of judged) {
    const reading = readingOf(each, now);
    const known = readings.get(reading.eventKey);
    if (known === undefined || known.asOf <= reading.asOf) readings.set(reading.eventKey, reading);
  }
}

/** A sign that is dated ahead would outdate all later readings. */
function readingOf({ event, judgement: { failures } }: JudgedEvent, now: Date): SliceReading {
  const asOf = min([now, lastSignOf(event) ?? new Date(0)]);
  const { createdAt } = event;
  return { eventKey: eventKey(event), createdAt, asOf, isWhole: !hidesOutcome(event), failures };
}

type RecordIn = (pieces: readonly TimeRange[]) => Promise<Found>;

/** Idempotent. `commit` is one transaction. What the database refuses of the events counts as unreadable. */
export async function recordSlice(
  ctx: PollingCtx,
  environment: string,
  finds: Finds,
  commit: (tx: Db, record: RecordIn) => Promise<Found>,
): Promise<Found> {
  const { explainCause, db } = ctx;
  const { counts, readings, workflows } = finds;
  const now = ctx.now();
  const record = () =>
    db.transaction((tx) =>
      commit(tx, async (pieces) => {
        const found = { readings: [...readings.values()], workflows };
        const newFailures = await recordFound(tx, environment, found, { now, explainCause });
        const grown = { newEvents: 0, newUnreadable: 0 };
        for (const piece of pieces) {
          const { newEvents, newUnreadable } = await replaceMinutes(tx, environment, piece, counts);
          grown.newEvents += newEvents;
          grown.newUnreadable += newUnreadable;
        }
        return { ...grown, newFailures };
      }),
    );
  return record().catch(async (error: unknown) => {
    ifAboutData(error);
    let newFailures = 0;
    for (const [key, reading] of readings) {
      const alone = { readings: [reading], workflows: [] };
      newFailures += await db
        .transaction((tx) => recordFound(tx, environment, alone, { now, explainCause }))
        .catch((refusal: unknown) => {
          const { createdAt } = reading;
          ctx.logger.error({ environment, createdAt, code: ifAboutData(refusal).code }, "Event couldn't be recorded");
          readings.delete(key);
          counts.addUnreadable({ key, createdAt });
          return 0;
        });
    }
    const all = await record();
    return { ...all, newFailures: newFailures + all.newFailures };
  });
}

function ifAboutData(error: unknown): StatementError {
  if (error instanceof StatementError && error.isAboutData) return error;
  throw error;
}

interface FoundIn {
  readings: readonly EventReading[];
  workflows: readonly SeenWorkflow[];
}

/** Statements stay short, for others to get a turn. */
const READINGS_AT_ONCE = 100;

/** Returns how many failures are new that are announced. */
export async function recordFound(
  tx: Db,
  environment: string,
  { readings, workflows }: FoundIn,
  { now, explainCause }: { now: Date; explainCause: ExplainCause },
): Promise<number> {
  if (readings.length + workflows.length === 0) return 0;
  // So that an environment's failures are numbered in the order of their commits.
  const [locked] = await tx.rows(ClockRow, LOCK, [environment]);
  await recordWorkflows(tx, environment, workflows, now);
  const recording = { now, explainCause, clockAheadMs: locked?.clockAheadMs ?? null };
  let newFailures = 0;
  for (let first = 0; first < readings.length; first += READINGS_AT_ONCE) {
    await setImmediate();
    const changes = await changesIn(tx, environment, readings.slice(first, first + READINGS_AT_ONCE));
    if (isAny(changes)) await recordChanges(tx, environment, changes, recording);
    if (isNews(changes)) await noteNews(tx, environment);
    newFailures += changes.added.filter(({ failure, from }) => from === null && isAnnounced(failure.verdict)).length;
  }
  return newFailures;
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
