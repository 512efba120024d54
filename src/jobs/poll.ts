import { FencedOffError, ServiceError } from '../domain/errors.ts';
import type { Logger } from '../domain/logger.ts';
import { CLOCK_TOLERANCE_MS } from '../domain/reading.ts';
import type { ReadingReport } from '../use-cases/read-new-events.ts';
import type { Job } from './job.ts';

export interface PollParts {
  readonly environments: readonly string[];
  readonly everySeconds: number;
  /** Reads what is new. Throws `ServiceError` and `FencedOffError`. */
  read(environment: string, signal: AbortSignal): Promise<ReadingReport>;
  /** Writes down what is to be said. Returns the ids of the digests written. */
  announce(environment: string): Promise<readonly string[]>;
  wakeDelivery(): Promise<void>;
  readonly logger: Logger;
  readonly now: () => Date;
}

/**
 * Long enough for the longest window that is read in one go, a quarter of an hour of a busy environment. Two polls of an environment
 * do no harm: the cursor's fence lets the later one write.
 */
const TIMEOUT_SECONDS = 600;

/** A poll for each environment, so that one whose service is slow holds up no other. */
export function pollJobs(parts: PollParts): Job[] {
  return parts.environments.map((environment) => pollJob(environment, parts));
}

function pollJob(environment: string, parts: PollParts): Job {
  let restUntil = 0;
  return {
    name: `poll-${environment}`,
    everySeconds: parts.everySeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if (parts.now().getTime() < restUntil) return;
      restUntil = parts.now().getTime() + (await poll(environment, signal, parts));
    },
  };
}

/** Reads, then announces what was recorded, also where the reading broke off. Returns how long to rest, in milliseconds. */
async function poll(environment: string, signal: AbortSignal, parts: PollParts): Promise<number> {
  let restMs = 0;
  try {
    const report = await parts.read(environment, signal);
    noteReport(environment, report, parts.logger);
    restMs = restAfter(report.trouble);
  } catch (error) {
    if (error instanceof FencedOffError) {
      parts.logger.info({ environment }, 'another reader took over');
      return 0;
    }
    if (!(error instanceof ServiceError)) throw error;
    restMs = restAfter(error);
    parts.logger.warn({ environment, problem: error.problem.kind, restMs, err: error }, 'events could not be read');
  }
  if ((await parts.announce(environment)).length > 0) await parts.wakeDelivery();
  return restMs;
}

function restAfter(trouble: ServiceError | null): number {
  return trouble?.problem.kind === 'rate-limited' ? trouble.problem.retryAfterMs : 0;
}

/** Sweeps that are this late cannot keep up with the events. */
const LATE_MS = 5 * 60_000;

function noteReport(environment: string, { trouble, sweep, ...read }: ReadingReport, logger: Logger): void {
  logger.info({ environment, ...read, behindMs: sweep?.behindMs ?? null }, 'events read');
  if (trouble !== null) {
    logger.warn({ environment, problem: trouble.problem.kind, err: trouble }, 'events of the past could not be read');
  }
  if (sweep !== null && sweep.behindMs >= LATE_MS) {
    logger.warn({ environment, ...sweep }, 'late failures are looked for too late');
  }
  if (Math.abs(read.clockAheadMs ?? 0) > CLOCK_TOLERANCE_MS) {
    logger.warn({ environment, clockAheadMs: read.clockAheadMs }, 'clocks differ by more than is made up for');
  }
}
