import { FencedOffError, ServiceError } from '../domain/errors.ts';
import type { Logger } from '../domain/logger.ts';
import { CLOCK_TOLERANCE_MS } from '../domain/polling/reading.ts';
import type { ReadingReport } from '../use-cases/polling/poll.ts';
import type { BackgroundJob } from './job.ts';
import type { Rest } from './rest.ts';

export interface PollParts {
  readonly everySeconds: number;
  /** Checks for new events. Throws `ServiceError` and `FencedOffError`. */
  read(environment: string, signal: AbortSignal): Promise<ReadingReport>;
  /** Rechecks the environment's past at once. */
  wakeRecheck(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  readonly logger: Logger;
}

/**
 * Long enough for the longest window that a poll covers in one go: a quarter of an hour of a busy environment, or two poll intervals. Two
 * polls of an environment can safely overlap: the cursor's fencing token lets only the later one write.
 */
const TIMEOUT_SECONDS = 600;

/** Returns the name by which a caller who waits for a poll wakes it. */
export function pollJobName(environment: string): string {
  return `poll-${environment}`;
}

/**
 * Polls an environment for new events only. Whatever the outcome, the recorded events are announced. Each environment has its own job, so
 * that a slow service doesn't delay the others.
 */
export function pollJob(environment: string, rest: Rest, parts: PollParts): BackgroundJob {
  return {
    name: pollJobName(environment),
    environment,
    everySeconds: parts.everySeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if (rest.isResting()) return;
      try {
        await poll(environment, signal, rest, parts);
      } finally {
        await parts.wakeAnnouncing();
      }
    },
  };
}

async function poll(environment: string, signal: AbortSignal, rest: Rest, parts: PollParts): Promise<void> {
  const { logger } = parts;
  try {
    const report = await parts.read(environment, signal);
    noteReport(environment, report, logger);
    rest.afterCutOff(report.retryAfterMs);
    if (report.recheckNow) await parts.wakeRecheck(environment);
  } catch (error) {
    if (error instanceof FencedOffError) {
      logger.info({ environment }, 'another reader took over');
      return;
    }
    if (!(error instanceof ServiceError)) throw error;
    const restMs = rest.after(error);
    logger.warn({ environment, problem: error.problem.kind, restMs, err: error }, "events couldn't be read");
  }
}

function noteReport(environment: string, read: ReadingReport, logger: Logger): void {
  logger.info({ environment, ...read }, 'events checked');
  if (Math.abs(read.clockAheadMs ?? 0) > CLOCK_TOLERANCE_MS) {
    logger.warn({ environment, clockAheadMs: read.clockAheadMs }, 'clocks differ by more than is made up for');
  }
}
