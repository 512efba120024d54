import { addMilliseconds } from 'date-fns';
import type { NewCounts } from '../coverage/gaps.ts';
import { noteSharedLabels } from '../incidents/shared-label.ts';
import { environmentNamed } from '../lib/environment.ts';
import { ServiceError, type ServiceProblem } from '../lib/errors.ts';
import { inTime, type Sleep } from '../lib/time/waiting.ts';
import { failedRequest } from '../service/problem-words.ts';
import { readPast } from './read-past.ts';
import { noteTrouble, readPresent } from './read-present.ts';
import type { PollingCtx } from './reading.ts';

export type CheckOutcome = 'checked' | 'still checking' | 'failed';

export type Check = { outcome: CheckOutcome; problem: ServiceProblem | null };

/** It takes at most two seconds, and never rejects. */
export type CheckNow = (environment: string) => Promise<Check>;

interface PollsCtx {
  wakePoll: (environment: string) => Promise<void>;
  sleep: Sleep;
  heldForMs: (environment: string) => number;
}

const WAIT_MS = 1_500;

/** Alerts don't wait for a poll that takes longer. */
const RECORDING_MS = 10_000;

export interface Polls {
  isRecording(environment: string): boolean;
  run<Result>(environment: string, poll: () => Promise<Result>): Promise<Result>;
  checkNow: CheckNow;
}

/** Checks that arrive before a poll begins share it. */
export function createPolls({ wakePoll, sleep, heldForMs }: PollsCtx): Polls {
  const waiting = new Map<string, ((check: Check) => void)[]>();
  const recordingUntil = new Map<string, number>();
  return {
    isRecording: (environment: string) => (recordingUntil.get(environment) ?? 0) > performance.now(),
    async run<Result>(environment: string, poll: () => Promise<Result>) {
      const waiters = waiting.get(environment) ?? [];
      waiting.delete(environment);
      recordingUntil.set(environment, performance.now() + RECORDING_MS);
      try {
        const result = await poll();
        for (const resolve of waiters) resolve({ outcome: 'checked', problem: null });
        return result;
      } catch (error) {
        const problem = error instanceof ServiceError ? error.problem : null;
        for (const resolve of waiters) resolve({ outcome: 'failed', problem });
        throw error;
      } finally {
        recordingUntil.delete(environment);
      }
    },
    async checkNow(environment: string): Promise<Check> {
      const polled = new Promise<Check>((resolve) => {
        waiting.set(environment, [...(waiting.get(environment) ?? []), resolve]);
      });
      await wakePoll(environment);
      const checked = await inTime(polled, WAIT_MS, null, sleep);
      if (checked !== null) return checked;
      const retryAfterMs = heldForMs(environment);
      return { outcome: 'still checking', problem: retryAfterMs > 0 ? { kind: 'rate-limited', retryAfterMs } : null };
    },
  };
}

export interface PollCtx extends PollingCtx {
  polls: Polls;
  heldForMs: (environment: string) => number;
  wakePast(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  countRecorded: (environment: string, added: NewCounts) => void;
}

const PRESENT_LOGS = { success: 'Events checked', failure: "Events couldn't be read" };
const PAST_LOGS = { success: 'Late failures checked', failure: "Late failures couldn't be looked for" };

export async function pollPresent(ctx: PollCtx, environment: string, signal: AbortSignal): Promise<void> {
  const read = () => ctx.polls.run(environment, () => readPresent(ctx, environment, signal));
  const heldMs = ctx.heldForMs(environment);
  try {
    // A minute without a poll is a gap, whatever the reason.
    if (heldMs > LONG_HOLD_MS) {
      const problem = { kind: 'rate-limited', retryAfterMs: heldMs } as const;
      await noteTrouble(ctx.db, environment, { problem, pollMs: ctx.pollMs }, ctx.now());
    }
    const report = await readAndLog(ctx, environment, PRESENT_LOGS, read);
    if (report !== null) await noteSharedLabels(ctx.db, environment, ctx.traffic);
    if (report?.hasGap) await ctx.wakePast(environment);
  } finally {
    await ctx.wakeAnnouncing();
  }
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
) {
  const report = await tryReading(ctx, environment, logs.failure, read);
  if (report === null) return null;
  ctx.countRecorded(environment, report);
  const level = report.newFailures + report.newUnreadable > 0 ? 'info' : 'debug';
  ctx.logger[level]({ environment, ...report }, logs.success);
  return report;
}

/** The client waits out a shorter hold. */
const LONG_HOLD_MS = 10_000;

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
