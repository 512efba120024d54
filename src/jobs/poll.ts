import { ServiceError } from '../domain/errors.ts';
import { isLate } from '../domain/health/status.ts';
import type { Logger } from '../domain/logger.ts';
import { CLOCK_TOLERANCE_MS } from '../domain/polling/clock.ts';
import type { PastReport } from '../polling/read-past.ts';
import type { PresentReport } from '../polling/read-present.ts';
import type { Found } from '../polling/reading.ts';
import type { BackgroundJob } from './job.ts';
import type { Rest } from './rest.ts';

export interface PollParts {
  readonly everySeconds: number;
  /** Reads what is new. Throws `ServiceError`. */
  readPresent(environment: string, signal: AbortSignal): Promise<PresentReport>;
  /** Reads what is due of the past until a time. Null if there is none yet. Throws `ServiceError`. */
  readPast(environment: string, until: Date, signal: AbortSignal): Promise<PastReport | null>;
  /** Runs the job that reads the environment's past. */
  wakePast(environment: string): Promise<void>;
  wakeAnnouncing(): Promise<void>;
  readonly count: (environment: string, found: Found) => void;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Long enough for a quarter of an hour of a busy environment. What two polls at once read is only read twice. */
const TIMEOUT_SECONDS = 600;

/** Returns the name by which a caller who waits for a poll wakes it. */
export function pollJobName(environment: string): string {
  return `poll-${environment}`;
}

export function pastJobName(environment: string): string {
  return `past-${environment}`;
}

/** Polls an environment for new events. Whatever the outcome, what was recorded is announced. */
export function pollJob(environment: string, rest: Rest, parts: PollParts): BackgroundJob {
  return {
    name: pollJobName(environment),
    environment,
    everySeconds: parts.everySeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if (rest.isResting()) return;
      try {
        const report = await orRest("events couldn't be read", parts.readPresent(environment, signal), rest, parts);
        if (report === null) return;
        parts.count(environment, report);
        notePresent(environment, report, parts.logger);
        if (report.hasGap) await parts.wakePast(environment);
      } finally {
        await parts.wakeAnnouncing();
      }
    },
  };
}

/** The past is read at least this often, even if polls are less frequent. */
const MOST_SECONDS_BETWEEN = 300;

/** Its share of its interval, so that a run ends before the next one. */
const SHARE = 0.8;

/** Reads an environment's past beside its polls, so that it never delays one. */
export function pastJob(environment: string, rest: Rest, parts: PollParts): BackgroundJob {
  const everySeconds = Math.min(parts.everySeconds, MOST_SECONDS_BETWEEN);
  return {
    name: pastJobName(environment),
    environment,
    everySeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if (rest.isResting()) return;
      const until = new Date(parts.now().getTime() + everySeconds * 1_000 * SHARE);
      const read = parts.readPast(environment, until, signal);
      const report = await orRest("events of the past couldn't be read", read, rest, parts);
      if (report === null) return;
      parts.count(environment, report);
      parts.logger.info({ environment, ...report }, 'past checked');
      if (isLate(report.behindMs)) {
        parts.logger.warn({ environment, behindMs: report.behindMs }, 'late failures are looked for too late');
      }
      if (report.newFailures > 0) await parts.wakeAnnouncing();
    },
  };
}

/** Null if the service can't be read, which is logged; then polls pause for as long as its rate limit asks. */
async function orRest<Report>(
  sentence: string,
  reading: Promise<Report>,
  rest: Rest,
  { logger }: PollParts,
): Promise<Report | null> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { environment, problem } = error;
    logger.warn({ environment, problem: problem.kind, restMs: rest.after(error), err: error }, sentence);
    return null;
  }
}

function notePresent(environment: string, report: PresentReport, logger: Logger): void {
  logger.info({ environment, ...report }, 'events checked');
  if (Math.abs(report.clockAheadMs ?? 0) > CLOCK_TOLERANCE_MS) {
    logger.warn({ environment, clockAheadMs: report.clockAheadMs }, 'clocks differ by more than is made up for');
  }
}
