import { addMilliseconds } from 'date-fns';
import type { NewCounts } from '../coverage/gaps.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { failedRequest } from '../service/problem-words.ts';
import type { createPolls } from './check-now.ts';
import { readPast } from './read-past.ts';
import { noteTrouble, readPresent } from './read-present.ts';
import type { PollingCtx } from './reading.ts';

export interface PollCtx extends PollingCtx {
  environments: readonly Environment[];
  polls: ReturnType<typeof createPolls>;
  heldForMs: (environment: string) => number;
  wakePast(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  countRecorded: (environment: string, added: NewCounts) => void;
}

const PRESENT = { read: 'Events checked', unread: "Events couldn't be read" };
const PAST = { read: 'Late failures checked', unread: "Late failures couldn't be looked for" };

export async function pollPresent(ctx: PollCtx, environment: string, signal: AbortSignal): Promise<void> {
  const { polls, wakePast, wakeAnnouncing } = ctx;
  const read = () => polls.run(environment, () => readPresent(ctx, environment, signal));
  const heldMs = ctx.heldForMs(environment);
  try {
    // A minute without a poll is a gap, whatever the reason.
    if (heldMs > LONG_HOLD_MS) {
      const problem = { kind: 'rate-limited', retryAfterMs: heldMs } as const;
      await noteTrouble(ctx.db, environment, { problem, pollMs: ctx.pollMs }, ctx.now());
    }
    const report = await reported(ctx, environment, PRESENT, read);
    if (report?.hasGap) await wakePast(environment);
  } finally {
    await wakeAnnouncing();
  }
}

export async function pollPast(ctx: PollCtx, environment: string, forMs: number, signal: AbortSignal): Promise<void> {
  const read = () => readPast(ctx, environment, addMilliseconds(ctx.now(), forMs), signal);
  const report = await reported(ctx, environment, PAST, read);
  if (report !== null && report.newFailures > 0) await ctx.wakeAnnouncing();
}

async function reported<Report extends NewCounts>(
  ctx: PollCtx,
  environment: string,
  words: typeof PRESENT,
  read: () => Promise<Report | null>,
): Promise<Report | null> {
  const report = await tryReading(ctx, environment, words.unread, read);
  if (report === null) return null;
  ctx.countRecorded(environment, report);
  const level = report.newFailures + report.newUnreadable > 0 ? 'info' : 'debug';
  ctx.logger[level]({ environment, ...report }, words.read);
  return report;
}

/** The client waits out a shorter hold before its next request. */
const LONG_HOLD_MS = 10_000;

/** Returns null during a long hold, and if reading fails, which is logged. */
export async function tryReading<Report>(
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
    const explained = failedRequest(err, environmentNamed(environment, environments));
    logger.warn({ environment, problem: err.problem.kind, ...explained, heldMs }, sentence);
    return null;
  }
}
