import { addMilliseconds } from 'date-fns';
import type { Trouble } from '../coverage/environments.ts';
import type { NewCounts } from '../coverage/gaps.ts';
import { noteSharedLabels } from '../incidents/shared-label.ts';
import { environmentNamed } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { failedRequest } from '../service/problem-words.ts';
import type { Polls } from './check-now.ts';
import { noteTrouble } from './note-poll.ts';
import { readPast } from './read-past.ts';
import { readPresent } from './read-present.ts';
import type { PollingCtx } from './reading.ts';

export interface PollCtx extends PollingCtx {
  polls: Polls;
  heldForMs: (environment: string) => number;
  wakePast(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  countRecorded: (environment: string, added: NewCounts) => void;
}

/** The client waits out a shorter hold. */
const LONG_HOLD_MS = 10_000;

const PRESENT_LOGS = { success: 'Events checked', failure: "Events couldn't be read" };
const PAST_LOGS = { success: 'Late failures checked', failure: "Late failures couldn't be looked for" };

export async function pollPresent(ctx: PollCtx, environment: string, signal: AbortSignal): Promise<void> {
  const read = () => ctx.polls.run(environment, () => readPresent(ctx, environment, signal));
  try {
    await noteLongHold(ctx, environment);
    const report = await readAndLog(ctx, environment, PRESENT_LOGS, read);
    if (report !== null) await noteSharedLabels(ctx.db, environment, ctx.traffic);
    if (report?.hasGap) await ctx.wakePast(environment);
  } finally {
    await ctx.wakeAnnouncing();
  }
}

/** A minute without a poll is a gap, whatever the reason. */
async function noteLongHold(ctx: PollCtx, environment: string): Promise<void> {
  const retryAfterMs = ctx.heldForMs(environment);
  if (retryAfterMs <= LONG_HOLD_MS) return;
  const trouble: Trouble = { problem: { kind: 'rate-limited', retryAfterMs }, pollMs: ctx.pollMs };
  await noteTrouble(ctx.db, environment, trouble, ctx.now());
}

export async function pollPast(ctx: PollCtx, environment: string, forMs: number, signal: AbortSignal): Promise<void> {
  const read = () => readPast(ctx, environment, addMilliseconds(ctx.now(), forMs), signal);
  const report = await readAndLog(ctx, environment, PAST_LOGS, read);
  if (report !== null && report.newFailures > 0) await ctx.wakeAnnouncing();
}

async function readAndLog<Report extends NewCounts>(
  ctx: PollCtx,
  environment: string,
  logs: typeof PRESENT_LOGS,
  read: () => Promise<Report | null>,
): Promise<Report | null> {
  const report = await tryReading(ctx, environment, logs.failure, read);
  if (report === null) return null;
  ctx.countRecorded(environment, report);
  const level = report.newFailures + report.newUnreadable > 0 ? 'info' : 'debug';
  ctx.logger[level]({ environment, ...report }, logs.success);
  return report;
}

/** Returns null during a long hold, and if reading fails. */
export async function tryReading<Report>(
  { environments, heldForMs, logger }: Pick<PollCtx, 'environments' | 'heldForMs' | 'logger'>,
  environment: string,
  failure: string,
  read: () => Promise<Report>,
): Promise<Report | null> {
  if (heldForMs(environment) > LONG_HOLD_MS) return null;
  try {
    return await read();
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err;
    const explained = failedRequest(err, environmentNamed(environment, environments));
    logger.warn({ environment, problem: err.problem.kind, ...explained, heldMs: heldForMs(environment) }, failure);
    return null;
  }
}
