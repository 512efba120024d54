import { isLate } from '../health/status.ts';
import type { PollingCtx } from '../lib/ctx.ts';
import { ServiceError } from '../lib/errors.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { Pause } from '../lib/time/waiting.ts';
import type { Polls } from './check-now.ts';
import { readPast } from './read-past.ts';
import { readPresent } from './read-present.ts';
import type { Found } from './reading.ts';

export interface PollParts {
  readonly polls: Polls;
  readonly pauseOf: (environment: string) => Pause;
  wakePast(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  readonly count: (environment: string, found: Found) => void;
}

/** Whatever the outcome, what was recorded is announced. */
export async function pollPresent(
  ctx: PollingCtx,
  environment: string,
  signal: AbortSignal,
  { polls, pauseOf, wakePast, wakeAnnouncing, count }: PollParts,
): Promise<void> {
  const read = () => polls.run(environment, () => readPresent(ctx, environment, signal));
  try {
    const report = await unlessPaused(ctx, environment, pauseOf(environment), "events couldn't be read", read);
    if (report === null) return;
    count(environment, report);
    ctx.log.info({ environment, ...report }, 'events checked');
    const { clockAheadMs, hasGap } = report;
    if (Math.abs(clockAheadMs ?? 0) > CLOCK_TOLERANCE_MS) {
      ctx.log.warn({ environment, clockAheadMs }, 'clocks differ by more than is made up for');
    }
    if (hasGap) await wakePast(environment);
  } finally {
    await wakeAnnouncing();
  }
}

/** Beside the polls, so that it never delays one. */
export async function pollPast(
  ctx: PollingCtx,
  environment: string,
  signal: AbortSignal,
  { pauseOf, wakeAnnouncing, count, forMs }: PollParts & { readonly forMs: number },
): Promise<void> {
  const until = new Date(ctx.now().getTime() + forMs);
  const read = () => readPast(ctx, environment, until, signal);
  const report = await unlessPaused(
    ctx,
    environment,
    pauseOf(environment),
    "events of the past couldn't be read",
    read,
  );
  if (report === null) return;
  count(environment, report);
  ctx.log.info({ environment, ...report }, 'past checked');
  const { behindMs, newFailures } = report;
  if (isLate(behindMs)) ctx.log.warn({ environment, behindMs }, 'late failures are looked for too late');
  if (newFailures > 0) await wakeAnnouncing();
}

/** A longer `Retry-After` might not be meant. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/** Null during a pause, and where the service can't be read, which is logged. */
export async function unlessPaused<Report>(
  { log }: Pick<PollingCtx, 'log'>,
  environment: string,
  pause: Pause,
  sentence: string,
  read: () => Promise<Report>,
): Promise<Report | null> {
  if (pause.end() !== null) return null;
  try {
    return await read();
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err;
    const { problem } = err;
    const pauseMs = problem.kind === 'rate-limited' ? Math.min(problem.retryAfterMs, LONGEST_PAUSE_MS) : 0;
    if (pauseMs > 0) pause.extend(pauseMs);
    log.warn({ environment, problem: problem.kind, pauseMs, err }, sentence);
    return null;
  }
}
