import { FencedOffError, ServiceError } from '../domain/errors.ts';
import { isLate } from '../domain/health/status.ts';
import type { Logger } from '../domain/logger.ts';
import type { RecheckReport } from '../use-cases/polling/recheck.ts';
import type { BackgroundJob } from './job.ts';
import type { Rest } from './rest.ts';

export interface RecheckJobParts {
  readonly everySeconds: number;
  /** Rechecks the past. Null if there is none yet. Throws `FencedOffError`. */
  recheck(environment: string, signal: AbortSignal): Promise<RecheckReport | null>;
  wakeAnnouncing(): Promise<void>;
  readonly logger: Logger;
}

/** Longer than its parts' shares together, including the time that each can take to end. */
const TIMEOUT_SECONDS = 600;

export const recheckName = (environment: string): string => `recheck-${environment}`;

/** Rechecks an environment's past beside its polls, with a deadline for each part, so that it never delays a poll. */
export function recheckJob(environment: string, rest: Rest, parts: RecheckJobParts): BackgroundJob {
  return {
    name: recheckName(environment),
    environment,
    everySeconds: parts.everySeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if (rest.isResting()) return;
      const report = await recheck(environment, signal, parts);
      if (report === null) return;
      noteReport(environment, report, rest, parts.logger);
      if (report.newFailures > 0) await parts.wakeAnnouncing();
    },
  };
}

async function recheck(
  environment: string,
  signal: AbortSignal,
  parts: RecheckJobParts,
): Promise<RecheckReport | null> {
  try {
    return await parts.recheck(environment, signal);
  } catch (error) {
    if (!(error instanceof FencedOffError)) throw error;
    parts.logger.info({ environment }, 'another recheck took over');
    return null;
  }
}

function noteReport(environment: string, report: RecheckReport, rest: Rest, logger: Logger): void {
  const { troubles, sweep, ...read } = report;
  logger.info({ environment, ...read, behindMs: sweep?.behindMs ?? null }, 'past checked');
  rest.afterCutOff(read.retryAfterMs);
  for (const { part, error } of troubles) {
    if (error instanceof ServiceError) rest.after(error);
    const kind = error instanceof ServiceError ? error.problem.kind : classOf(error);
    logger.warn({ environment, part, problem: kind, err: error }, "events of the past couldn't be read");
  }
  if (sweep !== null && isLate(sweep.behindMs)) {
    logger.warn({ environment, ...sweep }, 'late failures are looked for too late');
  }
}

function classOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
