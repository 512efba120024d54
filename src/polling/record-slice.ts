import type { ExplainCause } from '../causes/explain-cause.ts';
import { recordWorkflows, type SeenWorkflow } from '../changes/workflows.ts';
import { lockEnvironment } from '../coverage/environment-lock.ts';
import type { NewCounts } from '../coverage/gaps.ts';
import { replaceMinutes } from '../coverage/minutes.ts';
import { noteWaiting, type Waiting } from '../coverage/waiting-events.ts';
import type { EventReading } from '../incidents/reconcile.ts';
import { recordReadings } from '../incidents/record.ts';
import { renameWorkflows } from '../incidents/rename.ts';
import { isAnnounced } from '../judging/verdict.ts';
import { inPieces } from '../lib/pauses.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import { StatementError } from '../store/errors.ts';
import type { SliceFindings } from './read-slices.ts';
import { NOTHING, type Reading } from './reading.ts';

const FAILING_A_TURN = 100;
/** What didn't fail only asks for what is stored of it. */
const OTHERS_A_TURN = 400;

interface Recording {
  now: Date;
  explainCause: ExplainCause;
}

interface Found {
  findings: SliceFindings;
  /** The ranges whose events are counted. */
  counted: readonly TimeRange[];
  count?: typeof replaceMinutes;
}

/** Records a slice if `move` returns true. Another process that has moved the reading on has recorded it, too. */
export async function recordAndMove(
  reading: Reading,
  { findings, counted, count }: Found,
  move: (tx: Db) => Promise<boolean>,
): Promise<void> {
  if (counted.length === 0 && findings.readings.size === 0) {
    await move(reading.ctx.db);
    return;
  }
  await recordSlice(reading, findings, async (tx, write) => ((await move(tx)) ? write(counted, count) : NOTHING));
}

/** Writes a slice's findings, and its counts of these ranges. */
type WriteFindings = (pieces: readonly TimeRange[], count?: typeof replaceMinutes) => Promise<NewCounts>;

type Commit = (tx: Db, write: WriteFindings) => Promise<NewCounts>;

/** Adds what is new to the reading's counts. An event that the database refuses counts as unreadable. */
export async function recordSlice(reading: Reading, findings: SliceFindings, commit: Commit): Promise<void> {
  const { ctx } = reading;
  const recording = { now: ctx.now(), explainCause: ctx.explainCause };
  try {
    await recordAtOnce(reading, findings, recording, commit);
  } catch (error) {
    dataErrorOrThrow(error);
    await recordEach(reading, findings, recording);
    await recordAtOnce(reading, findings, recording, commit);
  }
}

async function recordAtOnce(
  { ctx, environment, added }: Reading,
  findings: SliceFindings,
  recording: Recording,
  commit: Commit,
): Promise<void> {
  const { workflows } = findings;
  const found = { readings: [...findings.readings.values()], workflows, waiting: [...findings.waiting.values()] };
  const recorded = await ctx.db.transaction((tx) =>
    commit(tx, async (pieces, count = replaceMinutes) => {
      const newFailures = await recordFindings(tx, environment, found, recording);
      const sum = { newEvents: 0, newFailures, newUnreadable: 0 };
      for (const piece of pieces) {
        const counted = await count(tx, environment, piece, findings.counts);
        sum.newEvents += counted.newEvents;
        sum.newUnreadable += counted.newUnreadable;
      }
      return sum;
    }),
  );
  added.newEvents += recorded.newEvents;
  added.newFailures += recorded.newFailures;
  added.newUnreadable += recorded.newUnreadable;
}

/** Records one by one, and leaves out of the findings what the database refuses. */
async function recordEach(
  { ctx, environment, added }: Reading,
  { readings, counts }: SliceFindings,
  recording: Recording,
): Promise<void> {
  for (const [key, reading] of readings) {
    const alone = { readings: [reading], workflows: [], waiting: [] };
    try {
      added.newFailures += await ctx.db.transaction((tx) => recordFindings(tx, environment, alone, recording));
    } catch (error) {
      const { code } = dataErrorOrThrow(error);
      const { createdAt } = reading;
      ctx.logger.error({ environment, createdAt, code }, "Event couldn't be recorded");
      readings.delete(key);
      counts.addUnreadable({ key, createdAt });
    }
  }
}

function dataErrorOrThrow(error: unknown): StatementError {
  if (error instanceof StatementError && error.isAboutData) return error;
  throw error;
}

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
  { now, explainCause }: Recording,
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
