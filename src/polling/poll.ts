import { addMilliseconds } from 'date-fns';
import { explainServiceProblem } from '../health/explain.ts';
import type { Check } from '../health/status.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { inTime, type Sleep } from '../lib/time/waiting.ts';
import type { PollingCtx } from './ctx.ts';
import { readPast } from './read-past.ts';
import { readPresent } from './read-present.ts';
import type { Found } from './reading.ts';

export interface PollCtx extends PollingCtx {
  environments: readonly Environment[];
  polls: ReturnType<typeof createPolls>;
  /** For how long the service's rate limit asks the poller to wait. */
  heldForMs: (environment: string) => number;
  wakePast(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  countRecorded: (environment: string, found: Found) => void;
}

const PRESENT = { read: 'Events checked', unread: "Events couldn't be read" };
const PAST = { read: 'Late failures checked', unread: "Late failures couldn't be looked for" };

export async function pollPresent(ctx: PollCtx, environment: string, signal: AbortSignal): Promise<void> {
  const { polls, wakePast, wakeAnnouncing } = ctx;
  const read = () => polls.run(environment, () => readPresent(ctx, environment, signal));
  try {
    const report = await checked(ctx, environment, PRESENT, read);
    if (report?.hasGap) await wakePast(environment);
  } finally {
    await wakeAnnouncing();
  }
}

export async function pollPast(ctx: PollCtx, environment: string, forMs: number, signal: AbortSignal): Promise<void> {
  const read = () => readPast(ctx, environment, addMilliseconds(ctx.now(), forMs), signal);
  const report = await checked(ctx, environment, PAST, read);
  if (report !== null && report.newFailures > 0) await ctx.wakeAnnouncing();
}

async function checked<Report extends Found>(
  ctx: PollCtx,
  environment: string,
  words: { read: string; unread: string },
  read: () => Promise<Report | null>,
): Promise<Report | null> {
  const report = await unlessHeld(ctx, environment, words.unread, read);
  if (report === null) return null;
  ctx.countRecorded(environment, report);
  // The rest is in the hour's line.
  const level = report.newFailures + report.newUnreadable > 0 ? 'info' : 'debug';
  ctx.logger[level]({ environment, ...report }, words.read);
  return report;
}

/** A shorter one is waited for in the queue of requests. */
const LONG_HOLD_MS = 10_000;

/** Null while the service is to be left alone, and where it can't be read, which is logged. */
export async function unlessHeld<Report>(
  { environments, heldForMs, logger }: Pick<PollCtx, 'environments' | 'heldForMs' | 'logger'>,
  environment: string,
  sentence: string,
  read: () => Promise<Report>,
): Promise<Report | null> {
  if (heldForMs(environment) > LONG_HOLD_MS) return null;
  try {
    return await read();
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err;
    const heldMs = heldForMs(environment);
    const explained = explainServiceProblem(err, environmentNamed(environment, environments));
    logger.warn({ environment, problem: err.problem.kind, ...explained, heldMs }, sentence);
    return null;
  }
}

/** With the answer itself, two seconds at most. */
const WAIT_MS = 1_500;

/** A poll that takes longer delays no alert. */
const RECORDING_MS = 10_000;

/** Questions that arrive before a poll begins share it. */
export function createPolls({
  wakePoll,
  sleep,
  heldForMs,
}: Pick<PollCtx, 'heldForMs'> & {
  wakePoll: (environment: string) => Promise<void>;
  sleep: Sleep;
}) {
  const waiting = new Map<string, ((check: Check) => void)[]>();
  const recordingUntil = new Map<string, number>();
  return {
    isRecording: (environment: string) => (recordingUntil.get(environment) ?? 0) > performance.now(),
    /** Rejects as the poll does. */
    async run<Result>(environment: string, poll: () => Promise<Result>): Promise<Result> {
      const tell = waiting.get(environment) ?? [];
      waiting.delete(environment);
      recordingUntil.set(environment, performance.now() + RECORDING_MS);
      try {
        const result = await poll();
        for (const resolve of tell) resolve({ outcome: 'checked', problem: null });
        return result;
      } catch (error) {
        const problem = error instanceof ServiceError ? error.problem : null;
        for (const resolve of tell) resolve({ outcome: 'failed', problem });
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
      const checked = await inTime(polled, { ms: WAIT_MS, instead: null }, sleep);
      if (checked !== null) return checked;
      const retryAfterMs = heldForMs(environment);
      return { outcome: 'still checking', problem: retryAfterMs > 0 ? { kind: 'rate-limited', retryAfterMs } : null };
    },
  };
}
